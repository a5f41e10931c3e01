import { auditPostgres, countAnswered } from "../lib/audit";
import { callsOf, option, signIn } from "../lib/client";
import { startCluster } from "../lib/cluster";
import type { Postgres } from "../lib/postgres";
import { enableAlerts, startAlternating, startProvider } from "../lib/provider";
import { enroll, reportOn } from "../lib/reports";
import { queryOfPostgres, readStoredChecks } from "../lib/stored-checks";
import { type Answered, countRefused, createAnswered, writeOn } from "../lib/writers";

const [MONITORS, INTERVAL, AGENTS] = [200, 5, 4];
/** Every nth target alternates between down and up with this period in milliseconds. */
const [CHANGING, CHANGE] = [4, 7000];

/** Requests pages of the hub in turn and measures the answers. */
const readOn = async (url: string, token: string, answered: Answered, signal: AbortSignal) => {
  const state = { slowest: 0, asked: 0 };
  const paths = ["/monitors?limit=5", "/dashboard", "/agents", "/auth/me"];
  const call = callsOf(url, token);
  const read = async (path: string) => {
    while (!signal.aborted) {
      const begun = performance.now();
      await call("GET", path).catch((error) => countRefused(answered, error));
      state.slowest = Math.max(state.slowest, Math.round(performance.now() - begun));
      state.asked++;
      await Bun.sleep(20);
    }
  };
  return { state, done: Promise.all(paths.map(read)) };
};

/** Milliseconds until the hub is healthy; null when it does not become healthy. */
const untilWell = async (url: string): Promise<number | null> => {
  for (const begun = performance.now(); performance.now() - begun < 30_000; await Bun.sleep(20)) {
    const answer = await fetch(`${url}/health`).catch(() => null);
    if (answer?.ok) return Math.round(performance.now() - begun);
  }
  return null;
};

/** Each makes the database unavailable for some milliseconds, and resolves when it is available again. */
const outages = (postgres: Postgres): Record<string, (milliseconds: number) => Promise<void>> => ({
  crash: async (milliseconds) => {
    postgres.crash();
    await Bun.sleep(milliseconds);
    postgres.start();
  },
  cut: async (milliseconds) => {
    for (const begun = performance.now(); performance.now() - begun < milliseconds; await Bun.sleep(100))
      await postgres.sql`select pg_terminate_backend(pid) from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  },
  freeze: async (milliseconds) => {
    postgres.freeze();
    await Bun.sleep(milliseconds);
    postgres.thaw();
  },
});

/**
 * Compares the checks of monitors 1 to n with the requests received, and every change of state with its
 * notifications. Every figure except the count of events should be zero.
 */
const auditEvents = async (
  { sql }: Pick<Postgres, "sql">,
  monitors: number,
  requests: number,
  received: { text: string }[],
) => {
  const checks = await readStoredChecks(queryOfPostgres(sql));
  const changes = new Set<string>();
  const before = new Map<number, boolean>();
  for (const { monitorId, checkedAt, up } of checks) {
    if (up !== (before.get(monitorId) ?? true)) changes.add(`${monitorId} ${checkedAt}`);
    before.set(monitorId, up);
  }
  const rows: { target_id: number; at: number }[] =
    await sql`select target_id, at from events where target_type = 'monitor'`;
  const notified = rows.map(({ target_id, at }) => `${target_id} ${at}`);
  const eventKeys = new Set(notified);
  const recorded = checks.filter(({ monitorId }) => monitorId <= monitors).length;
  return {
    events: notified.length,
    losses: {
      checks_not_recorded: Math.max(0, requests - recorded),
      checks_recorded_twice: Math.max(0, recorded - requests),
      changes_without_event: [...changes].filter((change) => !eventKeys.has(change)).length,
      events_without_change: notified.filter((event) => !changes.has(event)).length,
      sent_twice: received.length - new Set(received.map(({ text }) => text)).size,
    },
  };
};

/** Waits until all present events are delivered, or withdrawn because their outage ended first. Returns how many are not. */
const untilDelivered = async ({ sql }: Pick<Postgres, "sql">): Promise<number> => {
  const [last] = await sql`select max(id) as id from events`;
  for (const begun = performance.now(); ; await Bun.sleep(100)) {
    const [row] = await sql`select count(*) as count from events as e where id <= ${last.id}
      and not exists (select 1 from deliveries where event_id = e.id
        and (state = 'sent' or (state = 'withheld' and error_code = 'recovered')))`;
    if (Number(row.count) === 0 || performance.now() - begun > 60_000) return Number(row.count);
  }
};

/**
 * Makes PostgreSQL unavailable `--rounds` times in each of three ways, for `--seconds`, under checks, reports, writes and alerts:
 * a crash, cut connections and a freeze. Requests may be refused during that time; nothing may be lost.
 */
export const bench = async (args: string[]) => {
  const [rounds, seconds] = [option(args, "rounds", 3), option(args, "seconds", 15)];
  const targets = startAlternating(CHANGING, CHANGE);
  const provider = startProvider({ delay: 15 });
  const cluster = await startCluster({
    monitors: MONITORS,
    interval: INTERVAL,
    origins: [targets.origin],
    env: { ALERT_GROUP_SECONDS: "0", ALERT_FLAP_CHANGES: "0", LOG_LEVEL: "silent" },
    prepare: async (url) => enableAlerts(callsOf(url, await signIn(url)), provider.origin),
  });
  const { postgres, first: server } = cluster;
  const { url } = server;
  const token = await signIn(url);
  const agents = await enroll(url, token, AGENTS);
  const answered = createAnswered();
  const writing = new AbortController();
  const reading = await readOn(url, token, answered, writing.signal);
  const written = Promise.all([
    writeOn({ url, token, keys: [], monitors: MONITORS }, answered, writing.signal, { keepTrying: true }),
    reportOn(url, agents, answered, writing.signal),
    reading.done,
  ]);
  const outcomes: Record<string, { refused: number; slowest_answer_ms: number; well_again_after_ms: number }> = {};
  const refusals = () => Object.values(answered.refused).reduce((sum, count) => sum + count, 0);
  const rest = () => Bun.sleep(Math.min(2000, seconds * 500));
  let unwell = 0;
  for (let round = 0; round < rounds; round++) {
    for (const [name, lose] of Object.entries(outages(postgres))) {
      await rest();
      const before = refusals();
      reading.state.slowest = 0;
      await lose(seconds * 1000);
      const wellAfter = await untilWell(url);
      await rest();
      if (wellAfter === null) unwell++;
      const { refused = 0, slowest_answer_ms = 0, well_again_after_ms = 0 } = outcomes[name] ?? {};
      outcomes[name] = {
        refused: refused + refusals() - before,
        slowest_answer_ms: Math.max(slowest_answer_ms, reading.state.slowest),
        well_again_after_ms: Math.max(well_again_after_ms, wellAfter ?? 0),
      };
    }
  }
  await rest();
  writing.abort();
  await written;
  const events_undelivered = await untilDelivered(postgres);
  await server.stop();
  targets.stop();
  provider.stop();
  const { events, losses } = await auditEvents(postgres, MONITORS, targets.requests(), provider.received);
  const stored = await auditPostgres(postgres.sql, answered);
  await cluster.end();
  const others = Object.entries(answered.refused).filter(([status]) => status !== "503");
  return {
    rounds,
    seconds,
    answered: countAnswered(answered),
    reads: reading.state.asked,
    requests: targets.requests(),
    events,
    outages: outcomes,
    losses: {
      ...stored,
      ...losses,
      events_undelivered,
      unwell,
      other_answers: others.reduce((sum, [, count]) => sum + count, 0),
    },
  };
};
