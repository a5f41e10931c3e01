import { join } from "node:path";
import { callsOf, option, signIn } from "./lib/client";
import type { Load } from "./lib/load";
import { seed } from "./lib/seed";
import { measureUsage, remove, residentMemory, round, startServer, temporaryDirectory, withFile } from "./lib/server";

const [COMPONENTS, PAGES, SPELLINGS] = [50, 500, 2400];
/** Milliseconds until the hub has freed what it does not need any more. */
const SETTLES = 30_000;
const CODINGS = "gzip, deflate, br";

/** Requests one path from a process of its own, and measures the time of the hub's processor for an answer. */
const measure = async (pid: number, load: Load) => {
  const { result, cpu } = await measureUsage(pid, async () => {
    const child = Bun.spawn(["bun", join(import.meta.dir, "lib/load.ts"), JSON.stringify(load)], { stdout: "pipe" });
    return JSON.parse(await new Response(child.stdout).text()) as { requests_per_second: number };
  });
  const microseconds = (cpu / (result.requests_per_second * load.seconds)) * 1e6;
  return {
    ...result,
    cpu_microseconds_each: round(microseconds, 1),
    possible_per_core: Math.round(1e6 / microseconds),
  };
};

/** Stores copies of the first page with its components. */
const addPages = (dataDir: string) =>
  withFile(
    dataDir,
    (db) => {
      db.run("pragma busy_timeout = 5000");
      const columnsOf = (table: string) =>
        (db.query(`select name from pragma_table_info('${table}')`).all() as { name: string }[])
          .map(({ name }) => name)
          .filter((name) => name !== "id");
      const copy = (table: string, changes: Record<string, string>, condition: string) => {
        const columns = columnsOf(table);
        const values = columns.map((name) => changes[name] ?? name).join(", ");
        db.run(`insert into ${table} (${columns.join(", ")}) select ${values} from ${table} where ${condition}`);
      };
      for (let page = 2; page <= PAGES; page++) {
        copy("status_pages", { slug: `'page-${page}'`, key: `'page${page}'` }, "id = 1");
        copy("page_components", { page_id: `${page}`, key: `'c${page}-' || id` }, "page_id = 1");
      }
    },
    { write: true },
  );

/** Other spellings of a slug: each letter is written small or as a capital. */
const spellingsOf = (slug: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    [...slug].map((letter, place) => (index & (1 << place) ? letter.toUpperCase() : letter)).join(""),
  );

/**
 * Answers of a status page with 50 components and 90 days, and of its Statuspage JSON, by a hub without other work; then its
 * memory while visitors request 500 pages, and one page by 2,400 spellings of its address. `--connections` and `--seconds` (of
 * each load) change the loads.
 */
export const bench = async (args: string[]): Promise<object> => {
  const [connections, seconds] = [option(args, "connections", 32), option(args, "seconds", 10)];
  const dataDir = temporaryDirectory();
  await seed(dataDir, { monitors: COMPONENTS, interval: 3600, urls: ["http://127.0.0.1:9/"], sumDays: 90 });
  const server = await startServer(dataDir);
  try {
    const components = Array.from({ length: COMPONENTS }, (_, index) => ({
      ...{ name: `Component ${index + 1}`, group: `Group ${1 + (index % 5)}`, monitors: [index + 1] },
    }));
    const slug = "benchmark-of-pages";
    await callsOf(server.url, await signIn(server.url))("POST", "/pages", { slug, title: "Benchmark", components });
    const base = `/status/${slug}`;
    const summary = `${base}/api/v2/summary.json`;
    const headers = { "accept-encoding": CODINGS };
    const load = (path: string, more = {}) =>
      measure(server.pid, { url: server.url + path, connections, seconds, headers: { ...headers, ...more } });
    const etagOf = async (path: string) => (await fetch(server.url + path)).headers.get("etag") ?? "";
    // The first answers are compiled and rendered.
    for (let count = 0; count < 500; count++)
      for (const path of [base, summary]) await fetch(server.url + path, { headers });
    const loads = {
      page: await load(base),
      page_not_modified: await load(base, { "if-none-match": await etagOf(base) }),
      summary: await load(summary),
      summary_not_modified: await load(summary, { "if-none-match": await etagOf(summary) }),
    };
    await addPages(dataDir);
    const before = residentMemory(server.pid);
    const request = async (path: string) => {
      const response = await fetch(server.url + path, { headers, redirect: "manual" });
      await response.arrayBuffer();
      return response.status;
    };
    const statuses: Record<string, number> = {};
    const requestAll = async (paths: readonly string[]) => {
      for (const path of paths) {
        const status = await request(path);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
      return round(residentMemory(server.pid) - before, 1);
    };
    const slugs = [slug, ...Array.from({ length: PAGES - 1 }, (_, index) => `page-${index + 2}`)];
    const ofPages = await requestAll(slugs.flatMap((one) => [`/status/${one}`, `/status/${one}/api/v2/summary.json`]));
    const ofSpellings = await requestAll(
      spellingsOf(slug, SPELLINGS).flatMap((one) => [`/status/${one}`, `/status/${one}/api/v2/summary.json`]),
    );
    await Bun.sleep(SETTLES);
    return {
      ...{ components: COMPONENTS, connections, ...loads },
      memory_mb: round(before, 0),
      [`growth_mb_of_${PAGES}_pages`]: ofPages,
      [`growth_mb_with_${SPELLINGS}_spellings`]: ofSpellings,
      growth_mb_afterwards: round(residentMemory(server.pid) - before, 1),
      statuses,
    };
  } finally {
    await server.stop();
    remove(dataDir);
  }
};
