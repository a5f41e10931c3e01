import { option, signIn } from "../client";
import { seedMonitors } from "../cluster";
import { type Postgres, startPostgres } from "../postgres";
import { askForAlerts, callsOf, startProvider } from "../provider";
import { PASSWORD } from "../seed";
import { remove, startServer, temporaryDirectory } from "../server";
import { auditPostgres, countAnswered } from "./audit";
import { enrol, reportOn } from "./reports";
import { nothingAnswered, writeOn } from "./writers";

const [MONITORS, INTERVAL, AGENTS] = [200, 5, 4];
/** Every so-manieth target goes down and comes back, each for so many milliseconds. */
const [CHANGING, CHANGE] = [4, 7000];

/** Targets that count how often they are asked; some of them change by the clock. */
const startTargets = () => {
  const state = { requests: 0 };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      state.requests++;
      const id = Number(new URL(url).pathname.slice(1));
      const down = id % CHANGING === 0 && Math.floor(Date.now() / CHANGE + id / MONITORS) % 2 === 1;
      return new Response(null, { status: down ? 503 : 200 });
    },
  });
  return { origin: `http://127.0.0.1:${server.port}`, requests: () => state.requests, stop: () => server.stop(true) };
};

/** Asks for pages of the console in turn, and times the answers. */
const readOn = async (url: string, token: string, refused: Record<string, number>, signal: AbortSignal) => {
  const state = { slowest: 0, asked: 0 };
  const paths = ["/api/monitors?limit=5", "/api/dashboard", "/api/agents", "/api/auth/me"];
  const read = async (path: string) => {
    while (!signal.aborted) {
      const begun = performance.now();
      const status = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } }).then(
        (response) => response.arrayBuffer().then(() => response.status),
        () => 0,
      );
      state.slowest = Math.max(state.slowest, Math.round(performance.now() - begun));
      state.asked++;
      if (status !== 200) refused[status] = (refused[status] ?? 0) + 1;
      await Bun.sleep(20);
    }
  };
  return { state, done: Promise.all(paths.map(read)) };
};

/** Each takes the database away for so many milliseconds, and ends when it is there again. */
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

/** What is stored, against itself and against what went out of the console and into it. */
const auditEvents = async ({ sql }: Postgres, requests: number, received: { text: string }[]) => {
  const [row] = await sql`
    with seen as (select monitor_id, checked_at, up, lag(up, 1, true) over (partition by monitor_id order by checked_at) as before from checks),
      changes as (select monitor_id, checked_at from seen where up <> before),
      told as (select target_id, at from events where target_type = 'monitor')
    select (select count(*) from checks where monitor_id <= ${MONITORS}) as checks, (select count(*) from told) as events,
      (select count(*) from changes left join told on target_id = monitor_id and at = checked_at where at is null) as untold,
      (select count(*) from told left join changes on target_id = monitor_id and at = checked_at where checked_at is null) as unfounded,
      (select count(*) from events where not exists (select 1 from deliveries where event_id = events.id and state = 'sent')) as undelivered`;
  const [checks, events] = [Number(row.checks), Number(row.events)];
  return {
    events,
    losses: {
      checks_not_recorded: Math.max(0, requests - checks),
      checks_recorded_twice: Math.max(0, checks - requests),
      changes_untold: Number(row.untold),
      events_unfounded: Number(row.unfounded),
      events_undelivered: Number(row.undelivered),
      told_twice: received.length - new Set(received.map(({ text }) => text)).size,
    },
  };
};

/**
 * PostgreSQL is lost `--rounds` times in each of three ways, for `--seconds`, under checks, reports, writes and alerts:
 * it crashes, its connections are cut, and it freezes. Refusals in between, and no loss after.
 */
export const fault = async (args: string[]) => {
  const [rounds, seconds] = [option(args, "rounds", 3), option(args, "seconds", 15)];
  const [postgres, dataDir, targets, provider] = [
    startPostgres(),
    temporaryDirectory(),
    startTargets(),
    startProvider({ delay: 15 }),
  ];
  const env = { DATABASE_URL: postgres.url, TELEGRAM_API_URL: provider.origin, LOG_LEVEL: "error" };
  const server = await startServer(dataDir, env);
  const { url } = server;
  await callsOf(url, "")("POST", "/auth/register", {
    username: "alice",
    email: "alice@example.com",
    password: PASSWORD,
  });
  const token = await signIn(url);
  await askForAlerts(callsOf(url, token));
  const agents = await enrol(url, token, AGENTS);
  await seedMonitors(postgres, { monitors: MONITORS, interval: INTERVAL }, [targets.origin]);
  const answered = nothingAnswered();
  const writing = new AbortController();
  const reading = await readOn(url, token, answered.refused, writing.signal);
  const written = Promise.all([
    writeOn({ url, token, keys: [], monitors: MONITORS }, answered, writing.signal, true),
    reportOn(url, agents, answered, writing.signal),
    reading.done,
  ]);
  const found: Record<string, { refused: number; slowest_answer_ms: number; well_again_after_ms: number }> = {};
  const refusals = () => Object.values(answered.refused).reduce((sum, count) => sum + count, 0);
  let unwell = 0;
  for (let round = 0; round < rounds; round++) {
    for (const [name, lose] of Object.entries(outages(postgres))) {
      await Bun.sleep(2000);
      const before = refusals();
      reading.state.slowest = 0;
      await lose(seconds * 1000);
      const back = performance.now();
      const isWell = () =>
        fetch(`${url}/health`).then(
          ({ ok }) => ok,
          () => false,
        );
      while (!(await isWell()) && performance.now() - back < 30_000) await Bun.sleep(20);
      const after = Math.round(performance.now() - back);
      if (!(await isWell())) unwell++;
      await Bun.sleep(1000);
      found[name] = {
        refused: (found[name]?.refused ?? 0) + refusals() - before,
        slowest_answer_ms: Math.max(found[name]?.slowest_answer_ms ?? 0, reading.state.slowest),
        well_again_after_ms: Math.max(found[name]?.well_again_after_ms ?? 0, after),
      };
    }
  }
  await Bun.sleep(2000);
  writing.abort();
  await written;
  const undelivered = async () => {
    const [row] = await postgres.sql`select count(*) as count from events as e
      where not exists (select 1 from deliveries where event_id = e.id and ended_at is not null)`;
    return Number(row.count);
  };
  for (const begun = performance.now(); performance.now() - begun < 60_000 && (await undelivered()) > 0; )
    await Bun.sleep(100);
  await server.stop();
  targets.stop();
  provider.stop();
  const { events, losses } = await auditEvents(postgres, targets.requests(), provider.received);
  const stored = await auditPostgres(postgres.sql, answered);
  await postgres.sql.close();
  postgres.remove();
  remove(dataDir);
  const others = Object.entries(answered.refused).filter(([status]) => status !== "503");
  return {
    rounds,
    seconds,
    answered: countAnswered(answered),
    reads: reading.state.asked,
    requests: targets.requests(),
    events,
    outages: found,
    losses: { ...stored, ...losses, unwell, other_answers: others.reduce((sum, [, count]) => sum + count, 0) },
  };
};
