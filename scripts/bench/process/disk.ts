import { Database } from "bun:sqlite";
import { join } from "node:path";
import { encodePack } from "../../../src/modules/monitors/history/pack";
import { HOUR, MINUTE } from "../../../src/shared/limits";
import { option } from "../lib/client";
import { remove, round, startServer, temporaryDirectory } from "../lib/server";
import { SPREAD } from "../lib/spread";
import { measureSteady } from "../lib/steady";

const CHECKS = 60;

/** A past hour of checks of one monitor, each a few milliseconds late. */
const pastHour = (hour: number, monitor: number) =>
  Array.from({ length: CHECKS }, (_, index) => ({
    checkedAt: hour * HOUR + index * MINUTE + ((monitor * SPREAD) % MINUTE) + ((monitor * 7 + index * 13) % 40),
    up: true,
    responseTime: 20 + ((monitor * 37 + index * 7) % 300) / 10,
    statusCode: 200,
    error: null,
  }));

const withFile = <T>(dataDir: string, run: (db: Database) => T): T => {
  const db = new Database(join(dataDir, "wakeful.db"));
  try {
    return run(db);
  } finally {
    db.close();
  }
};

const hasPacks = (db: Database): boolean =>
  db.query("select 1 from pragma_table_info('monitor_states') where name = 'pack_hour'").get() !== null;

/** Runs the hub until no pack holds a check of a past hour, and returns the bytes that it wrote. */
const runUntilMoved = async (dataDir: string): Promise<number> => {
  const server = await startServer(dataDir);
  const hour = Math.floor(Date.now() / HOUR);
  const left = (db: Database) =>
    db.query("select 1 from monitor_states where pack_hour < ? limit 1").get(hour) !== null;
  for (const begun = performance.now(); ; await Bun.sleep(500)) {
    // Without packs it runs as long as its first look for some takes.
    if (performance.now() - begun > 12_000 && !withFile(dataDir, left)) return server.stop();
  }
};

/**
 * Bytes written for each check by the move of one hour of checks into blocks and sums: those of a start of the hub that
 * finds them, without those of a start that finds none. Null if the build has no such move.
 */
const measureMove = async (dataDir: string, monitors: number): Promise<number | null> => {
  if (!withFile(dataDir, hasPacks)) return null;
  withFile(dataDir, (db) => {
    db.run("update monitors set active = 0");
    db.run("update monitor_states set next_check_at = null, pack = null, pack_hour = null");
  });
  const idle = await runUntilMoved(dataDir);
  const hour = Math.floor(Date.now() / HOUR) - 1;
  withFile(dataDir, (db) => {
    const change = db.query(
      "update monitor_states set pack = ?, pack_hour = ?, last_checked_at = ? where monitor_id = ?",
    );
    const ids = db.query<{ id: number }, []>("select monitor_id as id from monitor_states").all();
    db.transaction(() => {
      for (const { id } of ids) {
        const checks = pastHour(hour, id);
        change.run(encodePack(checks), hour, checks.at(-1)?.checkedAt ?? 0, id);
      }
    })();
  });
  return ((await runUntilMoved(dataDir)) - idle) / (monitors * CHECKS);
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
  const move = await measureMove(dataDir, monitors);
  remove(dataDir);
  return {
    monitors,
    checks,
    bytes_written_per_check: round(written / checks, 0),
    bytes_passed_to_write_per_check: round(passed / checks, 0),
    includes_an_hourly_move: includesMove(from, elapsed),
    bytes_written_per_check_by_the_hourly_move: move && round(move, 0),
    cpu_ms_per_check: round((cpu / checks) * 1000, 3),
    cpu_percent_of_one_core: round((cpu / elapsed) * 100, 2),
    memory_mb: round(memory),
  };
};

const perReport = async (agents: number, seconds: number) => {
  const dataDir = temporaryDirectory();
  const { elapsed, reports, written, passed, cpu, memory, stop } = await measureSteady(dataDir, {
    monitors: 0,
    agents,
    seconds,
  });
  await stop();
  remove(dataDir);
  return {
    agents,
    reports,
    bytes_written_per_report: round(written / reports, 0),
    bytes_passed_to_write_per_report: round(passed / reports, 0),
    cpu_ms_per_report: round((cpu / reports) * 1000, 3),
    cpu_percent_of_one_core: round((cpu / elapsed) * 100, 2),
    memory_mb: round(memory),
  };
};

/**
 * Bytes written to disk, and CPU time, for each check of `--monitors` (1000) and for each report of `--agents` (1000) at 60 s,
 * one after the other, over `--seconds` (180). 0 leaves one of them out.
 */
export const bench = async (args: string[]): Promise<object> => {
  const [monitors, agents] = [option(args, "monitors", 1000), option(args, "agents", 1000)];
  const seconds = option(args, "seconds", 180);
  return {
    seconds,
    ...(monitors > 0 && { checks: await perCheck(monitors, seconds) }),
    ...(agents > 0 && { reports: await perReport(agents, seconds) }),
  };
};
