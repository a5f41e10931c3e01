import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describeFile, readKey, writeManifest } from "../../lib/release-files";
import { buildExecutable, type ReleaseKey } from "./hub";

export const NAME = "wakeful-linux-amd64";

/** Signs the executable in a folder as a release. */
export const signRelease = async (folder: string, key: ReleaseKey, version: string): Promise<void> => {
  const files = { [NAME]: await describeFile(join(folder, NAME)) };
  await writeManifest(folder, { version, date: "2026-05-31", files }, readKey(key.file));
};

/** Serves a signed release with an executable of this version, from a new folder. */
export const serveRelease = async (folder: string, key: ReleaseKey, version: string) => {
  mkdirSync(folder);
  await buildExecutable(join(folder, NAME), "--release-key", key.publicText, "--release-version", version);
  await signRelease(folder, key, version);
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const file = Bun.file(join(folder, new URL(request.url).pathname.slice(1)));
      return (await file.exists()) ? new Response(file) : new Response("", { status: 404 });
    },
  });
};
