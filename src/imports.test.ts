import { describe, expect, it } from "bun:test";
import { findCycles, readSources, type Source } from "./testing/sources";

const all = readSources("src", "web");
const isTest = ({ path }: Source) => /\.test\.tsx?$|^src\/testing\/|^web\/lib\/test-/.test(path);
const product = all.filter((source) => !isTest(source));
const server = product.filter(({ path }) => path.startsWith("src/"));
const page = product.filter(({ path }) => path.startsWith("web/"));

/** `path -> what it imports` for everything of some files that a rule does not allow. */
const breaches = (sources: Source[], pick: "files" | "libraries", allowed: (from: string, to: string) => boolean) =>
  sources.flatMap((source) =>
    source[pick].filter((to) => !allowed(source.path, to)).map((to) => `${source.path} -> ${to}`),
  );

const mentions = (sources: Source[], pattern: RegExp, except: string[] = []) =>
  sources.filter(({ path, text }) => !except.includes(path) && pattern.test(text)).map(({ path }) => path);

const moduleOf = (path: string) => /^src\/modules\/([^/]+)\//.exec(path)?.[1];
const modules = server.filter(({ path }) => moduleOf(path) !== undefined);

describe("the server", () => {
  it("shares only what imports nothing", () => {
    const shared = server.filter(({ path }) => path.startsWith("src/shared/"));
    expect(breaches(shared, "files", (_, to) => to.startsWith("src/shared/"))).toEqual([]);
    expect(breaches(shared, "libraries", () => false)).toEqual([]);
  });

  it("stands on db, errors, config and deps, which know nothing of the modules", () => {
    const base = /^src\/(db\/|(errors|config|deps|clock|log|meters|version)\.ts)/;
    const sources = server.filter(({ path }) => base.test(path));
    expect(
      breaches(sources, "files", (_, to) => base.test(to) || /^src\/(shared|probe)\/|^package\.json$/.test(to)),
    ).toEqual([]);
  });

  it("connects to others through probe, which knows nothing of the modules", () => {
    const sources = server.filter(({ path }) => path.startsWith("src/probe/"));
    const allowed = (to: string) => /^src\/(probe\/|shared\/|(clock|log)\.ts$)/.test(to);
    expect(breaches(sources, "files", (_, to) => allowed(to))).toEqual([]);
    expect(breaches(sources, "libraries", (_, to) => /^(node:|bun$)/.test(to))).toEqual([]);
    // The command asks this process, and the agent asks its hub.
    const others = server.filter(({ path }) => !/^src\/(agent|commands)\//.test(path));
    expect(mentions(others, /(?<![.\w])fetch\(|dns\/promises|from "node:https?"/, ["src/probe/outbound.ts"])).toEqual(
      [],
    );
  });

  it("keeps its modules apart: only these doors are open between them", () => {
    const doors: Record<string, RegExp> = {
      // Which thresholds count, and how far a figure is into an alert, is judged where the report is stored.
      // Unknown keys are counted by address, as wrong passwords are.
      agents: /^src\/modules\/(notifications\/(events|levels|thresholds)|auth\/client-address)\.ts$/,
      monitors: /^src\/modules\/notifications\/events\.ts$/,
      "status-page": /^src\/modules\/(monitors\/(service|list|uptime)|agents\/service)\.ts$/,
      // Who deletes a user deletes what was theirs.
      users:
        /^src\/modules\/(auth\/(service|account-rules|sessions\/service|model|sign-in|client-address)|(monitors|agents)\/forget)\.ts$/,
      // What is imported is held to what its own module would take.
      transfer:
        /^src\/modules\/(monitors\/(model|engine|turns)|notifications\/(model|channel-config|setting-service|built-in|rules)|status-page\/(model|service))\.ts$/,
      metrics: /^src\/modules\/(agents\/service|monitors\/(list|uptime))\.ts$/,
      // It shows what the two others know.
      dashboard: /^src\/modules\/(agents\/service|monitors\/(list|connectivity))\.ts$/,
    };
    // wire: the pieces that several models are made of. quotas: one check for everything that is counted. embedded: where the executable's own files lie.
    const common =
      /^src\/(shared\/|db\/|probe\/|(errors|config|deps|version|wire|embedded|secrets|expiring-map)\.ts|modules\/(auth\/(guard|security-log)|quotas\/service)\.ts)/;
    const allowed = (from: string, to: string) =>
      moduleOf(to) === moduleOf(from) || common.test(to) || doors[moduleOf(from) ?? ""]?.test(to) === true;
    expect(breaches(modules, "files", allowed)).toEqual([]);
  });

  it("speaks HTTP in routes, guard, app and jobs only", () => {
    // downloads: the agent's routes outside /api.
    const places = /\/(routes|guard|model)\.ts$|^src\/modules\/agents\/downloads\.ts$|^src\/(app|jobs|wire)\.ts$/;
    expect(breaches(server, "libraries", (from, to) => !/^@?elysia/.test(to) || places.test(from))).toEqual([]);
  });

  it("speaks SQL in services and db only", () => {
    const places = /^src\/db\/|^src\/modules\/[^/]+\/(?!(routes|model|guard|present)\.ts)/;
    expect(breaches(server, "libraries", (from, to) => !to.startsWith("drizzle-orm") || places.test(from))).toEqual([]);
  });

  it("reads the environment in config only", () => {
    // The executable begins itself anew with a setting that Bun reads before any code runs.
    const handed = server.map((source) => ({ ...source, text: source.text.replaceAll("readConfig(process.env)", "") }));
    // The host agent is configured by options, each of which may come from the environment, and hands it to what it runs.
    const agent = ["src/commands/agent.ts", "src/agent/platform/command.ts"];
    const except = ["src/config.ts", "src/main.ts", ...agent];
    expect(mentions(handed, /process\.env|Bun\.env|import\.meta\.env/, except)).toEqual([]);
  });

  it("asks deps for the time, and sets timers in jobs only", () => {
    // The host agent is a program of its own, without deps and jobs.
    const console = server.filter(({ path }) => !path.startsWith("src/agent/"));
    expect(mentions(console, /Date\.now|Bun\.sleep/, ["src/clock.ts"])).toEqual([]);
    // A line of the log is stamped when it is written, whatever time the rest of the product is told.
    expect(mentions(console, /new Date\(\)/, ["src/log.ts"])).toEqual([]);
    expect(mentions(console, /setTimeout\(\w+,|setTimeout\(\(|setInterval|\bcron\(/, ["src/jobs.ts"])).toEqual([]);
  });

  it("reads migrations when it is built", () => {
    const [migrate] = server.filter(({ path }) => path === "src/db/migrate.ts");
    expect(migrate?.text).toMatch(/from "\.\/migrations\.macro" with \{ type: "macro" \}/);
    expect(server.filter(({ files }) => files.includes("src/db/migrations.macro.ts")).length).toBeLessThanOrEqual(1);
  });
});

describe("the host agent", () => {
  it("knows what is shared and nothing else of the server", () => {
    const agent = server.filter(({ path }) => path.startsWith("src/agent/"));
    const own = (to: string) => /^src\/(agent|shared)\/|^src\/version\.ts$/.test(to);
    expect(breaches(agent, "files", (_, to) => own(to))).toEqual([]);
    expect(breaches(agent, "libraries", (_, to) => /^(node:|bun$|bun:)/.test(to))).toEqual([]);
  });
});

describe("the page", () => {
  it("shares values with the server, and types", () => {
    expect(breaches(page, "files", (_, to) => to.startsWith("web/") || to.startsWith("src/shared/"))).toEqual([]);
  });

  it("is laid in courses: lib, then the page's own api and session, then ui, features, app", () => {
    const courses = [
      /^web\/lib\//,
      /^web\/(api|session|settings|paths|i18n|locales\/.*)\.ts$|^web\/locales\//,
      /^web\/ui\//,
    ];
    const course = (path: string) => {
      const found = courses.findIndex((pattern) => pattern.test(path));
      return found >= 0 ? found : path.startsWith("web/features/") ? 3 : 4;
    };
    const code = (path: string) => /\.tsx?$/.test(path) && path.startsWith("web/");
    expect(breaches(page, "files", (from, to) => !code(to) || course(to) <= course(from))).toEqual([]);
  });

  it("keeps its features apart, but for those that show cards of others", () => {
    const featureOf = (path: string) => /^web\/features\/([^/]+)\//.exec(path)?.[1];
    const composing = ["dashboard", "status-page"];
    const features = page.filter(({ path }) => featureOf(path) !== undefined);
    const allowed = (from: string, to: string) =>
      featureOf(to) === undefined || featureOf(to) === featureOf(from) || composing.includes(featureOf(from) ?? "");
    expect(breaches(features, "files", allowed)).toEqual([]);
  });
});

describe("every file", () => {
  it("is imported by nobody whom it imports itself", () => expect(findCycles(all)).toEqual([]));

  it("is imported by its own path: no barrels, no aliases", () => {
    expect(all.map(({ path }) => path).filter((path) => /\/index\.tsx?$/.test(path))).toEqual([]);
    expect(breaches(all, "libraries", (_, to) => !/^[@~#]\/|^(src|web)\//.test(to))).toEqual([]);
    expect(mentions(product, /^export \* from/m)).toEqual([]);
  });

  it("of the product knows nothing of tests", () => {
    const isOfTests = (to: string) => /^src\/testing\/|\.test\.tsx?$/.test(to);
    expect(breaches(product, "files", (_, to) => !isOfTests(to))).toEqual([]);
    expect(breaches(product, "libraries", (_, to) => to !== "bun:test")).toEqual([]);
  });

  it("is short enough to be read at once", () => {
    // The schema is one file, so that all that is stored can be read in one place.
    const long = all.filter(({ path, lines }) => lines > (path === "src/db/schema.ts" ? 600 : 300));
    expect(long.map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
  });
});
