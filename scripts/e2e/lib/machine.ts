import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../smoke/lib/until";

/** A directory with the downloaded agent. `remove` deletes it and everything in it. */
export const prepareMachine = (program: Uint8Array) => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-machine-"));
  const executable = join(folder, "wakeful");
  writeFileSync(executable, program);
  chmodSync(executable, 0o755);
  return { folder, executable, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

type Machine = Pick<ReturnType<typeof prepareMachine>, "folder" | "executable">;

/** Runs the agent with these arguments and standard input. Its output is collected line by line. */
export const startAgent = ({ folder, executable }: Machine, words: string[], input = "") => {
  const child = Bun.spawn([executable, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", TMPDIR: tmpdir(), WAKEFUL_STATE: join(folder, "state") },
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const said: string[] = [];
  const following = [child.stdout, child.stderr].map(async (stream) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) said.push(decoder.decode(chunk, { stream: true }));
  });
  const exited = async (timeout = 100_000): Promise<number> => {
    const code = await until("the agent ends", async () => child.exitCode !== null && [child.exitCode], timeout);
    await Promise.all(following);
    return code[0] ?? -1;
  };
  return {
    /** Its output so far. */
    said: () => said.join(""),
    exited,
    /** Sends SIGTERM and returns the exit code. */
    stop: () => {
      child.kill("SIGTERM");
      return exited();
    },
    /** Kills it with SIGKILL. */
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
};
