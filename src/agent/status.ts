import { lstatSync } from "node:fs";
import { countWaiting } from "./send/sample-queue";
import { plural } from "./send/send";
import { readEnrollment, readRunState } from "./state";

const isRunning = (process_: number): boolean => {
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

/** Where the installer keeps an agent's files. */
const INSTALLED = "/var/lib/wakeful-agent";

/** Whether an agent is installed on this machine whose files this user may not read. */
const isInstalledForRoot = (folder: string, installed: string): boolean =>
  folder !== installed && lstatSync(installed, { throwIfNoEntry: false }) !== undefined;

/** How the agent that uses this folder stands, line by line, and whether that is well. */
export const statusOf = (
  folder: string,
  running = isRunning,
  installed = INSTALLED,
): { well: boolean; lines: string[] } => {
  const enrolment = readEnrollment(folder);
  const standing = readRunState(folder);
  if (!enrolment) {
    const lines = isInstalledForRoot(folder, installed)
      ? [`An agent is installed on this machine; only root can read how it stands: sudo wakeful agent status`]
      : [`not enrolled: there is no key in ${folder}`, ...(standing ? [`state    ${standing.text}`] : [])];
    return { well: false, lines };
  }
  const alive = standing !== null && running(standing.process);
  const since = standing ? ` since ${standing.since}` : "";
  const state = !standing
    ? "has not reported yet"
    : alive || !standing.well
      ? `${standing.text}${since}`
      : standing.text === "stopped"
        ? `stopped${since}`
        : "not running";
  return {
    well: alive && standing.well,
    lines: [
      `console  ${enrolment.server}`,
      `agent    ${enrolment.agent}`,
      `files    ${folder}`,
      `state    ${state}`,
      ...(alive && standing.refused ? [`token    refused: ${standing.refused}`] : []),
      `waiting  ${plural(countWaiting(folder))} on disk`,
    ],
  };
};
