import { readFileSync, readlinkSync, statSync } from "node:fs";
import { UpdateError } from "./release";

export type Account = { uid: number; gid: number };

/** The service of the hub, and what its process was started with. */
export type HubService = {
  environment: Record<string, string>;
  /** The directory of relative paths in it. */
  folder: string;
  /** The user that it runs as. */
  account: Account;
  /** Whether it has not said yet that it is ready. */
  isStarting: () => boolean;
  restart: () => void;
  stop: () => void;
};

const UNIT = "wakeful.service";

const systemctl = (...words: string[]): string => {
  const child = Bun.spawnSync(["systemctl", ...words], { stdin: "ignore", stderr: "ignore", timeout: 120_000 });
  return child.stdout.toString();
};

const readProcess = (process: string, program: string) => {
  try {
    // A program that was replaced since has this ending.
    const running = readlinkSync(`/proc/${process}/exe`).replace(/ \(deleted\)$/, "");
    if (running !== program)
      throw new UpdateError(`the service wakeful runs ${running}, but this is ${program}: update that one`);
    const variables = readFileSync(`/proc/${process}/environ`, "utf8").split("\0").filter(Boolean);
    const environment = Object.fromEntries(
      variables.map((text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]),
    );
    const { uid, gid } = statSync(`/proc/${process}`);
    return { environment, folder: readlinkSync(`/proc/${process}/cwd`), account: { uid, gid } };
  } catch (error) {
    if (error instanceof UpdateError) throw error;
    throw new UpdateError("the service wakeful runs as another user: run this as root");
  }
};

/**
 * The running service of systemd that runs `program`; null where none runs.
 * @throws {UpdateError} when it runs another program, or may not be read
 */
export const findHubService = (program: string): HubService | null => {
  if (Bun.which("systemctl") === null) return null;
  const shown = systemctl("show", "--property=LoadState,MainPID", UNIT);
  const [, process = "0"] = /^MainPID=(\d+)$/m.exec(shown) ?? [];
  if (!/^LoadState=loaded$/m.test(shown) || process === "0") return null;
  return {
    ...readProcess(process, program),
    restart: () => {
      // A program that ended several times in a row may otherwise not be started again.
      systemctl("reset-failed", UNIT);
      // The service may start without an end.
      systemctl("restart", "--no-block", UNIT);
    },
    isStarting: () => systemctl("show", "--property=ActiveState", UNIT).trim() === "ActiveState=activating",
    stop: () => void systemctl("stop", UNIT),
  };
};
