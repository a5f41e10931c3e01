/**
 * Replaces the agent's program by a newer, signed one, and goes back when that does not report:
 *   the release's description and signature → version → download beside the program → its own word about its version →
 *   rename → restart → three minutes for its first report.
 * The place is a setting of this machine; the hub has no part in it.
 */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Logger, Time } from "../runtime";
import { readRunState } from "../state";
import { downloadProgram, readRelease, UpdateError } from "./release";
import type { Service } from "./service";

export type Update = {
  /** The address of the folder with the release. */
  place: string;
  publicKey: string;
  /** The version that runs, and the name of this platform's file. */
  current: string;
  name: string;
  /** The file to replace. */
  program: string;
  /** The agent's directory, where it notes how it stands. */
  state: string;
  service: Service | null;
  isRunning: (process: number) => boolean;
  time: Time;
  log: Logger;
  freeBytes?: (folder: string) => number;
};

/** Exit codes of `wakeful agent update`. */
export const UPDATE_CODES = { done: 0, failed: 1, reverted: 2, available: 3 } as const;

const REPORT_TIMEOUT_MS = 3 * 60_000;
const POLL_MS = 1000;
/** An unfinished download older than this is from an update that was interrupted. */
const STALE_MS = 60 * 60_000;
const YEAR_MS = 365 * 24 * 60 * 60_000;
/** Kept free beside the new program. */
const SPARE_BYTES = 16 * 2 ** 20;

const freeBytesOf = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/** The release at the configured place, or null if it is not newer. */
export const findUpdate = async ({ place, publicKey, current, name, time, log }: Update) => {
  const { version, date, files } = await readRelease(place, publicKey);
  // Old releases are signed, too: a mirror that holds back newer ones is noticed only by the date.
  if (time.now() - Date.parse(date) > YEAR_MS)
    log(
      `The latest release at ${place} is of ${date}, more than a year ago. Check whether newer ones are held back there.`,
    );
  if (Bun.semver.order(version, current) <= 0) return null;
  const program = Object.hasOwn(files, name) ? files[name] : undefined;
  if (!program) throw new UpdateError(`version ${version} has no ${name}, the file for this machine`);
  return { version, date, program };
};

/** Creates the file of the download, so that two updates never write the same. */
const reserve = (draft: string, now: number) => {
  const stats = statSync(draft, { throwIfNoEntry: false });
  if (stats && now - stats.mtimeMs > STALE_MS) rmSync(draft);
  try {
    closeSync(openSync(draft, "wx", 0o700));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new UpdateError("another update is running");
    throw new UpdateError(`${dirname(draft)} cannot be written (${code})`);
  }
};

/** The version that a program prints of itself. */
const versionOf = (program: string): string => {
  try {
    return Bun.spawnSync([program, "version"], { stdin: "ignore", stderr: "ignore", timeout: 30_000 })
      .stdout.toString()
      .trim();
  } catch {
    return "";
  }
};

/** Keeps the program under another name as well, so that it is never missing. */
const keepBefore = (program: string, before: string) => {
  rmSync(before, { force: true });
  try {
    linkSync(program, before);
  } catch {
    copyFileSync(program, before);
  }
};

/** Whether the agent that was started after `since` reports within three minutes. */
const reports = async ({ state, isRunning, time }: Update, since: string | undefined): Promise<boolean> => {
  for (const deadline = time.monotonic() + REPORT_TIMEOUT_MS; time.monotonic() < deadline; await time.sleep(POLL_MS)) {
    const runState = readRunState(state);
    if (runState?.healthy && runState.since !== since && isRunning(runState.process)) return true;
  }
  return false;
};

/**
 * Makes the update, if there is one.
 * @returns one of UPDATE_CODES
 * @throws {UpdateError} when it was not made and nothing has changed
 */
export const update = async (given: Update): Promise<number> => {
  const { place, program, name, current, service, state, isRunning, time, log } = given;
  const release = await findUpdate(given);
  if (!release) {
    log(`Version ${current} is up to date.`);
    return UPDATE_CODES.done;
  }
  const before = readRunState(state);
  if (service && !(before?.healthy && isRunning(before.process)))
    throw new UpdateError("the agent does not report at present, so it could not be told whether a new one works");
  const folder = dirname(program);
  const free = (given.freeBytes ?? freeBytesOf)(folder);
  if (free < release.program.size + SPARE_BYTES)
    throw new UpdateError(
      `${folder} has ${Math.floor(free / 1e6)} MB free, too little for ${Math.ceil(release.program.size / 1e6)} MB`,
    );
  const [draft, kept] = [`${program}.new`, `${program}.before`];
  reserve(draft, time.now());
  try {
    await downloadProgram(place, name, release.program, draft);
    chmodSync(draft, 0o755);
    const own = versionOf(draft);
    if (own !== release.version)
      throw new UpdateError(
        own ? `the new program calls itself ${own}, not ${release.version}` : "the new program does not run here",
      );
    keepBefore(program, kept);
    renameSync(draft, program);
  } finally {
    rmSync(draft, { force: true });
  }
  if (!service) {
    rmSync(kept, { force: true });
    log(`Version ${release.version} of ${release.date} is installed. Restart the agent to use it.`);
    return UPDATE_CODES.done;
  }
  service.restart();
  if (await reports(given, before?.since)) {
    rmSync(kept, { force: true });
    log(`Version ${release.version} of ${release.date} runs and reports.`);
    return UPDATE_CODES.done;
  }
  renameSync(kept, program);
  service.restart();
  log(`Version ${release.version} did not report within 3 minutes. Version ${current} is back.`);
  return UPDATE_CODES.reverted;
};
