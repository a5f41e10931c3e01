import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { createKey } from "../../lib/release-files";
import { installConsole, joinAs, startConsole } from "../../smoke/lib/hub";
import { until } from "../../smoke/lib/until";

const REPOSITORY = resolve(import.meta.dir, "../../..");

/** Builds an executable around the page that was built before. */
export const buildExecutable = async (path: string, ...options: string[]): Promise<void> => {
  const command = [process.execPath, "scripts/build.ts", "--executable", ...options, "--outfile", path];
  const child = Bun.spawn(command, { cwd: REPOSITORY, stdin: "ignore", stdout: "ignore", stderr: "inherit" });
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed`);
};

/** The public key compiled into the executables, and the file with the private one. */
export type ReleaseKey = { file: string; publicText: string };

/** A hub that offers executables of this machine's architecture, one for the GNU C library and one for musl. */
export const startHubWithDownloads = async () => {
  const installation = installConsole();
  const downloads = join(installation.folder, "downloads");
  mkdirSync(downloads);
  const file = join(installation.folder, "release.key");
  const key: ReleaseKey = { file, publicText: createKey(file) };
  await buildExecutable(join(downloads, "wakeful-linux-amd64"), "--release-key", key.publicText);
  await buildExecutable(join(downloads, "wakeful-linux-amd64-musl"), "--target", "bun-linux-x64-musl-baseline");
  Bun.spawnSync(["gzip", "--keep", "-1", join(downloads, "wakeful-linux-amd64-musl")]);
  const running = await startConsole(installation, { DOWNLOADS_DIR: downloads });
  const alice = await joinAs(running, "alice");
  return {
    key,
    folder: installation.folder,
    executable: installation.executable,
    origin: running.origin,
    token: async (): Promise<string> => (await alice.post("/api/agents/token/generate", {})).body.token,
    /** Waits until a server of this name has reported its figures, and answers its details. */
    reported: async (name: string) => {
      const { id } = await until(`${name} reports`, async () => {
        const { agents } = (await alice.get("/api/agents")).body;
        return agents.find(
          (agent: { name: string; memory_used: number | null }) => agent.name === name && agent.memory_used,
        );
      });
      const { body } = await alice.get(`/api/agents/${id}`);
      return body.agent ?? body;
    },
    stop: async () => {
      await running.stop();
      installation.remove();
    },
  };
};

export type Hub = Awaited<ReturnType<typeof startHubWithDownloads>>;

/** Copies a program of this machine to a path below another root. */
export const copyProgram = (from: string, root: string, to: string): void => {
  copyFileSync(from, join(root, to));
  chmodSync(join(root, to), 0o755);
};

/** Runs a command to its end, and answers what it printed on both outputs. */
export const run = async (command: string[], env: Record<string, string> = {}, timeout = 60_000) => {
  const child = Bun.spawn(command, {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout,
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, err, code };
};
