/**
 * Builds the page and the executable: `bun run build`, or for another platform `bun run build --target bun-linux-arm64
 * --outfile dist/name`.
 */
import { cpSync, readdirSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { $ } from "bun";

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

const buildPage = async () => {
  rmSync("dist/web", { recursive: true, force: true });
  // theme.js stays a file of its own: it blocks the first paint, so that no visitor sees a flash of the other theme.
  const split = ["--splitting", "--min-chunk-size=16384", "--external", "./web/theme.js"];
  await $`bun build web/index.html --production ${split} --outdir dist/web --define process.env.NODE_ENV='"production"'`.quiet();
  // The public status page is a page of its own: it must not load the console's code.
  await $`bun build web/pages/status/status.html --production --outdir dist/web`.quiet();
  // Nor need whoever reads about the API load the console's, or the other way round.
  await $`bun build web/pages/docs/docs.html --production --external ./web/theme.js --outdir dist/web`.quiet();
  cpSync("web/theme.js", "dist/web/theme.js");
  for (const name of readdirSync("dist/web", { recursive: true }) as string[]) {
    const file = Bun.file(`dist/web/${name}`);
    if (!(await file.exists()) || /\.(br|gz)$/.test(name)) continue;
    const content = await file.bytes();
    await Bun.write(`dist/web/${name}.br`, brotliCompressSync(content));
    await Bun.write(`dist/web/${name}.gz`, gzipSync(content, { level: 9 }));
    // The executable holds only what it sends.
    rmSync(`dist/web/${name}`);
  }
};

const buildExecutable = async () => {
  const target = values.target ? [`--target=${values.target}`] : [];
  // A .env or bunfig.toml that happens to lie where the executable is started must not steer it.
  const isolated = ["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"];
  // In pieces, so that the host agent, which is to stay small, does not carry the console in memory.
  await $`bun build src/main.ts --compile --splitting ${target} ${isolated} --minify-whitespace --minify-syntax --asset=dist/web --define process.env.NODE_ENV='"production"' --outfile ${values.outfile}`.quiet();
};

if (!values.executable) await buildPage();
if (!values.page) await buildExecutable();
console.log(values.page ? "built dist/web" : `built ${values.outfile}`);
