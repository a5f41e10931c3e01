import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../smoke/lib/until";

/** A folder as a machine of its own, with the agent as it was downloaded. `remove` takes it away with all in it. */
export const prepareMachine = (program: Uint8Array) => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-machine-"));
  const executable = join(folder, "wakeful");
  writeFileSync(executable, program);
  chmodSync(executable, 0o755);
  return { folder, executable, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

type Machine = Pick<ReturnType<typeof prepareMachine>, "folder" | "executable">;

/** Runs the agent with these words and a text on standard input. What it says is gathered line by line. */
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
  const exited = async (patience = 30_000): Promise<number> => {
    const code = await until("the agent ends", async () => child.exitCode !== null && [child.exitCode], patience);
    await Promise.all(following);
    return code[0] ?? -1;
  };
  return {
    /** Everything that it said so far. */
    said: () => said.join(""),
    exited,
    /** Asks it to stop, and gives its exit code. */
    stop: () => {
      child.kill("SIGTERM");
      return exited();
    },
    /** Ends it without a word. */
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
};
