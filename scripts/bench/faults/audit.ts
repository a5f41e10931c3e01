import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { SQL } from "bun";
import type { Answered } from "./writers";

const SECOND = 1000;

const LISTS = {
  monitors: "select name from monitors",
  // At most one sample a second of each agent is stored.
  samples: `select agent_id, at / ${SECOND} from samples`,
  checks: "select monitor_id, checked_at from checks",
};

/** Each should be zero. */
const FIGURES = {
  hours_beside_checks: "select abs((select count(*) from checks) - coalesce(sum(up + down), 0)) from check_hours",
  days_beside_checks: "select abs((select count(*) from checks) - coalesce(sum(up + down), 0)) from check_days",
  samples_of_one_second: `select coalesce(sum(stored - 1), 0) from (select count(*) as stored from samples group by agent_id, at / ${SECOND}) as seconds`,
  sums_beside_samples: "select abs((select count(*) from samples) - coalesce(sum(memory_count), 0)) from sample_hours",
  monitors_without_state: "select count(*) from monitors where id not in (select monitor_id from monitor_states)",
};

type Read = (query: string) => unknown[][];

/** Compares what is stored with what was answered, and its parts with each other. Every figure should be zero. */
const audit = (read: Read, { monitors, samples, checks }: Answered) => {
  const list = (query: string) => new Set(read(query).map((row) => row.join(" ")));
  const [names, sampled, checked] = [list(LISTS.monitors), list(LISTS.samples), list(LISTS.checks)];
  return {
    monitors_lost: monitors.filter((name) => !names.has(name)).length,
    samples_lost: samples.filter(({ agent, at }) => !sampled.has(`${agent} ${Math.floor(at / SECOND)}`)).length,
    checks_lost: checks.filter(({ monitor, at }) => !checked.has(`${monitor} ${at}`)).length,
    ...(Object.fromEntries(
      Object.entries(FIGURES).map(([name, query]) => [name, Number(read(query)[0]?.[0])]),
    ) as Record<keyof typeof FIGURES, number>),
  };
};

/** Audits a SQLite file. */
export const auditStored = (dataDir: string, answered: Answered): Record<string, number> => {
  const db = new Database(join(dataDir, "wakeful.db"), { readonly: true });
  const read: Read = (query) => db.query(query).values();
  const broken = read("pragma integrity_check")[0]?.[0] === "ok" ? 0 : 1;
  const found = { broken, ...audit(read, answered) };
  db.close();
  return found;
};

/** Audits a PostgreSQL database. */
export const auditPostgres = async (sql: SQL, answered: Answered): Promise<Record<string, number>> => {
  const known = new Map<string, unknown[][]>();
  for (const query of [...Object.values(LISTS), ...Object.values(FIGURES)])
    known.set(query, (await sql.unsafe(query).values()) as unknown as unknown[][]);
  return audit((query) => known.get(query) ?? [], answered);
};

export const countAnswered = ({ monitors, samples, checks, refused }: Answered) => ({
  monitors: monitors.length,
  samples: samples.length,
  checks: checks.length,
  refused,
});
