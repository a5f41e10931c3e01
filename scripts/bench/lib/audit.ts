import type { SQL } from "bun";
import { withFile } from "./server";
import { auditChecks, type MonitorCheck, type Query, queryOf, queryOfPostgres } from "./stored-checks";
import { auditSamples } from "./stored-samples";
import type { Answered } from "./writers";

const SECOND = 1000;

const LISTS = {
  monitors: "select name as key from monitors",
  pings: "select body as key from pings",
};

/** Each should be zero. */
const FIGURES = {
  monitors_without_state:
    "select count(*) as count from monitors where id not in (select monitor_id from monitor_states)",
  heartbeats_without_row:
    "select count(*) as count from monitors where kind = 'heartbeat' and id not in (select monitor_id from heartbeats)",
};

type Outage = { startedAt: number; endedAt: number | null; first: string; last: string; failed: number };

/** The outages that follow from the checks of monitors that were never paused, in the order of their times. */
const replay = (checks: MonitorCheck[]): Set<string> => {
  const found: (Outage & { monitorId: number })[] = [];
  const open = new Map<number, Outage>();
  for (const { monitorId, checkedAt, up, error } of checks) {
    const outage = open.get(monitorId);
    const code = error?.code ?? "";
    if (up) {
      if (outage) outage.endedAt = checkedAt;
      open.delete(monitorId);
    } else if (outage) {
      Object.assign(outage, { last: code, failed: outage.failed + 1 });
    } else {
      const begun = { monitorId, startedAt: checkedAt, endedAt: null, first: code, last: code, failed: 1 };
      found.push(begun);
      open.set(monitorId, begun);
    }
  }
  return new Set(found.map((one) => Object.values(one).join(" ")));
};

/** Compares the stored outages of monitors that were never paused with their checks. Every figure should be zero. */
export const auditOutages = async (query: Query, checks: MonitorCheck[]) => {
  const rows = await query(`select target_id, started_at, ended_at, error_code, last_error_code, checks_failed
    from outages where target_type = 'monitor'`);
  const stored = new Set(
    rows.map((row) =>
      [row.target_id, row.started_at, row.ended_at, row.error_code, row.last_error_code, row.checks_failed].join(" "),
    ),
  );
  const expected = replay(checks);
  return {
    outages_lost: [...expected].filter((outage) => !stored.has(outage)).length,
    outages_without_checks: [...stored].filter((outage) => !expected.has(outage)).length,
  };
};

/** Compares what is stored with what was answered, and its parts with each other. Every figure should be zero. */
const audit = async (query: Query, { monitors, samples, checks, pings }: Answered): Promise<Record<string, number>> => {
  const list = async (statement: string) => new Set((await query(statement)).map(({ key }) => key));
  const names = await list(LISTS.monitors);
  const bodies = await list(LISTS.pings);
  const [stored, reported] = [await auditChecks(query), await auditSamples(query)];
  // At most one sample a second of each agent is stored.
  const sampled = new Set(reported.samples.map(({ agentId, at }) => `${agentId} ${Math.floor(at / SECOND)}`));
  const checked = new Set(stored.checks.map(({ monitorId, checkedAt }) => `${monitorId} ${checkedAt}`));
  const figures: Record<string, number> = {};
  for (const [name, statement] of Object.entries(FIGURES)) figures[name] = Number((await query(statement))[0]?.count);
  return {
    monitors_lost: monitors.filter((name) => !names.has(name)).length,
    samples_lost: samples.filter(({ agent, at }) => !sampled.has(`${agent} ${Math.floor(at / SECOND)}`)).length,
    checks_lost: checks.filter(({ monitor, at }) => !checked.has(`${monitor} ${at}`)).length,
    pings_lost: pings.filter((body) => !bodies.has(body)).length,
    ...stored.losses,
    ...(await auditOutages(query, stored.checks)),
    ...reported.losses,
    ...figures,
  };
};

/** Audits a SQLite file. */
export const auditStored = (dataDir: string, answered: Answered): Promise<Record<string, number>> =>
  withFile(dataDir, async (db) => {
    const [intact] = db.query("pragma integrity_check").values();
    return { broken: intact?.[0] === "ok" ? 0 : 1, ...(await audit(queryOf(db), answered)) };
  });

/** Audits a PostgreSQL database. */
export const auditPostgres = (sql: SQL, answered: Answered) => audit(queryOfPostgres(sql), answered);

export const countAnswered = ({ monitors, samples, checks, pings, refused }: Answered) => ({
  monitors: monitors.length,
  samples: samples.length,
  checks: checks.length,
  pings: pings.length,
  refused,
});
