import { lstatSync } from "node:fs";
import { countWaiting } from "./send/sample-queue";
import { countSamples } from "./send/send";
import { readEnrollment, readRunState } from "./state";

const isRunning = (process_: number): boolean => {
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

/** The state directory that install.sh uses. */
const INSTALLED = "/var/lib/wakeful-agent";

/** Whether an agent is installed whose files this user may not read. */
const isInstalledForRoot = (folder: string, installed: string): boolean =>
  folder !== installed && lstatSync(installed, { throwIfNoEntry: false }) !== undefined;

/** Describes the agent that uses this directory, line by line, and whether it is running and reporting. */
export const statusOf = (
  folder: string,
  running = isRunning,
  installed = INSTALLED,
): { well: boolean; lines: string[] } => {
  const enrollment = readEnrollment(folder);
  const standing = readRunState(folder);
  if (!enrollment) {
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
      `console  ${enrollment.server}`,
      `agent    ${enrollment.agent}`,
      `files    ${folder}`,
      `state    ${state}`,
      ...(alive && standing.refused ? [`token    refused: ${standing.refused}`] : []),
      `waiting  ${countSamples(countWaiting(folder))} on disk`,
    ],
  };
};
