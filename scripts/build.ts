/**
 * Builds the page and the executable: `bun run build`, or for another platform `bun run build --target bun-linux-arm64
 * --outfile dist/name`.
 */
import { cpSync, readdirSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { $, type BunPlugin } from "bun";
import { prunePico } from "./lib/prune-pico";

const { values } = parseArgs({
  options: {
    target: { type: "string" },
    outfile: { type: "string", default: "dist/wakeful" },
    /** Only the page. */
    page: { type: "boolean" },
    /** Only the executable, with the page that was built before. */
    executable: { type: "boolean" },
  },
});

/**
 * Leaves i18next out of a page whose words need no more than its own translator. react-i18next imports only a function
 * for key prefixes from it, which no page uses.
 */
const withoutI18next: BunPlugin = {
  name: "without i18next",
  setup: (build) => {
    build.onResolve({ filter: /^i18next$/ }, () => ({ path: "i18next", namespace: "without" }));
    build.onLoad({ filter: /./, namespace: "without" }, () => ({
      contents: "export const keyFromSelector = (key) => key;",
    }));
  },
};

/** Prunes Pico to the rules that the public status page needs. */
const prunedPico: BunPlugin = {
  name: "pruned Pico",
  setup: (build) => {
    build.onLoad({ filter: /pico\.classless\.min\.css$/ }, async ({ path }) => ({
      contents: prunePico(await Bun.file(path).text(), ["web/styles", "web/pages/status"]),
      loader: "css",
    }));
  },
};

/** The public status page, rendered on the hub and hydrated by this script. */
const buildStatusPage = (outdir: string) =>
  Bun.build({
    entrypoints: ["web/pages/status/status.html"],
    outdir,
    minify: true,
    splitting: true,
    naming: { chunk: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [withoutI18next, prunedPico],
  });

/**
 * Builds the page into dist/web: documents as they are, since the server fills in settings, and every other file in one
 * folder for each content coding, under the same name.
 */
const buildPage = async () => {
  const built = "dist/page";
  for (const folder of [built, "dist/web"]) rmSync(folder, { recursive: true, force: true });
  // theme.js stays a file of its own: it blocks the first paint, so that no visitor sees a flash of the other theme.
  const split = ["--splitting", "--min-chunk-size=16384", "--external", "./web/theme.js"];
  // The console and the page about the API share chunks, so that a reader of both loads React once.
  const pages = ["web/index.html", "web/docs.html"];
  await $`bun build ${pages} --production ${split} --outdir ${built} --define process.env.NODE_ENV='"production"'`.quiet();
  // The public status page is a separate entry, so that it does not load the console's code.
  await buildStatusPage(built);
  cpSync("web/theme.js", `${built}/theme.js`);
  for (const name of readdirSync(built, { recursive: true }) as string[]) {
    const file = Bun.file(`${built}/${name}`);
    if (!(await file.exists())) continue;
    const content = await file.bytes();
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
  // Split, so that the agent does not load the hub's code into memory.
  await $`bun build src/main.ts --compile --splitting ${target} ${isolated} --minify-whitespace --minify-syntax --asset=dist/web --define process.env.NODE_ENV='"production"' --outfile ${values.outfile}`.quiet();
};

if (!values.executable) await buildPage();
if (!values.page) await buildExecutable();
console.log(values.page ? "built dist/web" : `built ${values.outfile}`);
