import { option, signIn } from "../lib/client";
import { seedMonitors } from "../lib/cluster";
import { startPostgres } from "../lib/postgres";
import { callsOf, enableAlerts, startProvider } from "../lib/provider";
import { PASSWORD } from "../lib/seed";
import { remove, startServer, temporaryDirectory } from "../lib/server";
import { startAlternating } from "./alternating";
import { auditPostgres, countAnswered } from "./audit";
import { auditEvents, untilDelivered } from "./audit-events";
import { outages } from "./outages";
import { enroll, reportOn } from "./reports";
import { createAnswered, writeOn } from "./writers";

const [MONITORS, INTERVAL, AGENTS] = [200, 5, 4];
/** Every nth target alternates between down and up with this period in milliseconds. */
const [CHANGING, CHANGE] = [4, 7000];

/** Requests pages of the hub in turn and measures the answers. */
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

/** Milliseconds until the hub is healthy; null when it does not become healthy. */
const untilWell = async (url: string): Promise<number | null> => {
  for (const begun = performance.now(); performance.now() - begun < 30_000; await Bun.sleep(20)) {
    const answer = await fetch(`${url}/health`).catch(() => null);
    if (answer?.ok) return Math.round(performance.now() - begun);
  }
  return null;
};

/**
 * Makes PostgreSQL unavailable `--rounds` times in each of three ways, for `--seconds`, under checks, reports, writes and alerts:
 * a crash, cut connections and a freeze. Requests may be refused during that time; nothing may be lost.
 */
export const fault = async (args: string[]) => {
  const [rounds, seconds] = [option(args, "rounds", 3), option(args, "seconds", 15)];
  const [postgres, dataDir, targets, provider] = [
    startPostgres(),
    temporaryDirectory(),
    startAlternating({ monitors: MONITORS, every: CHANGING, period: CHANGE }),
    startProvider({ delay: 15 }),
  ];
  const env = { DATABASE_URL: postgres.url, ALERT_GROUP_SECONDS: "0", ALERT_FLAP_CHANGES: "0", LOG_LEVEL: "silent" };
  const server = await startServer(dataDir, env);
  const { url } = server;
  await callsOf(url, "")("POST", "/auth/register", {
    username: "alice",
    email: "alice@example.com",
    password: PASSWORD,
  });
  const token = await signIn(url);
  await enableAlerts(callsOf(url, token), provider.origin);
  const agents = await enroll(url, token, AGENTS);
  await seedMonitors(postgres, { monitors: MONITORS, interval: INTERVAL }, [targets.origin]);
  await postgres.sql`select setval(pg_get_serial_sequence('monitors', 'id'), ${MONITORS})`;
  const answered = createAnswered();
  const writing = new AbortController();
  const reading = await readOn(url, token, answered.refused, writing.signal);
  const written = Promise.all([
    writeOn({ url, token, keys: [], monitors: MONITORS }, answered, writing.signal, true),
    reportOn(url, agents, answered, writing.signal),
    reading.done,
  ]);
  const found: Record<string, { refused: number; slowest_answer_ms: number; well_again_after_ms: number }> = {};
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
      const { refused = 0, slowest_answer_ms = 0, well_again_after_ms = 0 } = found[name] ?? {};
      found[name] = {
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
    losses: {
      ...stored,
      ...losses,
      events_undelivered,
      unwell,
      other_answers: others.reduce((sum, [, count]) => sum + count, 0),
    },
  };
};
