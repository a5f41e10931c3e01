import { sql } from "drizzle-orm";
import { readConfig } from "../../src/config";
import { type Database, openDatabase } from "../../src/db/database";
import { checkDays, checkHours, checks, monitorStates, monitors, users } from "../../src/db/schema";
import { settleSetting } from "../../src/db/settings";
import { DAY, HOUR } from "../../src/shared/limits";
import { packRecent, RECENT_LENGTH } from "../../src/shared/recent";

export const SECRET = "a secret that only benchmarks use, made long enough";

type Seed = {
  monitors: number;
  interval: number;
  timeout?: number;
  urls: string[];
  historyDays?: number;
  sumDays?: number;
};

const insertMany = async (db: Database, table: Parameters<Database["insert"]>[0], rows: object[]) => {
  for (let start = 0; start < rows.length; start += 1000) {
    await db.atomically((tx) => [tx.insert(table).values(rows.slice(start, start + 1000) as never)]);
  }
};

/** An installation of one administrator whose monitors have been running for a while; gives nothing but the files. */
export const seed = async (
  dataDir: string,
  { historyDays = 0, sumDays = historyDays, timeout = 30, ...options }: Seed,
): Promise<void> => {
  const db = await openDatabase(readConfig({ DATA_DIR: dataDir }));
  await db.rows(sql`pragma synchronous = off`);
  await settleSetting(db, "jwt_secret", SECRET);
  const now = Date.now();
  const createdAt = now - sumDays * DAY - DAY;
  await db
    .insert(users)
    .values({ username: "alice", usernameKey: "alice", passwordHash: "none", role: "admin", createdAt });
  const ids = Array.from({ length: options.monitors }, (_, index) => index + 1);
  const url = (id: number) => options.urls[id % options.urls.length] as string;
  const fixed = {
    userId: 1,
    method: "GET",
    interval: options.interval,
    timeout,
    expectedStatus: 200,
    headers: {},
    body: "",
    retries: 0,
  };
  await insertMany(
    db,
    monitors,
    ids.map((id) => ({
      ...fixed,
      id,
      name: `Monitor ${id}`,
      url: url(id),
      active: true,
      createdAt,
      updatedAt: createdAt,
    })),
  );
  const length = options.interval * 1000;
  const recent = Array.from({ length: RECENT_LENGTH }, (_, index) =>
    packRecent({ at: now - (RECENT_LENGTH - index) * length, up: index !== 7 }),
  ).join("");
  await insertMany(
    db,
    monitorStates,
    ids.map((id) => {
      const phase = (id * 100) % length;
      const nextCheckAt = now - ((now - phase) % length) + length;
      return { monitorId: id, nextCheckAt, status: "up", responseTime: 12.3, lastCheckedAt: now - 30_000, recent };
    }),
  );
  for (
    let hour = Math.floor((now - historyDays * DAY) / HOUR);
    historyDays > 0 && hour < Math.floor(now / HOUR);
    hour++
  ) {
    const perHour = Math.max(1, Math.floor(HOUR / length));
    const rows = ids.flatMap((monitorId) =>
      Array.from({ length: perHour }, (_, index) => ({
        hour,
        monitorId,
        checkedAt: hour * HOUR + index * length,
        up: index !== 7,
        responseTime: 10 + (index % 9),
        statusCode: 200,
      })),
    );
    await insertMany(db, checks, rows);
  }
  const sums = (bucket: number, count: number) =>
    ids.map((monitorId) => ({
      bucket,
      monitorId,
      up: count - 1,
      down: 1,
      answered: count,
      totalTime: count * 12,
      minTime: 8,
      maxTime: 40,
    }));
  for (let bucket = Math.floor((now - sumDays * DAY) / HOUR); sumDays > 0 && bucket < Math.floor(now / HOUR); bucket++)
    await insertMany(db, checkHours, sums(bucket, 60));
  for (let bucket = Math.floor(now / DAY) - sumDays; bucket < Math.floor(now / DAY); bucket++)
    await insertMany(db, checkDays, sums(bucket, 1440));
  await db.close();
};
