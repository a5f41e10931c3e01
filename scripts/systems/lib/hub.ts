import { it } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
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

/**
 * `it`, or `it.skip` with a warning where this machine lacks what a test needs, such as the right to boot a container. `probe`
 * tries it in a few seconds, and answers what was missing, or null.
 */
export const itWhere = async (probe: () => Promise<string | null>) => {
  const missing = await probe();
  if (missing === null) return it;
  console.warn(`SKIPPED in ${Bun.main}: ${missing}`);
  return it.skip;
};

/** Whether executables for another platform can be built: Bun fetches its runtime for it. */
export const probeTarget = async (target: string): Promise<string | null> => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-target-"));
  try {
    await Bun.write(join(folder, "empty.ts"), "");
    const words = ["build", "empty.ts", "--compile", `--target=${target}`, "--outfile", "empty"];
    const child = Bun.spawn([process.execPath, ...words], { cwd: folder, stdout: "ignore", stderr: "pipe" });
    const [err, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    return code === 0 ? null : `no executable can be built for ${target}: ${err.trim()}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The public key compiled into the executables, and the file with the private one. */
export type ReleaseKey = { file: string; publicText: string };

export const MUSL = "bun-linux-x64-musl-baseline";

/** A hub that offers executables of this machine's architecture, one for the GNU C library and, if asked for, one for musl. */
export const startHubWithDownloads = async (withMusl = false) => {
  const installation = installConsole();
  const downloads = join(installation.folder, "downloads");
  mkdirSync(downloads);
  const file = join(installation.folder, "release.key");
  const key: ReleaseKey = { file, publicText: createKey(file) };
  await buildExecutable(join(downloads, "wakeful-linux-amd64"), "--release-key", key.publicText);
  if (withMusl) {
    await buildExecutable(join(downloads, "wakeful-linux-amd64-musl"), "--target", MUSL);
    Bun.spawnSync(["gzip", "--keep", "-1", join(downloads, "wakeful-linux-amd64-musl")]);
  }
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
      let server: { id: number; name: string; memory_used: number | null } | undefined;
      await until(`${name} reports`, async () => {
        const { agents }: { agents: NonNullable<typeof server>[] } = (await alice.get("/api/agents")).body;
        server = agents.find((agent) => agent.name === name);
        return server?.memory_used;
      }).catch((cause) => {
        throw new Error(`the last answer was ${JSON.stringify(server)}`, { cause });
      });
      // As any path: its own type is too deep beside the type of the list.
      const path: string = `/api/agents/${server?.id}`;
      const { body } = await alice.get(path);
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
export const run = async (command: string[], env: Record<string, string> = {}, timeout = 200_000) => {
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
