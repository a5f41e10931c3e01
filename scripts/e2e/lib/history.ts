import "../../../src/server/compose/views";

import { eq, sql } from "drizzle-orm";
import { readConfig } from "../../../src/core/config";
import { createLog } from "../../../src/core/log";
import type { Database } from "../../../src/db/database";
import { openDatabase } from "../../../src/db/open";
import { heartbeats, hubGaps, pings } from "../../../src/db/schema";
import { createRollup } from "../../../src/history/rollup";
import { systemClock } from "../../../src/lib/time";
import { createLive } from "../../../src/modules/live/live";
import { type Result, recordResults } from "../../../src/modules/monitors/engine/record";
import { checkShape } from "../../../src/modules/monitors/history/shape";
import { checkError } from "../../../src/shared/check-error";
import { DAY, HOUR, MINUTE, SECOND } from "../../../src/shared/limits";

const INSTANCE = "history";

/** The dependencies of the code that writes checks. No page is open. */
export const openStore = async (dataDir: string) => ({
  db: await openDatabase(readConfig({ DATA_DIR: dataDir })),
  clock: systemClock,
  log: createLog("warn", true, (line) => process.stderr.write(line)),
  live: createLive({ clock: systemClock, instance: INSTANCE }),
});

/** When the hub could know nothing, before now: its network was down, and a minute on each side of a time it did not run. */
const GAPS = [
  { from: 10 * HOUR, to: 9 * HOUR, reason: "hub_offline" },
  { from: 3 * HOUR + MINUTE, to: 3 * HOUR - MINUTE, reason: "hub_stopped" },
] as const;
/** When a ping was expected that may have been lost, before now. */
const LOST_PING = 3 * HOUR;

/** Writes the gaps of the hub; in the second one the ping of a heartbeat may have been lost. The hub must not be running. */
const writeGaps = async (db: Database, now: number, heartbeat: number): Promise<void> => {
  const rows = GAPS.map(({ from, to, reason }) => ({ startedAt: now - from, endedAt: now - to, reason }));
  await db.insert(hubGaps).values(rows);
  const [expected, last] = [now - LOST_PING, now - LOST_PING - DAY];
  await db
    .update(heartbeats)
    .set({ pingedAt: last, succeededAt: last, unknownSince: expected, deadlineAt: expected + DAY })
    .where(eq(heartbeats.monitorId, heartbeat));
  const times = reportTimes(now).map((at) => ({ monitorId: heartbeat, at, kind: "success" as const }));
  await db.insert(pings).values(times.map((ping) => ({ ...ping, address: "192.0.2.17", userAgent: "curl/8.14.1" })));
};

/** When the daily job of the heartbeat reported, ascending: the latest one before the report that may have been lost. */
const reportTimes = (now: number): number[] =>
  Array.from({ length: 30 }, (_, index) => {
    const days = 30 - index;
    const delay = days === 1 ? 0 : ((days * 7919) % 97) * SECOND;
    return now - LOST_PING - days * DAY + delay;
  });

/** Past times without gaps, ascending: hourly for a month, and every five minutes of the last day. */
const pastTimes = (now: number): number[] => {
  const times: number[] = [];
  for (let at = now - 30 * DAY; at < now - DAY; at += HOUR) times.push(at);
  for (let at = now - DAY; at < now - MINUTE; at += 5 * MINUTE) times.push(at);
  return times.filter((at) => !GAPS.some(({ from, to }) => at >= now - from && at < now - to));
};

/** Writes a month of checks for each monitor, as the engine would, with gaps. The hub must not be running. */
export const writeHistory = async (dataDir: string, monitorIds: number[], heartbeat: number): Promise<void> => {
  const store = await openStore(dataDir);
  const { db } = store;
  const now = Date.now();
  const [states] = (await db.atomically(() => [sql`select monitor_id, revision from monitor_states`])) as {
    monitor_id: number;
    revision: number;
  }[][];
  const revisions = new Map(states?.map((row) => [row.monitor_id, row.revision]));
  const result = (monitorId: number, checkedAt: number, index: number): Result => {
    const up = (index + monitorId * 37) % 211 > 2;
    const wave = 1 + Math.sin(index / 23 + monitorId) / 3 + ((index * 7919 + monitorId * 104_729) % 97) / 300;
    return {
      monitorId,
      revision: revisions.get(monitorId) ?? 0,
      checkedAt,
      up,
      responseTime: up ? Math.round(monitorId * 240 * wave) / 10 : null,
      statusCode: up ? 200 : null,
      error: up ? null : checkError("timeout", { seconds: 5 }),
      certExpiresAt: null,
    };
  };
  await db.transact(async (tx) => {
    for (const [index, at] of pastTimes(now).entries()) {
      const results = monitorIds.map((id) => result(id, at, index));
      await recordResults({ ...store, db: tx }, null, results);
    }
    for (const at of reportTimes(now))
      await recordResults({ ...store, db: tx }, null, [
        { ...result(heartbeat, at, 0), up: true, responseTime: null, statusCode: null, error: null },
      ]);
  });
  await db.atomically(() => [sql`update monitor_states set first_checked_at = ${pastTimes(now)[0]}`]);
  await moveToBlocks(db, now);
  await writeGaps(db, now, heartbeat);
  await db.close();
};

/** Moves the checks of the hours before a time to blocks and sums, as a running hub does once an hour. */
export const moveToBlocks = (db: Database, time: number): Promise<void> =>
  createRollup(
    {
      db,
      log: createLog("warn", true, (line) => process.stderr.write(line)),
      clock: { now: () => time + MINUTE, sleep: Bun.sleep },
    },
    checkShape,
  )();
