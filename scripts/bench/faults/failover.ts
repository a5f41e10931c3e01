import { option, signIn } from "../lib/client";
import { seedMonitors } from "../lib/cluster";
import { LOSSES, type Loss, missingPackages, type PostgresPair, startPostgresPair } from "../lib/postgres-pair";
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
/** Milliseconds after a promotion in which everything works again. */
const SETTLED = 8000;
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

const isHealthy = ({ url }: Running): Promise<boolean> =>
  fetch(`${url}/health`, { signal: AbortSignal.timeout(1000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Besides 503: a monitor that is being checked already (409), or has just been (429). */
const EXPECTED = ["409", "429", "503"];

const writesOf = ({ monitors, checks }: Answered) => monitors.length + checks.length;
const refusalsOf = ({ refused }: Answered) => Object.values(refused).reduce((sum, count) => sum + count, 0);

/** Calls `work` until the signal aborts, and returns when the longest time without success ended, in ms since `begun`. */
const observe = async (begun: number, signal: AbortSignal, work: () => Promise<boolean>): Promise<number> => {
  const longest = { gap: 0, endedAt: 0 };
  for (let last = begun; !signal.aborted; await Bun.sleep(20)) {
    if (!(await work().catch(() => false))) continue;
    const now = performance.now();
    if (now - last > longest.gap) Object.assign(longest, { gap: now - last, endedAt: Math.round(now - begun) });
    last = now;
  }
  return longest.endedAt;
};

/** Takes the primary away and measures, in milliseconds since then, when what works again. */
const failOver = async (pair: PostgresPair, loss: Loss, instances: Running[], answered: Answered) => {
  const primary = await pair.primary();
  const refused = refusalsOf(answered);
  let written = writesOf(answered);
  const isWritten = async () => {
    const more = writesOf(answered) > written;
    written = writesOf(answered);
    return more;
  };
  const begun = performance.now();
  const ending = new AbortController();
  const works = (work: () => Promise<boolean>) => observe(begun, ending.signal, work);
  const observed = Promise.all([
    works(pair.write),
    works(isWritten),
    ...instances.map((each) => works(() => isHealthy(each))),
  ]);
  const lost = pair[loss](primary, pair.other(primary));
  const promoted = await timeUntil(begun, "the promotion", () => pair.isPrimary(pair.other(primary)));
  await Bun.sleep(SETTLED);
  for (const each of instances) await timeUntil(begun, "a healthy instance", () => isHealthy(each));
  await lost;
  ending.abort();
  const [writable, write, ...healthy] = await observed;
  return {
    primary: primary.name,
    is: loss,
    promoted_after_ms: promoted,
    database_writable_after_ms: writable,
    write_answered_after_ms: write,
    instances_healthy_after_ms: healthy,
    refused: refusalsOf(answered) - refused,
  };
};

/** Starts the instances with an administrator, alerts, agents and monitors. */
const prepare = async (
  pair: PostgresPair,
  origins: { targets: string; alerts: string },
  { monitors, interval }: { monitors: number; interval: number },
) => {
  const dataDir = temporaryDirectory();
  const urls = { DATABASE_URL: pair.url, LISTEN_DATABASE_URL: pair.directUrl };
  const env = { ...urls, ALERT_GROUP_SECONDS: "0", ALERT_FLAP_CHANGES: "0", LOG_LEVEL: "silent" };
  // All at once: they migrate the empty database one after another.
  const instances = await Promise.all(Array.from({ length: INSTANCES }, () => startServer(dataDir, env)));
  const [{ url }] = instances as [Running];
  const account = { username: "alice", email: "alice@example.com", password: PASSWORD };
  await callsOf(url, "")("POST", "/auth/register", account);
  const token = await signIn(url);
  await enableAlerts(callsOf(url, token), origins.alerts);
  const agents = await enroll(url, token, AGENTS);
  await seedMonitors(pair, { monitors, interval }, [origins.targets]);
  await pair.sql`select setval(pg_get_serial_sequence('monitors', 'id'), ${monitors})`;
  return { dataDir, instances, token, agents };
};

/** Lets the instances work and be written to while the primary is lost `rounds` times, and audits what is stored. */
const measure = async (pair: PostgresPair, rounds: number, monitors: number, interval: number) => {
  const provider = startProvider({ delay: 15 });
  const scheduled = { from: CHECKED + 1, interval: interval * 1000 };
  const targets = startAlternating({ monitors, every: CHANGING, period: CHANGE, scheduled });
  const started = await prepare(pair, { targets: targets.origin, alerts: provider.origin }, { monitors, interval });
  const { instances, token, agents } = started;
  const answered = createAnswered();
  const writing = new AbortController();
  const { signal } = writing;
  const written = Promise.all([
    ...instances.map(({ url }) => writeOn({ url, token, keys: [], monitors: CHECKED }, answered, signal, true)),
    ...agents.map((agent, index) => reportOn(instances[index % INSTANCES]?.url ?? "", [agent], answered, signal)),
  ]);
  await Bun.sleep(interval * 2000);
  const failovers: (Awaited<ReturnType<typeof failOver>> & { checks_late_by_ms: number })[] = [];
  for (let round = 0; round < rounds; round++) {
    targets.watch();
    const found = await failOver(pair, LOSSES[round % LOSSES.length] ?? "killed", instances, answered);
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
  remove(started.dataDir);
  const others = Object.entries(answered.refused).filter(([status]) => !EXPECTED.includes(status));
  const isLate = (found: (typeof failovers)[number]) =>
    found.checks_late_by_ms > found.database_writable_after_ms + GRACE;
  return {
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
      checked_twice: targets.duplicates(),
      events_undelivered,
      later_than_failover_and_20_s: failovers.filter(isLate).length,
      other_answers: others.reduce((sum, [, count]) => sum + count, 0),
    },
  };
};

/**
 * Takes the primary of a PostgreSQL pair away `--rounds` times, while three instances behind pgbouncer check `--monitors`
 * every `--interval` seconds, and are written to. Requests may be refused during that time; nothing may be lost or doubled.
 */
export const bench = async (args: string[]): Promise<object> => {
  const missing = missingPackages();
  if (missing.length > 0) {
    console.error(`missing: apt-get install ${missing.join(" ")}`);
    process.exit(2);
  }
  const pair = await startPostgresPair();
  const outcome = await measure(
    pair,
    option(args, "rounds", LOSSES.length),
    option(args, "monitors", 300),
    option(args, "interval", 10),
  );
  await pair.remove();
  if (Object.values(outcome.losses).every((count) => count === 0)) return outcome;
  console.log(JSON.stringify({ bench: "failover", ...outcome }));
  process.exit(1);
};
