import { statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { readConfig } from "../../../src/core/config";
import { createLog } from "../../../src/core/log";
import { hashSecret } from "../../../src/core/secrets";
import { type Database, openDatabase } from "../../../src/db/database";
import { monitorStates } from "../../../src/db/schema";
import { isoTime } from "../../../src/lib/time";
import { deleteExpiredSamples } from "../../../src/modules/agents/history/retention";
import { ingest } from "../../../src/modules/agents/ingest/ingest";
import { recordResults } from "../../../src/modules/monitors/engine/record";
import { DAY, HOUR, MINUTE } from "../../../src/shared/limits";
import { option } from "../lib/client";
import { moveToBlocks, seed } from "../lib/seed";
import { keyOf, moveSamplesToBlocks, seedAgents } from "../lib/seed-agents";
import { remove, round, temporaryDirectory } from "../lib/server";
import { SPREAD } from "../lib/spread";

const INSTANCE = "growth";
const log = createLog("silent", false, () => {});

const check = async (db: Database, monitors: number, minute: number): Promise<void> => {
  await db.update(monitorStates).set({ claimedBy: INSTANCE });
  const results = Array.from({ length: monitors }, (_, index) => ({
    monitorId: index + 1,
    revision: 0,
    previous: "up" as const,
    // A few milliseconds late, each time others.
    checkedAt: minute + (((index + 1) * SPREAD) % MINUTE) + ((index * 7 + (minute / MINUTE) * 13) % 40),
    up: true,
    responseTime: 20 + ((index * 37 + minute / MINUTE) % 300) / 10,
    statusCode: 200,
    error: null,
    certExpiresAt: null,
  }));
  await db.atomically(() => recordResults(INSTANCE, results));
};

const report = (db: Database, agents: number, minute: number) => {
  const share = (index: number, of: number) => ({ total: 16e9, used: ((index * 131 + minute / MINUTE) % of) * 1e7 });
  const sampleOf = (index: number) => ({
    at: isoTime(minute + ((index * SPREAD) % MINUTE)),
    cpu: ((index * 31 + minute / MINUTE) % 1000) / 10,
    memory: share(index, 1600),
    disk: share(index, 1500),
    network: { rx: (index % 100) / 8, tx: (index % 50) / 8 },
  });
  const reports = Array.from({ length: agents }, (_, index) => ({
    keyHash: hashSecret(keyOf(index + 1)),
    report: {
      interval: 60,
      hostname: `server-${index + 1}`,
      ip_addresses: ["10.0.0.1"],
      os: "Debian GNU/Linux 12 (bookworm)",
      version: "6.1.0",
      samples: [sampleOf(index)],
    },
  }));
  return ingest({ db, log }, reports, minute + MINUTE);
};

/** Size of a database after a number of days of checks or reports, one a minute each. */
const sizesOf = async (kind: "monitors" | "agents", count: number, days: number): Promise<number[]> => {
  const dataDir = temporaryDirectory();
  if (kind === "monitors") await seed(dataDir, { monitors: count, interval: 60, urls: ["http://127.0.0.1/"] });
  else await seedAgents(dataDir, { agents: count, interval: 60 });
  const config = readConfig({ DATA_DIR: dataDir });
  const db = await openDatabase(config);
  // Only the file size is measured.
  await db.rows(sql`pragma synchronous = off`);
  const file = join(dataDir, "wakeful.db");
  const first = Math.floor(Date.now() / DAY) * DAY - days * DAY;
  const sizes: number[] = [];
  for (let day = 0; day < days; day++) {
    for (let time = first + day * DAY; time < first + (day + 1) * DAY; time += MINUTE) {
      await (kind === "monitors" ? check(db, count, time) : report(db, count, time));
      if ((time + MINUTE) % HOUR === 0)
        await (kind === "monitors" ? moveToBlocks(db, time + MINUTE) : moveSamplesToBlocks(db, time + MINUTE));
    }
    if (kind === "agents")
      while (
        await deleteExpiredSamples({ db, config, clock: { now: () => first + (day + 1) * DAY, sleep: Bun.sleep } })
      );
    await db.rows(sql`pragma wal_checkpoint(truncate)`);
    sizes.push(statSync(file).size);
  }
  await db.close();
  remove(dataDir);
  return sizes;
};

/**
 * Disk space of a monitor and an agent at one check or report a minute. Days are written as the hub writes
 * them, but faster. `--count` and `--days` change the number and duration.
 */
export const bench = async (args: string[]): Promise<object> => {
  const [count, days] = [option(args, "count", 50), option(args, "days", 4)];
  const [monitors, agents] = [await sizesOf("monitors", count, days), await sizesOf("agents", count, days)];
  const growth = (sizes: number[]) => sizes.slice(1).map((size, index) => (size - (sizes[index] ?? 0)) / count / 1000);
  const last = (sizes: number[]) => round(growth(sizes).at(-1) ?? 0);
  return {
    count,
    days,
    kilobytes_a_monitor_and_day: last(monitors),
    bytes_a_check: round((growth(monitors).at(-1) ?? 0) / 1.44, 0),
    kilobytes_an_agent_and_day: last(agents),
    bytes_a_sample: round((growth(agents).at(-1) ?? 0) / 1.44, 0),
    kilobytes_an_agent_by_day: agents.map((size) => round(size / count / 1000)),
  };
};
