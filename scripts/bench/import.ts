import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/shared/limits";
import { callsOf, option, signIn } from "./lib/client";
import { latenessOf, numbers, seed } from "./lib/seed";
import { measureUsage, residentMemory, round, startTargets, summarize, withFile, withHub } from "./lib/server";
import { queryOf, readStoredChecks } from "./lib/stored-checks";

type Kuma = { version: number; monitors: number; days: number };

/** Monitors of the hub that are checked during the import, and their interval in seconds. */
const OTHERS = { monitors: 300, interval: 30 };

const TIME = (at: string) => `strftime('%Y-%m-%d %H:%M:%f', (${at}) / 1000.0, 'unixepoch')`;

/** Sums that 2.x stores of hours or days. */
const sums = (table: string, { monitors, buckets, length }: { monitors: number; buckets: number; length: number }) => {
  const latest = Math.floor(Date.now() / length);
  return [
    `create table ${table} (id integer primary key, monitor_id integer, timestamp integer, ping float, up smallint,
      down smallint, ping_min float, ping_max float, extras text)`,
    `with recursive b(n) as (select ${latest - buckets} union all select n + 1 from b where n + 1 < ${latest}),
      m(n) as (select 1 union all select n + 1 from m where n < ${monitors})
      insert into ${table} (monitor_id, timestamp, ping, up, down, ping_min, ping_max)
      select m.n, b.n * ${length / SECOND}, 20.5, ${length / MINUTE} - b.n % 7, b.n % 7, 8, 90.25 from b cross join m`,
  ];
};

/** Checks once a minute of the last `days`. Every thousandth begins an outage of ten minutes. */
const beats = (monitors: number, days: number): string => {
  const from = Math.floor(Date.now() / MINUTE) * MINUTE - days * DAY;
  return `with recursive b(n) as (select 0 union all select n + 1 from b where n + 1 < ${(days * DAY) / MINUTE}),
    m(n) as (select 1 union all select n + 1 from m where n < ${monitors})
    insert into heartbeat (monitor_id, important, status, time, ping, msg)
    select m.n, b.n % 1000 in (0, 10), b.n % 1000 >= 10, ${TIME(`${from} + b.n * ${MINUTE} + m.n * 100`)},
      iif(b.n % 1000 >= 10, 10 + b.n % 40, null), '200 - OK' from b cross join m`;
};

/** Writes the database of an Uptime Kuma with 30 channels and a history. Version 2 has sums and the checks of a day. */
const writeKuma = (file: string, { version, monitors, days }: Kuma): void => {
  const database = new Database(file, { create: true });
  const run = (...statements: string[]) => {
    for (const statement of statements) database.run(statement);
  };
  run(
    "pragma journal_mode = off",
    "pragma synchronous = off",
    "create table monitor (id integer primary key, name text, active boolean, interval integer, url text, type text, upside_down boolean)",
    "create table notification (id integer primary key, name text, active boolean, config text)",
    "create table monitor_notification (id integer primary key, monitor_id integer, notification_id integer)",
    "create table setting (id integer primary key, key text, value text)",
    `create table heartbeat (id integer primary key, monitor_id integer, important boolean, status smallint, time datetime, ping integer, msg text)`,
    `insert into setting (key, value) values ('jwtSecret', 'a secret'), ('database_version', '10')`,
    `with recursive ${numbers("m", 1, monitors + 1)
      .queryChunks.map((chunk) => (chunk as { value: string[] }).value.join(""))
      .join("")}
      insert into monitor select n, 'Imported ' || n, 0, 60, 'http://127.0.0.1:9/' || n, 'http', 0 from m`,
    `insert into notification select value, 'Channel ' || value, 1, json_object('type', 'discord', 'discordWebhookUrl',
      'https://discord.com/api/webhooks/' || value || '/a') from (select key + 1 as value from json_each('[${Array(30).fill(0)}]'))`,
    "insert into monitor_notification (monitor_id, notification_id) select id, 1 + id % 30 from monitor",
    beats(monitors, version === 2 ? 1 : days),
  );
  if (version === 2)
    run(
      "create table knex_migrations (id integer primary key, name text)",
      ...sums("stat_daily", { monitors, buckets: days, length: DAY }),
      ...sums("stat_hourly", { monitors, buckets: 30 * 24, length: HOUR }),
    );
  database.close();
};

/** CPU seconds of the processes that a process has started and that have ended. */
const childrenCpu = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(stat[13]) + Number(stat[14])) / 100;
};

/** The memory of a process in MB without the pages of its program, which it shares with the hub. */
const ownMemory = (pid: number): number => {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
};

/** Measures CPU time and memory of the hub and of the processes that it starts; `before` is the memory that it had. */
const measureStep = async <T>(
  { pid, before }: { pid: number; before: number },
  name: string,
  work: () => Promise<T>,
) => {
  const children = childrenCpu(pid);
  let [most, ofChildren] = [before, 0];
  const watch = setInterval(() => {
    most = Math.max(most, residentMemory(pid));
    const started = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
    for (const child of started)
      try {
        ofChildren = Math.max(ofChildren, ownMemory(Number(child)));
      } catch {
        // It has ended.
      }
  }, 50);
  const { result, elapsed, cpu } = await measureUsage(pid, work);
  clearInterval(watch);
  const figures = {
    [`${name}_s`]: round(elapsed),
    [`${name}_cpu_s`]: round(cpu),
    [`${name}_reader_cpu_s`]: round(childrenCpu(pid) - children),
    [`${name}_memory_added_mb`]: round(most - before, 0),
    [`${name}_reader_memory_mb`]: round(ofChildren, 0),
  };
  return { result, figures };
};

type Report = { id: string; counts: Record<string, number>; history: { days: number; outages: number } };

/**
 * The preview and the import of Uptime Kuma's database with `--monitors` (500) and `--days` (365) of sums, or of every check
 * with `--version 1`, while the hub checks 300 others.
 */
export const bench = async (args: string[]): Promise<object> => {
  const kuma = {
    version: option(args, "version", 2),
    monitors: option(args, "monitors", 500),
    days: option(args, "days", 365),
  };
  const targets = await startTargets(4);
  const result = await withHub(
    async (dataDir) => {
      await seed(dataDir, { ...OTHERS, urls: targets.urls });
      writeKuma(join(dataDir, "kuma.db"), kuma);
    },
    async ({ pid, url, dataDir }) => {
      const token = await signIn(url);
      const form = new FormData();
      form.set("file", Bun.file(join(dataDir, "kuma.db")), "kuma.db");
      await Bun.sleep((OTHERS.interval + 5) * SECOND);
      const hub = { pid, before: residentMemory(pid) };
      const from = Date.now();
      const preview = await measureStep(hub, "preview", async () => {
        const response = await fetch(`${url}/api/import/preview`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}` },
          body: form,
        });
        return (await response.json()) as Report;
      });
      const apply = await measureStep(hub, "apply", () =>
        callsOf(url, token)<Report>("POST", `/import/preview/${preview.result.id}/apply`, {}),
      );
      const until = Date.now();
      await Bun.sleep(1500);
      const rows = await withFile(dataDir, (db) => readStoredChecks(queryOf(db), { from, until }));
      const lateness = latenessOf(OTHERS.interval);
      const late = rows.filter(({ monitorId }) => monitorId <= OTHERS.monitors);
      return {
        ...{ ...kuma, file_mb: round(Bun.file(join(dataDir, "kuma.db")).size / 1024 ** 2, 0) },
        ...{ ...apply.result.counts, ...apply.result.history },
        ...{ ...preview.figures, ...apply.figures, checks: late.length },
        ...summarize(
          "late_",
          late.map(({ monitorId, checkedAt }) => lateness(monitorId, checkedAt)),
        ),
      };
    },
  );
  targets.stop();
  return result;
};
