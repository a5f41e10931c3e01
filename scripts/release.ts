/**
 * Builds the executable for every platform into dist/release, each with its checksum: `bun run release`. The
 * files are what DOWNLOADS_DIR or RELEASE_URL can offer to the machines that agents are installed on.
 */
import { mkdirSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { $ } from "bun";

const FOLDER = "dist/release";

// Baseline: many virtual machines hide AVX2 from their guests, and the usual build needs it.
const TARGETS = {
  "wakeful-linux-amd64": "bun-linux-x64-baseline",
  "wakeful-linux-arm64": "bun-linux-arm64",
  "wakeful-darwin-amd64": "bun-darwin-x64-baseline",
  "wakeful-darwin-arm64": "bun-darwin-arm64",
  "wakeful-windows-amd64.exe": "bun-windows-x64-baseline",
  "wakeful-windows-arm64.exe": "bun-windows-arm64",
};

const sha256 = async (path: string): Promise<string> => {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk);
  return hasher.digest("hex");
};

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
await $`bun scripts/build.ts --page`;
for (const [name, target] of Object.entries(TARGETS)) {
  const path = `${FOLDER}/${name}`;
  await $`bun scripts/build.ts --executable --target ${target} --outfile ${path}`;
  await Bun.write(`${path}.sha256`, `${await sha256(path)}  ${basename(path)}\n`);
}
