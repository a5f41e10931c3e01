import { Database } from "bun:sqlite";
import { join } from "node:path";
import { encodePack as encodeSamples } from "../../../src/modules/agents/history/samples";
import { encodePack } from "../../../src/modules/monitors/history/pack";
import { HOUR, MINUTE } from "../../../src/shared/limits";
import { option } from "../lib/client";
import { remove, round, startServer, temporaryDirectory } from "../lib/server";
import { SPREAD } from "../lib/spread";
import { measureSteady } from "../lib/steady";

/** Checks or samples of an hour. */
const PER_HOUR = 60;

/** The times in a past hour at which a monitor or an agent has its own, each a few milliseconds late. */
const timesIn = (hour: number, id: number): number[] =>
  Array.from(
    { length: PER_HOUR },
    (_, index) => hour * HOUR + index * MINUTE + ((id * SPREAD) % MINUTE) + ((id * 7 + index * 13) % 40),
  );

const packChecks = (hour: number, monitor: number): Uint8Array =>
  encodePack(
    timesIn(hour, monitor).map((checkedAt, index) => ({
      checkedAt,
      up: true,
      responseTime: 20 + ((monitor * 37 + index * 7) % 300) / 10,
      statusCode: 200,
      error: null,
    })),
  );

const packSamples = (hour: number, agent: number): Uint8Array =>
  encodeSamples(
    timesIn(hour, agent).map((at, index) => ({
      at,
      cpu: ((agent * 31 + index * 7) % 1000) / 10,
      memory: 25 + ((agent * 7 + index) % 100) / 10,
      disk: 50,
      rx: 12.5 + (index % 5),
      tx: 3.25,
    })),
  );

/** Where a build keeps what it moves once an hour. `quiet` stops everything else that is written. */
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

const withFile = <T>(dataDir: string, run: (db: Database) => T): T => {
  const db = new Database(join(dataDir, "wakeful.db"));
  try {
    return run(db);
  } finally {
    db.close();
  }
};

const hasPacks = (db: Database, { table, columns }: Move): boolean =>
  db.query("select 1 from pragma_table_info(?) where name = ?").get(table, columns.hour) !== null;

/** Runs the hub until no pack has something of a past hour, and returns the bytes that it wrote. */
const runUntilMoved = async (dataDir: string, { table, columns }: Move): Promise<number> => {
  const server = await startServer(dataDir);
  const before = Math.floor(Date.now() / HOUR);
  const left = (db: Database) =>
    db.query(`select 1 from ${table} where ${columns.hour} < ? limit 1`).get(before) !== null;
  for (const begun = performance.now(); ; await Bun.sleep(500)) {
    // Without packs it runs as long as its first look for some takes.
    if (performance.now() - begun > 12_000 && !withFile(dataDir, left)) return server.stop();
  }
};

/**
 * Bytes written for each check or sample by the move of an hour of them into blocks and sums: those of a start of the hub
 * that finds them, without those of a start that finds none. Null if the build has no such move.
 */
const measureMove = async (dataDir: string, move: Move): Promise<number | null> => {
  if (!withFile(dataDir, (db) => hasPacks(db, move))) return null;
  const { table, columns, packOf, quiet } = move;
  const ids = withFile(dataDir, (db) => {
    for (const statement of quiet) db.run(statement);
    db.run(`update ${table} set ${columns.pack} = null, ${columns.hour} = null`);
    return db.query<{ id: number }, []>(`select ${columns.id} as id from ${table}`).all();
  });
  const without = await runUntilMoved(dataDir, move);
  const hour = Math.floor(Date.now() / HOUR) - 1;
  withFile(dataDir, (db) => {
    const fill = db.query(`update ${table} set ${columns.pack} = ?, ${columns.hour} = ? where ${columns.id} = ?`);
    db.transaction(() => {
      for (const { id } of ids) fill.run(packOf(hour, id), hour, id);
    })();
  });
  return round(((await runUntilMoved(dataDir, move)) - without) / (ids.length * PER_HOUR), 0);
};

const MOVED_AT = MINUTE;
/** Whether a span includes the time at which checks are moved to blocks: the first minute after an hour. */
const includesMove = (from: number, elapsed: number): boolean =>
  Math.floor((from + elapsed * 1000 - MOVED_AT) / HOUR) > Math.floor((from - MOVED_AT) / HOUR);

const perCheck = async (monitors: number, seconds: number) => {
  const dataDir = temporaryDirectory();
  const { from, elapsed, checks, written, passed, cpu, memory, stop } = await measureSteady(dataDir, {
    monitors,
    agents: 0,
    seconds,
  });
  await stop();
  const move = await measureMove(dataDir, MOVES.checks);
  remove(dataDir);
  return {
    monitors,
    checks,
    bytes_written_per_check: round(written / checks, 0),
    bytes_passed_to_write_per_check: round(passed / checks, 0),
    includes_an_hourly_move: includesMove(from, elapsed),
    bytes_written_per_check_by_the_hourly_move: move,
    cpu_ms_per_check: round((cpu / checks) * 1000, 3),
    cpu_percent_of_one_core: round((cpu / elapsed) * 100, 2),
    memory_mb: round(memory),
  };
};

const perReport = async (agents: number, seconds: number, wide: boolean) => {
  const dataDir = temporaryDirectory();
  const { from, elapsed, reports, written, passed, cpu, memory, stop } = await measureSteady(dataDir, {
    monitors: 0,
    agents,
    seconds,
    wide,
  });
  await stop();
  const move = await measureMove(dataDir, MOVES.samples);
  remove(dataDir);
  return {
    agents,
    reports,
    bytes_written_per_report: round(written / reports, 0),
    bytes_passed_to_write_per_report: round(passed / reports, 0),
    includes_an_hourly_move: includesMove(from, elapsed),
    bytes_written_per_sample_by_the_hourly_move: move,
    cpu_ms_per_report: round((cpu / reports) * 1000, 3),
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
  const seconds = option(args, "seconds", 180);
  return {
    seconds,
    ...(monitors > 0 && { checks: await perCheck(monitors, seconds) }),
    ...(agents > 0 && { reports: await perReport(agents, seconds, args.includes("--wide")) }),
  };
};
