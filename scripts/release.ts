/**
 * Builds the executable for every platform into dist/release, each with its checksum, and the other files of a release:
 * `bun run release`. The files are what DOWNLOADS_DIR or RELEASE_URL can offer to the machines that agents are installed on.
 *
 *   --compress        also writes each file as .xz, .zst and .gz, which takes minutes; needs the program `xz`
 *   --key FILE        signs the release with this private key, whose public half is compiled in
 *   --new-key FILE    only writes a new private key, and prints its public half
 *   --only NAME,NAME  only these executables
 *   --from FOLDER     takes executables from there instead of building them
 *   --out FOLDER      writes to another folder
 *   --tag TAG         refuses a tag that is not the version of this release, or that is not ready
 *   --notes           only prints the notes of this version, from CHANGELOG.md
 */
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { $ } from "bun";
import { repository, version } from "../src/build-info";
import { EXECUTABLES } from "../src/shared/agents/downloads";
import {
  compressAll,
  createKey,
  describeFile,
  publicKeyOf,
  readKey,
  writeChecksums,
  writeManifest,
} from "./lib/release-files";
import { assertPublishable, releaseNotes } from "./lib/release-notes";
import { writePapers } from "./lib/release-papers";

const { values } = parseArgs({
  options: {
    compress: { type: "boolean", default: false },
    key: { type: "string" },
    "new-key": { type: "string" },
    only: { type: "string" },
    from: { type: "string" },
    out: { type: "string", default: "dist/release" },
    tag: { type: "string" },
    notes: { type: "boolean", default: false },
  },
});

const build = async (name: string, path: string, publicKey: string) => {
  if (values.from) copyFileSync(`${values.from}/${name}`, path);
  else
    await $`bun scripts/build.ts --executable --target ${EXECUTABLES[name] as string} --release-key ${publicKey} --outfile ${path}`;
};

const buildAll = async () => {
  const folder = values.out;
  const names = values.only?.split(",") ?? Object.keys(EXECUTABLES);
  const unknown = names.filter((name) => !Object.hasOwn(EXECUTABLES, name));
  if (unknown.length > 0) throw new Error(`There is no executable ${unknown.join(", ")}`);
  if (values.compress && !Bun.which("xz")) throw new Error("--compress needs the program xz (Debian: xz-utils)");
  const key = values.key === undefined ? null : readKey(values.key);
  const publicKey = key ? publicKeyOf(key) : "";
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (!values.from) await $`bun scripts/build.ts --page`;
  const files: Record<string, { sha256: string; size: number }> = {};
  for (const name of names) {
    const path = `${folder}/${name}`;
    await build(name, path, publicKey);
    const described = await describeFile(path);
    files[name] = described;
    await Bun.write(`${path}.sha256`, `${described.sha256}  ${name}\n`);
  }
  if (values.compress) await compressAll(folder, names, availableParallelism());
  const now = new Date().toISOString();
  await writePapers(folder, { version, repository, publicKey, now });
  if (key) await writeManifest(folder, { version, date: now.slice(0, 10), files }, key);
  else console.log("not signed: agents can't update themselves to these files (--key signs them)");
  await writeChecksums(folder);
};

const changelog = () => Bun.file("CHANGELOG.md").text();
if (values.tag !== undefined) assertPublishable(values.tag, { version, repository, changelog: await changelog() });
if (values.notes) process.stdout.write(releaseNotes(await changelog(), version));
else if (values["new-key"] === undefined) await buildAll();
else console.log(createKey(values["new-key"]));
