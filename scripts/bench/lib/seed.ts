import { type SQL, sql } from "drizzle-orm";
import { readConfig } from "../../../src/core/config";
import { getOrCreateSetting } from "../../../src/db/app-settings";
import type { Database as HubDatabase } from "../../../src/db/database";
import { openDatabase } from "../../../src/db/open";
import { encodeHistogram } from "../../../src/history/histogram";
import { insertUser } from "../../../src/modules/accounts/account/service";
import { nextTime } from "../../../src/modules/monitors/engine/claims/due-times";
import { checkBlock } from "../../../src/modules/monitors/history/block";
import { checkPack, type StoredCheck } from "../../../src/modules/monitors/history/pack";
import { sumOf } from "../../../src/modules/monitors/history/sums";
import { DAY, HOUR } from "../../../src/shared/limits";

export const PASSWORD = "a benchmark's password";

/** Milliseconds between the first checks of seeded monitors with consecutive ids. */
export const SPREAD = 100;

/** Lateness in milliseconds of a request of a monitor with this interval in seconds. */
export const latenessOf =
  (seconds: number) =>
  (id: number, at: number): number => {
    const interval = seconds * 1000;
    let due = nextTime({ id, interval }, at - 2 * interval);
    for (let next = due; next <= at; next = nextTime({ id, interval }, next)) due = next;
    return at - due;
  };

type Seed = {
  monitors: number;
  /** Seconds. */
  interval: number;
  urls: string[];
  /** Days with every check. */
  historyDays?: number;
  /** Days with hourly and daily sums. */
  sumDays?: number;
};

/** Stores alice and the secret of her sessions, unless she is there already. */
export const seedAdministrator = async (db: HubDatabase, createdAt: number): Promise<void> => {
  const passwordHash = await Bun.password.hash(PASSWORD);
  const alice = { username: "alice", usernameKey: "alice", passwordHash, role: "admin" as const, createdAt };
  await db.transact((tx) => insertUser(tx, alice));
  await getOrCreateSetting(db, "jwt_secret", "a secret that only benchmarks use");
};

/** The whole numbers from the first up to, but not including, the last. */
export const numbers = (name: string, first: number, last: number): SQL =>
  sql.raw(`${name}(n) as (select ${first} union all select n + 1 from ${name} where n + 1 < ${last})`);

/** The checks of a healthy monitor from a time on, for an hour at most. One in 60 is down. */
const checksOf = (from: number, until: number, interval: number): StoredCheck[] => {
  const checks: StoredCheck[] = [];
  for (let at = from; at < until; at += interval) {
    const slot = (at - from) / interval;
    const up = slot % 60 !== 7;
    checks.push({ checkedAt: at + (slot % 7), up, responseTime: 10 + (slot % 9), statusCode: 200, error: null });
  }
  return checks;
};

/** A data directory with one administrator's monitors and their history. */
export const seed = async (
  dataDir: string,
  { historyDays = 0, sumDays = historyDays, ...options }: Seed,
): Promise<void> => {
  const db = await openDatabase(readConfig({ DATA_DIR: dataDir }));
  const run = (...statements: SQL[]) => db.atomically(() => statements);
  const [now, length] = [Date.now(), options.interval * 1000];
  const createdAt = now - (sumDays + 1) * DAY;
  await seedAdministrator(db, createdAt);
  const ids = numbers("ids", 1, options.monitors + 1);
  const hour = Math.floor(now / HOUR);
  const running = checksOf(now - (now % HOUR), now - length, length);
  const pack = running.length > 0 ? Buffer.from(checkPack.encode(running)) : null;
  const tail = Buffer.from(checkPack.encode(checksOf(now - (now % HOUR) - 40 * length, now - (now % HOUR), length)));
  await run(
    sql`with recursive ${ids}
      insert into monitors (id, user_id, team_id, name, name_key, kind, target, config, payload, interval, timeout, retries, active, created_at, updated_at)
      select n, 1, 1, 'Monitor ' || n, 'monitor ' || length(n) || n, 'http', ${JSON.stringify(options.urls)} ->> (n % ${options.urls.length}),
        json_object('url', ${JSON.stringify(options.urls)} ->> (n % ${options.urls.length}), 'method', 'GET', 'expected_status', 200),
        '{"headers":{},"body":""}', ${options.interval}, 30, 0, 1, ${createdAt}, ${createdAt} from ids`,
    sql`with recursive ${ids}
      insert into monitor_states (monitor_id, next_check_at, revision, status, response_time, last_checked_at, first_checked_at, pack_hour, pack)
      select n, ${now} - (${now} - n * ${SPREAD} % ${length}) % ${length} + ${length}, 0, 'up', 12.3, ${running.at(-1)?.checkedAt ?? now - 30_000}, ${createdAt}, ${pack && hour}, ${pack} from ids`,
    sql`with recursive ${ids} insert into recent_checks (monitor_id, checks) select n, ${tail} from ids where ${sumDays > 0}`,
  );
  const hours = (days: number) => numbers("buckets", Math.floor((now - days * DAY) / HOUR), Math.floor(now / HOUR));
  const days = numbers("buckets", Math.floor(now / DAY) - sumDays, Math.floor(now / DAY));
  if (historyDays > 0) {
    const block = Buffer.from(checkBlock.encode(0, checksOf(0, HOUR, length)));
    await run(sql`with recursive ${ids}, ${hours(historyDays)}
      insert into check_blocks (hour, monitor_id, data) select b.n, i.n, ${block} from buckets as b cross join ids as i`);
  }
  const histogram = Buffer.from(encodeHistogram(sumOf(checksOf(0, HOUR, length)).histogram));
  const sums = (
    table: "check_hours" | "check_days",
    buckets: SQL,
    count: number,
  ) => sql`with recursive ${ids}, ${buckets}
    insert into ${sql.raw(table)} (bucket, monitor_id, up, down, answered, total_time, min_time, max_time, histogram)
    select b.n, i.n, ${count} - 1, 1, ${count}, ${count} * 12.5, 8, 40, ${histogram} from buckets as b cross join ids as i`;
  if (sumDays > 0) await run(sums("check_hours", hours(sumDays), 60), sums("check_days", days, 1440));
  await db.close();
};
