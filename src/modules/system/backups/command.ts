import { setPriority } from "node:os";
import { ownCommand } from "../../../build-info";
import type { MakeBackup } from "./nightly";

const LOWEST_PRIORITY = 19;

/**
 * Runs `wakeful backup` as a process of its own: copying and verifying a large database takes minutes, and this process
 * has one thread for its checks.
 */
export const runBackupCommand: MakeBackup = async (file, stop) => {
  const child = Bun.spawn([...ownCommand(), "backup", file], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    signal: stop,
  });
  try {
    setPriority(child.pid, LOWEST_PRIORITY);
  } catch {
    // The service manager may forbid it, or the process has ended already.
  }
  const text = await new Response(child.stderr).text();
  const code = await child.exited;
  return code === 0 ? null : text.trim() || `wakeful backup ended with ${child.signalCode ?? code}`;
};
