import type { Database } from "bun:sqlite";
import { checkPack } from "../../src/modules/monitors/history/pack";
import { samplePack } from "../../src/modules/servers/history/samples";
import { HOUR, MINUTE } from "../../src/shared/limits";
import { callsOf, option, register, signIn } from "./lib/client";
import { startCountingTarget } from "./lib/hits";
import { startReporter } from "./lib/reporter";
import { enroll } from "./lib/reports";
import { SPREAD } from "./lib/seed";
import { measureUsage, remove, round, startServer, temporaryDirectory, withFile } from "./lib/server";

const INTERVAL = 60;
const AT_ONCE = 20;

const inBatches = async <T>(count: number, make: (first: number, size: number) => Promise<T[]>): Promise<T[]> => {
  const made: T[] = [];
  while (made.length < count) made.push(...(await make(made.length, Math.min(AT_ONCE, count - made.length))));
  return made;
};

type Load = {
  monitors: number;
  agents: number;
  /** Whether agents report everything. */
  wide: boolean;
  /** Rounded up to whole minutes, so that each has all checks. Follows a minute of warm-up. */
  seconds: number;
};

/** Measures a hub with monitors and agents at 60 s and no page open. */
const measureSteady = async (dataDir: string, { monitors, agents, wide, ...options }: Load) => {
  const seconds = Math.ceil(options.seconds / INTERVAL) * INTERVAL;
  const target = startCountingTarget(monitors);
  const server = await startServer(dataDir);
  const { url, pid } = server;
  await register(url);
  const token = await signIn(url);
  const call = callsOf(url, token);
  const create = (number: number) =>
    call("POST", "/monitors", {
      name: `Monitor ${number}`,
      url: `${target.origins[number % target.origins.length]}/${number}`,
      interval: INTERVAL,
      timeout: 30,
      expectedStatus: 200,
    });
  await inBatches(monitors, (first, size) =>
    Promise.all(Array.from({ length: size }, (_, index) => create(first + index + 1))),
  );
  const enrolled = await inBatches(agents, (first, size) => enroll(url, token, size, first));
  const keys = enrolled.map(({ key }) => key);
  const report = (length: number) => startReporter({ url, keys, interval: INTERVAL, seconds: length, wide });
  await Promise.all([report(INTERVAL + 5), Bun.sleep((INTERVAL + 5) * 1000)]);
  target.watch(0);
  const from = Date.now();
  const work = () => Promise.all([report(seconds), Bun.sleep(seconds * 1000)]);
  const { result, ...used } = await measureUsage(pid, work);
  const { requests } = target.read();
  await server.stop();
  target.stop();
  return { from, count: requests + result[0].accepted, ...used };
};

/** Checks or samples of an hour. */
const PER_HOUR = 60;

/** Due times of a monitor or an agent in a past hour, each a few milliseconds late. */
const timesIn = (hour: number, id: number): number[] =>
  Array.from(
    { length: PER_HOUR },
    (_, index) => hour * HOUR + index * MINUTE + ((id * SPREAD) % MINUTE) + ((id * 7 + index * 13) % 40),
  );

const packChecks = (hour: number, monitor: number): Uint8Array =>
  checkPack.encode(
    timesIn(hour, monitor).map((checkedAt, index) => ({
      checkedAt,
      up: true,
      responseTime: 20 + ((monitor * 37 + index * 7) % 300) / 10,
      statusCode: 200,
      error: null,
    })),
  );

const packSamples = (hour: number, agent: number): Uint8Array =>
  samplePack.encode(
    timesIn(hour, agent).map((at, index) => ({
      at,
      cpu: ((agent * 31 + index * 7) % 1000) / 10,
      memory: 25 + ((agent * 7 + index) % 100) / 10,
      disk: 50,
      rx: 12.5 + (index % 5),
      tx: 3.25,
    })),
  );

/** The packs that are moved once an hour. `quiet` stops all other writes. */
const MOVES = {
  checks: {
    table: "monitor_states",
    columns: { id: "monitor_id", hour: "pack_hour", pack: "pack" },
    packOf: packChecks,
    quiet: ["update monitors set active = 0", "update monitor_states set next_check_at = null"],
  },
  samples: {
    table: "sample_packs",
    columns: { id: "agent_id", hour: "hour", pack: "data" },
    packOf: packSamples,
    quiet: ["update agent_states set expires_at = null"],
  },
};
type Move = (typeof MOVES)[keyof typeof MOVES];

/** Runs the hub until no pack has rows of a past hour, and returns the bytes that it wrote. */
const runUntilMoved = async (dataDir: string, { table, columns }: Move): Promise<number> => {
  const server = await startServer(dataDir);
  const hour = Math.floor(Date.now() / HOUR);
  const isLeft = (db: Database) =>
    db.query(`select 1 from ${table} where ${columns.hour} < ? limit 1`).get(hour) !== null;
  for (const begun = performance.now(); ; await Bun.sleep(500)) {
    // The hub looks for packs within this time of its start.
    if (performance.now() - begun > 12_000 && !(await withFile(dataDir, isLeft))) return server.stop();
  }
};

/**
 * Bytes written for each check or sample by the move of an hour of packs to blocks and sums: the difference between a start of
 * the hub with packs of a past hour and a start without.
 */
const measureMove = async (dataDir: string, move: Move): Promise<number> => {
  const { table, columns, packOf, quiet } = move;
  const ids = await withFile(
    dataDir,
    (db) => {
      for (const statement of quiet) db.run(statement);
      db.run(`update ${table} set ${columns.pack} = null, ${columns.hour} = null`);
      return db.query<{ id: number }, []>(`select ${columns.id} as id from ${table}`).all();
    },
    { write: true },
  );
  const without = await runUntilMoved(dataDir, move);
  const hour = Math.floor(Date.now() / HOUR) - 1;
  const fill = (db: Database) => {
    const row = db.query(`update ${table} set ${columns.pack} = ?, ${columns.hour} = ? where ${columns.id} = ?`);
    db.transaction(() => {
      for (const { id } of ids) row.run(packOf(hour, id), hour, id);
    })();
  };
  await withFile(dataDir, fill, { write: true });
  return round(((await runUntilMoved(dataDir, move)) - without) / (ids.length * PER_HOUR), 0);
};

const MOVED_AT = MINUTE;
/** Whether a span includes the hourly move to blocks, in the first minute after an hour. */
const includesMove = (from: number, elapsed: number): boolean =>
  Math.floor((from + elapsed * 1000 - MOVED_AT) / HOUR) > Math.floor((from - MOVED_AT) / HOUR);

const measure = async (load: Omit<Load, "seconds">, seconds: number, move: Move) => {
  const dataDir = temporaryDirectory();
  const { from, elapsed, count, written, passed, cpu, memory } = await measureSteady(dataDir, { ...load, seconds });
  const bytesByMove = await measureMove(dataDir, move);
  remove(dataDir);
  return {
    count,
    bytes_written: round(written / count, 0),
    bytes_passed_to_write: round(passed / count, 0),
    includes_an_hourly_move: includesMove(from, elapsed),
    bytes_written_by_the_hourly_move: bytesByMove,
    cpu_ms: round((cpu / count) * 1000, 3),
    cpu_percent_of_one_core: round((cpu / elapsed) * 100, 2),
    memory_mb: round(memory),
  };
};

/**
 * Bytes written to disk, and CPU time, for each check of `--monitors` (1000) and for each report of `--agents` (1000) at 60 s,
 * one after the other, over `--seconds` (180). 0 leaves one of them out. With `--wide` agents report everything.
 */
export const bench = async (args: string[]): Promise<object> => {
  const [monitors, agents] = [option(args, "monitors", 1000), option(args, "agents", 1000)];
  const [seconds, wide] = [option(args, "seconds", 180), args.includes("--wide")];
  return {
    monitors,
    agents,
    seconds,
    ...(monitors > 0 && { each_check: await measure({ monitors, agents: 0, wide }, seconds, MOVES.checks) }),
    ...(agents > 0 && { each_report: await measure({ monitors: 0, agents, wide }, seconds, MOVES.samples) }),
  };
};
