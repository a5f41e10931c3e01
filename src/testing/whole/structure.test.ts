import { describe, expect, it } from "bun:test";
import { dirname, join } from "node:path";
import { findCycles, readSources, readStylesheets, type Source } from "../sources";

const all = readSources("src", "web");
const isTest = ({ path }: Source) =>
  /\.test\.tsx?$|^(src|web)\/testing\/|^web\/features\/\w+\/fixtures\.ts$/.test(path);
const product = all.filter((source) => !isTest(source));
const server = product.filter(({ path }) => path.startsWith("src/"));
const page = product.filter(({ path }) => path.startsWith("web/"));

/** Every import that `allowed` rejects, as `importer -> imported`. */
const violations = (sources: Source[], pick: "files" | "libraries", allowed: (from: string, to: string) => boolean) =>
  sources.flatMap((source) =>
    source[pick].filter((to) => !allowed(source.path, to)).map((to) => `${source.path} -> ${to}`),
  );

const matching = (sources: Source[], pattern: RegExp, except: string[] = []) =>
  sources.filter(({ path, text }) => !except.includes(path) && pattern.test(text)).map(({ path }) => path);

const within = (sources: Source[], pattern: RegExp) => sources.filter(({ path }) => pattern.test(path));

const moduleOf = (path: string) => /^src\/modules\/([^/]+)\//.exec(path)?.[1];
const modules = server.filter(({ path }) => moduleOf(path) !== undefined);

/** Imports that are allowed between modules, one entry for each pair, with the reason. Everything else is private to its module. */
const doors: { from: string; to: string; files: RegExp; reason: string }[] = [
  {
    from: "monitors",
    to: "alerting",
    files:
      /^(report|rules\/service|outages\/(service|availability|windows)|mutes\/(routes|service)|maintenance\/running|(dependencies|drill|effective)\/routes)$/,
    reason:
      "changes are reported with the result; deadlines move to the end of maintenance; a monitor is muted, depends on others, and has drills and alerts, by calls",
  },
  {
    from: "servers",
    to: "alerting",
    files:
      /^(report|outages\/(service|windows)|mutes\/(routes|service)|maintenance\/running|(dependencies|drill|effective)\/routes)$/,
    reason: "changes are reported with the state; a server is muted, depends on others, and has drills, by calls",
  },
  {
    from: "status-page",
    to: "monitors",
    files: /^(present|service|heartbeats\/lost-pings|history\/(checks|pack|uptime))$/,
    reason: "status, uptime, latest checks and unknown times of the monitors that a page shows",
  },
  { from: "status-page", to: "servers", files: /^(present|service)$/, reason: "figures of the servers on a page" },
  { from: "status-page", to: "alerting", files: /^(maintenance|messages|mutes|outages|channels)/, reason: "pages" },
  { from: "status-page", to: "accounts", files: /^(sessions\/service|sign-in\/pass.+|tickets)$/, reason: "access" },
  {
    from: "dashboard",
    to: "monitors",
    files: /^(list|present|compact|history\/uptime)$/,
    reason: "monitors, their counts and uptime",
  },
  { from: "dashboard", to: "servers", files: /^(service|present)$/, reason: "servers and their counts" },
  { from: "wall", to: "monitors", files: /^(list|well)$/, reason: "counts, and the names of what is well" },
  { from: "wall", to: "servers", files: /^(service|well)$/, reason: "counts, and the names of what is well" },
  { from: "wall", to: "alerting", files: /^outages\/problems$/, reason: "problems" },
  { from: "dashboard", to: "alerting", files: /^(outages\/problems|feed)$/, reason: "problems and the latest events" },
  {
    from: "reports",
    to: "monitors",
    files: /^(history\/(report-rows|sums|series\/(series|response-times))|objectives\/service)$/,
    reason: "the monitors of a report, their response times and objectives",
  },
  {
    from: "reports",
    to: "servers",
    files: /^(report-rows|plans\/months)$/,
    reason: "the servers of a report with their peaks, traffic and contracts",
  },
  {
    from: "reports",
    to: "alerting",
    files:
      /^(maintenance\/running|outages\/(availability|windows|longest|service|list\/csv)|reports|targets|history\/events|messages\/format|channels\/kinds\/mail\/html)$/,
    reason:
      "availability, outages and the form of exported files; scheduled reports are written and delivered like alerts",
  },
  {
    from: "transfer",
    to: "alerting",
    files: /^(mutes\/service|rules\/service|outages\/(imported|list\/csv))$/,
    reason: "imported monitors are muted at first, have rules and outages, and the form of exported files",
  },
  { from: "transfer", to: "servers", files: /^enrollment\/(enroll|tokens)$/, reason: "imported servers enroll later" },
  { from: "transfer", to: "monitors", files: /^history\/imported\/write$/, reason: "imported monitors bring history" },
  {
    from: "system",
    to: "accounts",
    files: /^(account\/(registration|service)|mail\/send)$/,
    reason: "whether registration is open, since when there are accounts, and mails that wait or test the server",
  },
  { from: "moving", to: "alerting", files: /^(moving|(channels|dependencies)\/service)$/, reason: "what moves along" },
  { from: "moving", to: "monitors", files: /^(change|service)$/, reason: "monitors that are moved" },
  { from: "moving", to: "servers", files: /^(enrollment\/enroll|service)$/, reason: "servers that are moved" },
  { from: "moving", to: "accounts", files: /^teams\/membership$/, reason: "the role of the mover in both teams" },
  { from: "alerting", to: "accounts", files: /^teams\/teams$/, reason: "an export names the teams that are followed" },
  { from: "accounts", to: "alerting", files: /^channels\/(send|kind|text)$/, reason: "mails of the hub itself" },
  { from: "system", to: "alerting", files: /^(channels\/refused|hub-events)$/, reason: "refused messages, backups" },
  { from: "system", to: "servers", files: /^agent-versions$/, reason: "agents of an old version" },
];

/** Open to every module: guards, client addresses, quotas, security events and changes, tags of targets, and the type of a part of an exported file. */
const open = /^(accounts\/(guard|security-log|client-address|(audit|quotas).+)|tags\/(model|service)|transfer\/part)$/;
const inModule = (path: string) => path.replace(/^src\/modules\//, "").replace(/\.tsx?$/, "");

describe("src", () => {
  it("keeps shared and lib free of imports from other folders", () => {
    expect(violations(within(server, /^src\/shared\//), "files", (_, to) => to.startsWith("src/shared/"))).toEqual([]);
    expect(violations(within(server, /^src\/shared\//), "libraries", () => false)).toEqual([]);
    expect(violations(within(server, /^src\/lib\//), "files", (_, to) => /^src\/(lib|shared)\//.test(to))).toEqual([]);
  });

  it("keeps core, db, cluster and history independent of the modules and the server", () => {
    const base = /^src\/(core|db|cluster|lib|shared|probe)\/|^src\/build-info\.ts$/;
    expect(violations(within(server, /^src\/(core|db|cluster)\//), "files", (_, to) => base.test(to))).toEqual([]);
    // Modules give their tables to history.
    const below = /^src\/(history|core|lib|shared)\/|^src\/db\/(?!schema)/;
    expect(violations(within(server, /^src\/history\//), "files", (_, to) => below.test(to))).toEqual([]);
  });

  it("keeps probe independent of the modules, and every outbound connection in it", () => {
    const sources = within(server, /^src\/probe\//);
    const allowed = (to: string) => /^src\/(probe|shared|lib)\/|^src\/(core\/log|build-info)\.ts$/.test(to);
    expect(violations(sources, "files", (_, to) => allowed(to))).toEqual([]);
    expect(violations(sources, "libraries", (_, to) => /^(node:|bun$|ipaddr\.js$|jsonpath-)/.test(to))).toEqual([]);
    // The healthcheck command calls its own process, the agent calls its hub, and updates fetch releases.
    const others = server.filter(({ path }) => !/^src\/(agent|commands|update)\//.test(path));
    const networking = /(?<![.\w])fetch\(|dns\/promises|from "node:https?"/;
    expect(matching(others, networking, ["src/probe/outbound.ts"])).toEqual([]);
  });

  it("keeps its modules apart except for the listed doors, each of which is in use", () => {
    const common =
      /^src\/(shared|lib|db|core|probe|cluster|history)\/|^src\/server\/(schema|answers|http-encoding|route-scopes)\.ts$|^src\/build-info\.ts$/;
    const door = (from: string, to: string) =>
      doors.find(
        (entry) =>
          entry.from === moduleOf(from) &&
          entry.to === moduleOf(to) &&
          entry.files.test(inModule(to).slice(entry.to.length + 1)),
      );
    const allowed = (from: string, to: string) =>
      moduleOf(to) === moduleOf(from) || common.test(to) || open.test(inModule(to)) || door(from, to) !== undefined;
    expect(violations(modules, "files", allowed)).toEqual([]);
    const used = new Set(modules.flatMap(({ path, files }) => files.map((to) => door(path, to))));
    expect(doors.filter((entry) => !used.has(entry))).toEqual([]);
  });

  it("has modules on top that read the others, and that no module imports", () => {
    const top =
      /^src\/modules\/(status-page|dashboard|reports|system|wall|moving|transfer\/(?!part\.)|metrics|live|docs)/;
    const allowed = (from: string, to: string) => moduleOf(from) === moduleOf(to) || !top.test(to);
    expect(violations(modules, "files", allowed)).toEqual([]);
  });

  it("hides in servers/ingest that reports wait in a journal", () => {
    const isJournal = (to: string) => to.startsWith("src/modules/servers/ingest/journal/");
    // They start and stop it, read its format, and move samples after it.
    const users = /^src\/(modules\/servers\/(ingest\/|history\/shape\.ts$)|server\/jobs\.ts$|commands\/)/;
    expect(violations(server, "files", (from, to) => !isJournal(to) || users.test(from))).toEqual([]);
  });

  it("uses Elysia in routes, guards, models and server/ only", () => {
    // downloads, light-agent: the routes of agents' programs, outside /api. Monitor kinds and parts of an exported file have schemas.
    const places =
      /\/(routes|guard|model|transfer)\.ts$|^src\/modules\/(servers\/install\/(downloads|light\/light-agent)|monitors\/kinds\/\w+)\.ts$|^src\/server\//;
    expect(violations(server, "libraries", (from, to) => !/^@?elysia/.test(to) || places.test(from))).toEqual([]);
  });

  it("uses SQL in db, cluster, history and the services of modules only", () => {
    const places = /^src\/(db|cluster|history)\/|^src\/modules\/.*\/(?!(routes|model|guard|present)\.ts)[^/]+$/;
    expect(violations(server, "libraries", (from, to) => !to.startsWith("drizzle-orm") || places.test(from))).toEqual(
      [],
    );
  });

  it("reads the environment in config only", () => {
    // main restarts the executable with a setting that Bun reads before any code runs.
    const sources = server.map((source) => ({
      ...source,
      text: source.text.replaceAll("readConfig(process.env)", ""),
    }));
    // Options of these programs may come from the environment, some pass it to commands, and the demo's hub and the reader of imports get another.
    const names = ["agent", "demo/command", "demo/hub", "import/import", "maintenance/maintenance", "run", "update"];
    const others = ["src/agent/platform/system.ts", "src/modules/transfer/reading/process.ts"];
    const programs = [...names.map((name) => `src/commands/${name}.ts`), ...others];
    const except = ["src/core/config.ts", "src/main.ts", ...programs];
    expect(matching(sources, /process\.env|Bun\.env|import\.meta\.env/, except)).toEqual([]);
  });

  it("reads the clock through deps, and sets timers in jobs only", () => {
    // The agent and `wakeful run` are programs of their own, without deps and jobs.
    const hub = server.filter(({ path }) => !/^src\/(agent\/|commands\/run\.ts$)/.test(path));
    expect(matching(hub, /Date\.now|Bun\.sleep/, ["src/lib/time.ts"])).toEqual([]);
    // Log lines carry the real time, also in tests with a fixed clock.
    expect(matching(hub, /new Date\(\)/, ["src/core/log.ts"])).toEqual([]);
    const timers = /setTimeout\(\w+,|setTimeout\(\(|setInterval|\bcron\(/;
    expect(matching(hub, timers, ["src/server/jobs.ts"])).toEqual([]);
  });

  it("imports of web only the public status page, which the hub renders, and the table of screens", () => {
    expect(
      violations(server, "files", (_, to) => !/^web\/(?!(lib\/navigation\/linked-)?screens\.ts$)/.test(to)),
    ).toEqual(["src/server/pages/status-page.ts -> web/pages/status/server-entry.tsx"]);
  });

  it("reads migrations at build time", () => {
    const [migrate] = within(server, /^src\/db\/migrate\.ts$/);
    expect(migrate?.text).toMatch(/from "\.\/migrations\.macro" with \{ type: "macro" \}/);
    expect(server.filter(({ files }) => files.includes("src/db/migrations.macro.ts")).length).toBeLessThanOrEqual(1);
  });
});

describe("src/agent", () => {
  it("imports shared, lib, probe and built-ins only", () => {
    const agent = server.filter(({ path }) => path.startsWith("src/agent/"));
    const own = (to: string) => /^src\/(agent|shared|lib|probe)\/|^src\/build-info\.ts$/.test(to);
    expect(violations(agent, "files", (_, to) => own(to))).toEqual([]);
    expect(violations(agent, "libraries", (_, to) => /^(node:|bun$|bun:)/.test(to))).toEqual([]);
  });
});

describe("web", () => {
  it("imports values of src/shared only, and types of the rest", () => {
    expect(violations(page, "files", (_, to) => to.startsWith("web/") || to.startsWith("src/shared/"))).toEqual([]);
  });

  it("imports in one direction: lib, then api and session, then ui, features, app", () => {
    const layers = [
      /^web\/(head|lib)\//,
      /^web\/(api|session|live|live-stream|bootstrap|paths|screens|i18n|locales\/.*)\.ts$|^web\/locales\//,
      /^web\/ui\//,
    ];
    const layer = (path: string) => {
      const found = layers.findIndex((pattern) => pattern.test(path));
      return found >= 0 ? found : path.startsWith("web/features/") ? 3 : 4;
    };
    const code = (path: string) => /\.tsx?$/.test(path) && path.startsWith("web/");
    expect(violations(page, "files", (from, to) => !code(to) || layer(to) <= layer(from))).toEqual([]);
  });

  it("keeps its features apart, except those that compose others", () => {
    const featureOf = (path: string) => /^web\/features\/([^/]+)\//.exec(path)?.[1];
    const composing = ["dashboard", "palette", "outages", "reports", "import"];
    // Components that appear wherever their targets do.
    const shared =
      /^web\/features\/(notifications\/(mute|drill|dependencies|thresholds|alerts-tab)|maintenance\/start|changes|problems|outages|tags|teams)\//;
    const features = page.filter(({ path }) => featureOf(path) !== undefined);
    const allowed = (from: string, to: string) =>
      featureOf(to) === undefined ||
      shared.test(to) ||
      featureOf(to) === featureOf(from) ||
      composing.includes(featureOf(from) ?? "");
    expect(violations(features, "files", allowed)).toEqual([]);
  });
});

describe("every file", () => {
  it("is free of import cycles", () => expect(findCycles(all)).toEqual([]));

  it("is imported by its own path: no barrels, no aliases", () => {
    expect(all.map(({ path }) => path).filter((path) => /\/index\.tsx?$/.test(path))).toEqual([]);
    expect(violations(all, "libraries", (_, to) => !/^[@~#]\/|^(src|web)\//.test(to))).toEqual([]);
    // The schema is read and migrated as a whole.
    expect(matching(product, /^export \* from/m, ["src/db/schema.ts"])).toEqual([]);
  });

  it("of the product imports no test code", () => {
    const isOfTests = (to: string) => /^(src|web)\/testing\/|\.test\.tsx?$/.test(to);
    expect(violations(product, "files", (_, to) => !isOfTests(to))).toEqual([]);
    expect(violations(product, "libraries", (_, to) => to !== "bun:test")).toEqual([]);
  });

  it("lies in a folder of at most 20 files", () => {
    // These may only become fewer.
    const limits: Record<string, number> = {
      "web/pages/status": 22,
    };
    const counts = new Map<string, number>();
    const root = join(import.meta.dir, "../../..");
    for (const folder of ["src", "web", "scripts"])
      for (const path of new Bun.Glob(`${folder}/**/*`).scanSync({ cwd: root }))
        if (!path.includes("node_modules")) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    const full = [...counts].filter(([folder, count]) => count > (limits[folder] ?? 20));
    expect(full.map(([folder, count]) => `${folder}: ${count}`)).toEqual([]);
  });

  it("has at most 300 lines", () => {
    const long = [...all, ...readStylesheets()].filter(({ lines }) => lines > 300);
    expect(long.map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
  });
});
