/**
 * Builds the executable for every platform into dist/release, each with its checksum: `bun run release`. The files are
 * what DOWNLOADS_DIR or RELEASE_URL can offer to the machines that agents are installed on.
 *
 *   --compress        also writes each file as .xz, .zst and .gz, which takes minutes; needs the program `xz`
 *   --key FILE        signs the release with this private key, whose public half is compiled in
 *   --new-key FILE    only writes a new private key, and prints its public half
 *   --only NAME,NAME  only these files
 */
import { mkdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { $ } from "bun";
import { version } from "../src/build-info";
import { EXECUTABLES } from "../src/shared/agents/downloads";
import { compressAll, createKey, describeFile, publicKeyOf, readKey, writeManifest } from "./lib/release-files";

const FOLDER = "dist/release";

const { values } = parseArgs({
  options: {
    compress: { type: "boolean", default: false },
    key: { type: "string" },
    "new-key": { type: "string" },
    only: { type: "string" },
  },
});

const buildAll = async () => {
  const names = values.only?.split(",") ?? Object.keys(EXECUTABLES);
  const unknown = names.filter((name) => !Object.hasOwn(EXECUTABLES, name));
  if (unknown.length > 0) throw new Error(`There is no executable ${unknown.join(", ")}`);
  if (values.compress && !Bun.which("xz")) throw new Error("--compress needs the program xz (Debian: xz-utils)");
  const key = values.key === undefined ? null : readKey(values.key);
  const publicKey = key ? publicKeyOf(key) : "";
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  await $`bun scripts/build.ts --page`;
  const files: Record<string, { sha256: string; size: number }> = {};
  for (const name of names) {
    const path = `${FOLDER}/${name}`;
    await $`bun scripts/build.ts --executable --target ${EXECUTABLES[name] as string} --release-key ${publicKey} --outfile ${path}`;
    const described = await describeFile(path);
    files[name] = described;
    await Bun.write(`${path}.sha256`, `${described.sha256}  ${name}\n`);
  }
  if (values.compress) await compressAll(FOLDER, names, availableParallelism());
  if (key) await writeManifest(FOLDER, { version, date: new Date().toISOString().slice(0, 10), files }, key);
  else console.log("not signed: agents can't update themselves to these files (--key signs them)");
};

if (values["new-key"] === undefined) await buildAll();
else console.log(createKey(values["new-key"]));
