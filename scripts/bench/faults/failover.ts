import { option, signIn } from "../lib/client";
import { seedMonitors } from "../lib/cluster";
import { missingPackages, type PostgresPair, startPostgresPair } from "../lib/postgres-pair";
import { callsOf, enableAlerts, startProvider } from "../lib/provider";
import { PASSWORD } from "../lib/seed";
import { type Running, remove, startServer, temporaryDirectory } from "../lib/server";
import { startAlternating } from "./alternating";
import { auditPostgres, countAnswered } from "./audit";
import { auditEvents, untilDelivered } from "./audit-events";
import { enroll, reportOn } from "./reports";
import { type Answered, createAnswered, writeOn } from "./writers";

const INSTANCES = 3;
const AGENTS = 4;
/** Monitors from 1 up to this one get manual checks too. */
const CHECKED = 60;
/** Every nth target alternates between down and up with this period in milliseconds. */
const [CHANGING, CHANGE] = [4, 17_000];
/** How late a check may be at most, in milliseconds beyond the time without a database. */
const GRACE = 20_000;

/** Calls `work` every 20 ms, and returns the milliseconds since `begun` when it succeeds. @throws after two minutes */
const timeUntil = async (begun: number, what: string, work: () => Promise<unknown>): Promise<number> => {
  while (performance.now() - begun < 120_000) {
    const done = await work().catch(() => false);
    if (done) return Math.round(performance.now() - begun);
    await Bun.sleep(20);
  }
  throw new Error(`waited two minutes for ${what}`);
};

const isHealthy = async ({ url }: Running): Promise<boolean> =>
  (await fetch(`${url}/health`, { signal: AbortSignal.timeout(1000) })).ok;

/** Besides 503: a monitor that is being checked already (409), or has just been (429). */
const EXPECTED = ["409", "429", "503"];

const writesOf = ({ monitors, checks }: Answered) => monitors.length + checks.length;
const refusalsOf = ({ refused }: Answered) => Object.values(refused).reduce((sum, count) => sum + count, 0);

/** Kills the primary and measures, in milliseconds since then, when what works again. */
const failOver = async (pair: PostgresPair, instances: Running[], answered: Answered) => {
  const primary = await pair.primary();
  const begun = performance.now();
  const refused = refusalsOf(answered);
  await pair.kill(primary);
  const written = writesOf(answered);
  const since = (what: string, work: () => Promise<unknown>) => timeUntil(begun, what, work);
  const [unhealthy, promoted, writable, ...healthy] = await Promise.all([
    since("an unhealthy instance", async () => !(await isHealthy(instances[0] as Running).catch(() => false))),
    since("the promotion", () => pair.isPrimary(pair.other(primary))),
    since("the database", pair.write),
    // An instance may answer that it is healthy just before it notices the loss.
    ...instances.map((each) => Bun.sleep(5000).then(() => since("a healthy instance", () => isHealthy(each)))),
  ]);
  const answeredAgain = await since("an answered write", async () => writesOf(answered) > written);
  return {
    killed: primary.name,
    unhealthy_after_ms: unhealthy,
    promoted_after_ms: promoted,
    database_writable_after_ms: writable,
    write_answered_after_ms: answeredAgain,
    instances_healthy_after_ms: healthy,
    refused: refusalsOf(answered) - refused,
  };
};

/** Starts the instances with an administrator, alerts, agents and monitors. */
const prepare = async (pair: PostgresPair, origin: string, alerts: string, monitors: number, interval: number) => {
  const dataDir = temporaryDirectory();
  const urls = { DATABASE_URL: pair.url, LISTEN_DATABASE_URL: pair.directUrl };
  const env = { ...urls, TELEGRAM_API_URL: alerts, LOG_LEVEL: "silent" };
  // All at once: they migrate the empty database one after another.
  const instances = await Promise.all(Array.from({ length: INSTANCES }, () => startServer(dataDir, env)));
  const [{ url }] = instances as [Running];
  const account = { username: "alice", email: "alice@example.com", password: PASSWORD };
  await callsOf(url, "")("POST", "/auth/register", account);
  const token = await signIn(url);
  await enableAlerts(callsOf(url, token));
  const agents = await enroll(url, token, AGENTS);
  await seedMonitors(pair, { monitors, interval }, [origin]);
  await pair.sql`select setval(pg_get_serial_sequence('monitors', 'id'), ${monitors})`;
  return { dataDir, instances, token, agents };
};

/**
 * Kills the primary of a PostgreSQL pair `--rounds` times, while three instances behind pgbouncer check `--monitors` every
 * `--interval` seconds, and are written to. Requests may be refused meanwhile; nothing may be lost or doubled.
 */
export const bench = async (args: string[]): Promise<object> => {
  const missing = missingPackages();
  if (missing.length > 0) {
    console.error(`missing: apt-get install ${missing.join(" ")}`);
    process.exit(2);
  }
  const [rounds, monitors] = [option(args, "rounds", 2), option(args, "monitors", 300)];
  const interval = option(args, "interval", 10);
  const pair = await startPostgresPair();
  const provider = startProvider({ delay: 15 });
  const targets = startAlternating({ monitors, every: CHANGING, period: CHANGE });
  const { dataDir, instances, token, agents } = await prepare(
    pair,
    targets.origin,
    provider.origin,
    monitors,
    interval,
  );
  const answered = createAnswered();
  const writing = new AbortController();
  const written = Promise.all([
    ...instances.map(({ url }) => writeOn({ url, token, keys: [], monitors: CHECKED }, answered, writing.signal, true)),
    ...agents.map((agent, index) =>
      reportOn(instances[index % INSTANCES]?.url ?? "", [agent], answered, writing.signal),
    ),
  ]);
  await Bun.sleep(interval * 2000);
  const failovers = [];
  for (let round = 0; round < rounds; round++) {
    targets.watch();
    const found = await failOver(pair, instances, answered);
    await Bun.sleep(interval * 2000);
    failovers.push({ ...found, checks_late_by_ms: Math.max(0, targets.longestGap() - interval * 1000) });
    if (round < rounds - 1) await pair.rejoin(pair.other(await pair.primary()));
  }
  writing.abort();
  await written;
  const events_undelivered = await untilDelivered(pair);
  await Promise.all(instances.map((instance) => instance.stop()));
  const { events, losses } = await auditEvents(pair, monitors, targets.requests(), provider.received);
  const stored = await auditPostgres(pair.sql, answered);
  targets.stop();
  provider.stop();
  await pair.remove();
  remove(dataDir);
  const others = Object.entries(answered.refused).filter(([status]) => !EXPECTED.includes(status));
  const outcome = {
    monitors,
    interval,
    instances: INSTANCES,
    answered: countAnswered(answered),
    requests: targets.requests(),
    events,
    failovers,
    losses: {
      ...stored,
      ...losses,
      events_undelivered,
      later_than_failover_and_20_s: failovers.filter(
        (found) => found.checks_late_by_ms > found.database_writable_after_ms + GRACE,
      ).length,
      other_answers: others.reduce((sum, [, count]) => sum + count, 0),
    },
  };
  if (Object.values(outcome.losses).every((count) => count === 0)) return outcome;
  console.log(JSON.stringify({ bench: "failover", ...outcome }));
  process.exit(1);
};
