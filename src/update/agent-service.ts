import { existsSync, readlinkSync } from "node:fs";

/** Starts the installed agent again, so that it runs the program that lies there now. */
export type Service = { restart: () => void };

const run = (...command: string[]) =>
  Bun.spawnSync(command, { stdin: "ignore", stdout: "ignore", stderr: "ignore", timeout: 60_000 }).exitCode;

const has = (program: string) => Bun.which(program) !== null;

/**
 * Whether a process runs this program. The PID file is writable by the agent's user, and the updater runs as root: it verifies
 * the PID before killing.
 */
export const runsProgram = (process: number, program: string): boolean => {
  if (!Number.isSafeInteger(process) || process <= 1) return false;
  try {
    return readlinkSync(`/proc/${process}/exe`) === program;
  } catch {
    // macOS has no /proc.
    const { stdout } = Bun.spawnSync(["ps", "-p", String(process), "-o", "comm="], {
      stdin: "ignore",
      stderr: "ignore",
    });
    return stdout.toString().trim() === program;
  }
};

/** The service that install.sh made; null where the agent was started in another way. `process` is the running agent. */
export const findService = (process: number | null, program: string): Service | null => {
  if (has("systemctl") && existsSync("/etc/systemd/system/wakeful-agent.service"))
    return { restart: () => void run("systemctl", "restart", "wakeful-agent") };
  if (has("rc-service") && existsSync("/etc/init.d/wakeful-agent"))
    return { restart: () => void run("rc-service", "wakeful-agent", "restart") };
  const watch = "/usr/local/bin/wakeful-agent-watch";
  // Cron starts it again within a minute.
  if (existsSync(watch) && process !== null && runsProgram(process, program))
    return { restart: () => void run("kill", String(process)) };
  return null;
};
