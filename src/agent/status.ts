import { countWaiting } from "./buffer";
import { readEnrolment, readStanding } from "./state";

const isRunning = (process_: number): boolean => {
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

/** How the agent that uses this folder stands, line by line, and whether that is well. */
export const statusOf = (folder: string, running = isRunning): { well: boolean; lines: string[] } => {
  const enrolment = readEnrolment(folder);
  if (!enrolment) return { well: false, lines: [`not enrolled: there is no key in ${folder}`] };
  const standing = readStanding(folder);
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
      `waiting  ${countWaiting(folder)} samples on disk`,
    ],
  };
};
