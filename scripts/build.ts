/**
 * Builds the page and the executable: `bun run build`, or for another platform `bun run build --target bun-linux-arm64
 * --outfile dist/name`.
 */
import { cpSync, readdirSync, rmSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { $, type BunPlugin } from "bun";
import { dropOutdatedRules, type Page, prunePico } from "./lib/prune-css";

const { values } = parseArgs({
  options: {
    target: { type: "string" },
    outfile: { type: "string", default: "dist/wakeful" },
    /** The public key that verifies updates of the agent, as scripts/release.ts prints it. */
    "release-key": { type: "string", default: "" },
    /** Replaces the version of package.json in tests of updates. */
    "release-version": { type: "string", default: "" },
    /** Only the page. */
    page: { type: "boolean" },
    /** Only the executable, with the page that was built before. */
    executable: { type: "boolean" },
  },
});

/**
 * Keeps react-i18next from importing i18next, so that a page with a translator of its own does not load it. It takes only
 * a function for key prefixes from it, which no page uses.
 */
const withoutI18next: BunPlugin = {
  name: "react-i18next without i18next",
  setup: (build) => {
    build.onResolve({ filter: /^i18next$/ }, ({ importer }) =>
      importer.includes("/react-i18next/") ? { path: "i18next", namespace: "without" } : undefined,
    );
    build.onLoad({ filter: /./, namespace: "without" }, () => ({
      contents: "export const keyFromSelector = (key) => key;",
    }));
  },
};

/** The page for each stylesheet that imports Pico. */
const pages: Record<string, Page> = {
  "web/styles/main.css": {
    components: ["web/main.tsx"],
    styles: ["web/styles", ...readdirSync("web/features").map((name) => `web/features/${name}`)],
    hasDarkTheme: true,
  },
  "web/pages/docs/docs.css": {
    components: ["web/pages/docs/main.tsx"],
    styles: ["web/styles", "web/pages/docs"],
    hasDarkTheme: true,
  },
  "web/pages/status/status.css": {
    components: ["web/pages/status/main.tsx"],
    // The dialog is loaded when a visitor opens it.
    except: ["web/pages/status/subscribe/load.ts"],
    styles: ["web/styles", "web/pages/status"],
    hasDarkTheme: false,
  },
};

/** Prunes Pico to the rules that each page needs. */
const prunedPico: BunPlugin = {
  name: "pruned Pico",
  setup: (build) => {
    const file = Bun.resolveSync("@picocss/pico/css/pico.classless.min.css", import.meta.dir);
    build.onResolve({ filter: /pico\.classless\.min\.css$/ }, ({ importer }) => ({
      path: relative(".", importer),
      namespace: "pico",
    }));
    build.onLoad({ filter: /./, namespace: "pico" }, async ({ path }) => ({
      contents: prunePico(await Bun.file(file).text(), pages[path] as Page),
      loader: "css",
    }));
  },
};

/** The bundled stylesheet of the screens, which scripts import by its address. */
const bundledStyles = async (): Promise<BunPlugin> => {
  const { outputs } = await Bun.build({ entrypoints: ["web/styles/screens.css"], minify: true });
  const contents = await (outputs[0] as Bun.BuildArtifact).text();
  return {
    name: "bundled styles",
    setup: (build) => {
      build.onLoad({ filter: /\/styles\/screens\.css$/ }, () => ({ contents, loader: "file" }));
    },
  };
};

/** Scripts of the document's head, which are not part of a bundle. */
const UNBUNDLED = ["theme.js", "first-requests.js"];
/** The files of the form that asks visitors of a private status page for its password. */
const PAGE_ACCESS = ["page-access.js", "page-access.css"];

/** Builds the documents in `entrypoints`, with the chunks that they share. Without `outdir`, nothing is written. */
const buildDocuments = (entrypoints: string[], outdir?: string, plugins: BunPlugin[] = []) =>
  Bun.build({
    entrypoints,
    ...(outdir && { outdir }),
    minify: true,
    splitting: true,
    metafile: true,
    minChunkSize: 8_192,
    // theme.js stays a file of its own: it blocks the first paint, so that no visitor sees a flash of the other theme.
    // The manifest and the icons are named by address.
    external: ["./web/theme.js", "./web/manifest.webmanifest", "./web/icon-180.png"],
    naming: { chunk: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [withoutI18next, prunedPico, ...plugins],
  });

type Outputs = Record<
  string,
  { entryPoint?: string; imports: { path: string; kind: string }[]; inputs: Record<string, unknown> }
>;

/** Finds the files of the console by the source files that import them. */
const readFiles = ({ metafile }: Bun.BuildOutput) => {
  const outputs = (metafile as unknown as { outputs: Outputs }).outputs;
  const closure = (path: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(path)) return seen;
    seen.add(path);
    for (const { path: next, kind } of outputs[path]?.imports ?? [])
      if (kind === "import-statement") closure(next, seen);
    return seen;
  };
  const outputOf = (source: string): string => {
    const [found] =
      Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.replace(/\.tsx?$/, "") === source) ?? [];
    if (!found) throw new Error(`${source} is not in the page`);
    return found;
  };
  const [document = ""] =
    Object.entries(outputs).find(([path, { entryPoint }]) => entryPoint === "web/index.html" && /\.js$/.test(path)) ??
    [];
  const main = closure(document);
  return {
    /** The files that a module needs and the main script does not. */
    of: (source: string) => [...closure(outputOf(source))].filter((path) => !main.has(path)),
    modulesIn: (path: string) => Object.keys(outputs[path]?.inputs ?? {}),
  };
};

/** The modules of each screen: its page, the list beside it, and the chart that it begins with. */
const readScreens = async (): Promise<Record<string, string[]>> => {
  const app = await Bun.file("web/app.tsx").text();
  // The tables of the pages and of the lists beside them name each screen with the file that it imports.
  const table = app.matchAll(/^ {2}(\w+): .*?[sS]creen\((?:(?!^ {2}\w+:)[\s\S])*?import\("\.\/(features\/[^"]+)"\)/gm);
  const screens: Record<string, string[]> = {};
  for (const [, name = "", source] of table) screens[name] = [...(screens[name] ?? []), `web/${source}`];
  screens.monitor?.push("web/features/monitors/detail/response-chart");
  screens.agent?.push("web/features/servers/detail/charts/metric-chart");
  return screens;
};

/** Modules that this many screens share are in one file, because each file of a first visit is a request. */
const SHARED_BY = 4;

/** Makes each screen import the modules of the dashboard that many other screens share, so that these become one file. */
const sharedModules = (built: Bun.BuildOutput, screens: Record<string, string[]>): BunPlugin => {
  const files = readFiles(built);
  const filesOf = (name: string) => new Set(screens[name]?.flatMap(files.of));
  const all = Object.keys(screens).map(filesOf);
  const shared = [...filesOf("dashboard")]
    .filter((file) => all.filter((one) => one.has(file)).length >= SHARED_BY)
    .flatMap(files.modulesIn);
  const pages = new Set(Object.values(screens).map(([page = ""]) => `${resolve(page)}.tsx`));
  return {
    name: "one file of shared modules",
    setup: (build) => {
      build.onResolve({ filter: /^shared modules$/ }, () => ({ path: "shared modules", namespace: "shared" }));
      build.onLoad({ filter: /./, namespace: "shared" }, () => ({
        contents: shared.map((path) => `import ${JSON.stringify(resolve(path))};`).join("\n"),
        resolveDir: resolve("."),
      }));
      build.onLoad({ filter: /-page\.tsx$/ }, async ({ path }) => {
        const contents = await Bun.file(path).text();
        return { contents: pages.has(path) ? `import "shared modules";\n${contents}` : contents, loader: "tsx" };
      });
    },
  };
};

/** The files of each screen's code and styles and of each language's texts, without the files of the main script. */
const preloadsOf = async (built: Bun.BuildOutput, screens: Record<string, string[]>) => {
  const app = await Bun.file("web/app.tsx").text();
  const files = readFiles(built);
  const names = (sources: string[]) => [...new Set(sources.flatMap(files.of))].map((path) => basename(path));
  const texts = (language: string) => names([`web/locales/${language}/first`, `web/locales/screens/${language}`]);
  const styles = built.outputs.map(({ path }) => basename(path)).filter((name) => /^screens-.*\.css$/.test(name));
  const unstyled = new Set([...app.matchAll(/^ {2}(\w+): visitorScreen\(/gm)].map(([, name]) => name));
  const filesOf = ([name, sources]: [string, string[]]) => [...(unstyled.has(name) ? [] : styles), ...names(sources)];
  return {
    screens: Object.fromEntries(Object.entries(screens).map((screen) => [screen[0], filesOf(screen)])),
    texts: { "zh-CN": texts("zh-CN"), "en-US": texts("en-US") },
  };
};

const pictures = readdirSync("web/assets").filter((name) => name.endsWith(".png"));

/** The name of the document's own script. */
const entryOf = async (outdir: string): Promise<string> =>
  /<script type="module"[^>]*? src="\.\/([^"]+)"/.exec(await Bun.file(`${outdir}/index.html`).text())?.[1] ?? "";

/** Builds the service worker with the names of the console's files in `outdir`, the document's own script first. */
const buildServiceWorker = async (names: string[], outdir: string) => {
  const page = await Bun.file(`${outdir}/index.html`).text();
  const entry = await entryOf(outdir);
  const files = [entry, ...names.filter((name) => !name.endsWith(".html") && name !== entry), ...UNBUNDLED];
  await Bun.build({
    entrypoints: ["web/offline/service-worker.ts"],
    outdir,
    minify: true,
    format: "iife",
    define: { FILES: JSON.stringify(files), VERSION: JSON.stringify(Bun.hash(page + files).toString(36)) },
  });
};

/**
 * Builds the page into dist/web: documents as they are, since the server fills in settings, and every other file in one
 * folder for each content coding, under the same name.
 */
const buildPage = async () => {
  const built = "dist/page";
  for (const folder of [built, "dist/web"]) rmSync(folder, { recursive: true, force: true });
  // The console and the page about the API share chunks, so that a reader of both loads React once.
  const documents = ["web/index.html", "web/docs.html"];
  const screens = await readScreens();
  const styles = await bundledStyles();
  const unshared = await buildDocuments(documents, undefined, [styles]);
  const shared = await buildDocuments(documents, built, [styles, sharedModules(unshared, screens)]);
  // The public status page is built alone, so that it does not load the console's code.
  await buildDocuments(["web/pages/status/status.html"], built);
  await Bun.write("dist/web/preloads.json", JSON.stringify(await preloadsOf(shared, screens)));
  for (const name of [...UNBUNDLED, ...PAGE_ACCESS]) cpSync(`web/head/${name}`, `${built}/${name}`);
  for (const name of ["manifest.webmanifest", ...pictures]) cpSync(`web/assets/${name}`, `${built}/${name}`);
  const names = shared.outputs.map(({ path }) => basename(path));
  await buildServiceWorker(
    names.filter((name) => !/^docs[-.]/.test(name)),
    built,
  );
  for (const name of readdirSync(built, { recursive: true }) as string[]) {
    const file = Bun.file(`${built}/${name}`);
    if (!(await file.exists())) continue;
    const content = name.endsWith(".css") ? dropOutdatedRules(await file.text()) : await file.bytes();
    if (name.endsWith(".html")) await Bun.write(`dist/web/${name}`, content);
    else {
      await Bun.write(`dist/web/br/${name}`, brotliCompressSync(content));
      await Bun.write(`dist/web/gzip/${name}`, gzipSync(content, { level: 9 }));
    }
  }
  rmSync(built, { recursive: true });
};

const buildExecutable = async () => {
  const target = values.target ? [`--target=${values.target}`] : [];
  // A .env or bunfig.toml that happens to lie where the executable is started must not steer it.
  const isolated = ["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"];
  const build = [
    `--define=BUILT_VERSION=${JSON.stringify(values["release-version"])}`,
    `--define=BUILT_FOR_MUSL=${values.target?.includes("-musl") ?? false}`,
    `--define=RELEASE_KEY=${JSON.stringify(values["release-key"])}`,
  ];
  // Split, so that the agent does not load the hub's code into memory. Bytecode, which needs the format, takes 40 % less CPU
  // time to start.
  await $`bun build src/main.ts --compile --bytecode --format=esm --splitting ${target} ${build} ${isolated} --minify-whitespace --minify-syntax --asset=dist/web --define process.env.NODE_ENV='"production"' --outfile ${values.outfile}`.quiet();
};

if (!values.executable) await buildPage();
if (!values.page) await buildExecutable();
console.log(values.page ? "built dist/web" : `built ${values.outfile}`);
