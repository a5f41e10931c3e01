import { type SQL, sql } from "drizzle-orm";
import { readConfig } from "../../../src/core/config";
import { getOrCreateSetting } from "../../../src/db/app-settings";
import { openDatabase } from "../../../src/db/database";
import { users } from "../../../src/db/schema";
import { DAY, HOUR } from "../../../src/shared/limits";
import { packRecent, RECENT_LENGTH } from "../../../src/shared/monitor";

export const PASSWORD = "a benchmark's password";

type Seed = {
  monitors: number;
  /** Seconds. */
  interval: number;
  timeout?: number;
  urls: string[];
  /** Days for which every check is stored. */
  historyDays?: number;
  /** Days for which hourly and daily sums are stored. */
  sumDays?: number;
};

/** The whole numbers from the first up to, but not including, the last. */
export const numbers = (name: string, first: number, last: number): SQL =>
  sql.raw(`${name}(n) as (select ${first} union all select n + 1 from ${name} where n + 1 < ${last})`);

/** A data directory with one administrator's monitors and their history. */
export const seed = async (
  dataDir: string,
  { historyDays = 0, sumDays = historyDays, ...options }: Seed,
): Promise<void> => {
  const db = await openDatabase(readConfig({ DATA_DIR: dataDir }));
  const run = (...statements: SQL[]) => db.atomically(() => statements);
  const [now, length] = [Date.now(), options.interval * 1000];
  const createdAt = now - (sumDays + 1) * DAY;
  const passwordHash = await Bun.password.hash(PASSWORD);
  await db.insert(users).values({ username: "alice", usernameKey: "alice", passwordHash, role: "admin", createdAt });
  await getOrCreateSetting(db, "jwt_secret", "a secret that only benchmarks use");
  const ids = numbers("ids", 1, options.monitors + 1);
  const recent = Array.from({ length: RECENT_LENGTH }, (_, index) =>
    packRecent({ at: now - (RECENT_LENGTH - index) * length, up: index !== 7 }),
  ).join("");
  await run(
    sql`with recursive ${ids}
      insert into monitors (id, user_id, name, kind, target, config, payload, interval, timeout, retries, active, created_at, updated_at)
      select n, 1, 'Monitor ' || n, 'http', ${JSON.stringify(options.urls)} ->> (n % ${options.urls.length}),
        json_object('url', ${JSON.stringify(options.urls)} ->> (n % ${options.urls.length}), 'method', 'GET', 'expected_status', 200),
        '{"headers":{},"body":""}', ${options.interval}, ${options.timeout ?? 30}, 0, 1, ${createdAt}, ${createdAt} from ids`,
    sql`with recursive ${ids}
      insert into monitor_states (monitor_id, next_check_at, revision, status, response_time, last_checked_at, recent)
      select n, ${now} - (${now} - n * 100 % ${length}) % ${length} + ${length}, 0, 'up', 12.3, ${now - 30_000}, ${recent} from ids`,
  );
  const hours = (days: number) => numbers("buckets", Math.floor((now - days * DAY) / HOUR), Math.floor(now / HOUR));
  const days = numbers("buckets", Math.floor(now / DAY) - sumDays, Math.floor(now / DAY));
  if (historyDays > 0) {
    await run(sql`with recursive ${ids}, ${hours(historyDays)}, ${numbers("slots", 0, Math.max(1, HOUR / length))}
      insert into checks (hour, monitor_id, checked_at, up, response_time, status_code)
      select b.n, i.n, b.n * ${HOUR} + s.n * ${length} + i.n % ${length}, s.n % 60 <> 7, 10 + (s.n + i.n) % 9, 200
      from buckets as b cross join ids as i cross join slots as s`);
  }
  const sums = (
    table: "check_hours" | "check_days",
    buckets: SQL,
    count: number,
  ) => sql`with recursive ${ids}, ${buckets}
    insert into ${sql.raw(table)} (bucket, monitor_id, up, down, answered, total_time, min_time, max_time)
    select b.n, i.n, ${count} - 1, 1, ${count}, ${count} * 12.5, 8, 40 from buckets as b cross join ids as i`;
  if (sumDays > 0) await run(sums("check_hours", hours(sumDays), 60), sums("check_days", days, 1440));
  await db.close();
};
