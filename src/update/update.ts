/**
 * Replaces a program by a signed release, and goes back when that does not work:
 *   the release's description and signature → version → download beside the program → its own word about its version →
 *   what its owner does before → rename → restart → time to show that it works.
 * The place is a setting of this machine; a hub has no part in the updates of its agents.
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
import type { Logger, Time } from "../agent/runtime";
import { downloadProgram, readRelease, UpdateError } from "./release";

/** What runs the program: the agent or the hub. */
export type Subject = {
  /** @throws {UpdateError} when it could not be told whether a new program works */
  assertWorks: () => Promise<void> | void;
  /** Runs before the program is replaced by the verified one in `draft`. */
  prepare?: (draft: string, version: string) => Promise<void>;
  /** Starts the program that lies there now; null where nothing can. */
  restart: (() => Promise<void> | void) | null;
  /** Waits until the restarted program works; false when it does not in time. */
  works: () => Promise<boolean>;
  /**
   * Undoes what a new program that did not work has changed, before the old one, in `kept`, is back. Returns whether that one may
   * start then.
   */
  undo?: (kept: string) => Promise<boolean>;
  /** Whether the old program stays beside the new one, as `.before`, where nothing restarts it. */
  keepsOld?: boolean;
  words: {
    /** How the last line goes on after the version: when it works, and when it does not. */
    works: string;
    fails: string;
    /** What to do where nothing restarts it. */
    restart: string;
  };
};

export type Update = {
  /** The address of the folder with the release. */
  place: string;
  publicKey: string;
  /** The version that runs, and the name of this platform's file. */
  current: string;
  name: string;
  /** The file in the folder, if it has another name there. */
  file?: string;
  /** How an older release is treated; it is ignored unless given. */
  older?: "refuse" | "install";
  /** The file to replace. */
  program: string;
  subject: Subject;
  time: Time;
  log: Logger;
  freeBytes?: (folder: string) => number;
};

/** Exit codes of `wakeful update` and `wakeful agent update`. */
export const UPDATE_CODES = { done: 0, failed: 1, reverted: 2, available: 3 } as const;

/** An unfinished download older than this is from an update that was interrupted. */
const STALE_MS = 60 * 60_000;
const YEAR_MS = 365 * 24 * 60 * 60_000;
/** Kept free beside the new program. */
const SPARE_BYTES = 16 * 2 ** 20;

export const freeBytesOf = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;

/** The release at the configured place, or null if it is not to be installed. */
export const findUpdate = async ({ place, publicKey, current, name, older, time, log }: Omit<Update, "subject">) => {
  const { version, date, files } = await readRelease(place, publicKey);
  // Old releases are signed, too: a mirror that holds back newer ones is noticed only by the date.
  if (time.now() - Date.parse(date) > YEAR_MS)
    log(
      `The latest release at ${place} is of ${date}, more than a year ago. Check whether newer ones are held back there.`,
    );
  const order = Bun.semver.order(version, current);
  if (order < 0 && older === "refuse")
    throw new UpdateError(`the release is version ${version}, older than this ${current} (--downgrade takes it)`);
  if (order === 0 || (order < 0 && older !== "install")) return null;
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
    if (code === "EEXIST")
      throw new UpdateError(
        `another update is running, or was interrupted and left ${draft}, which you can delete then`,
      );
    const isRefused = code === "EACCES" || code === "EPERM";
    throw new UpdateError(`${dirname(draft)} cannot be written (${code})${isRefused ? ": run this as root" : ""}`);
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

type Release = NonNullable<Awaited<ReturnType<typeof findUpdate>>>;

/** Replaces the program with a released one, and keeps the old program in the file `kept`. */
const replace = async (given: Update, release: Release, kept: string): Promise<void> => {
  const { place, program, name, file = name, subject, time } = given;
  const folder = dirname(program);
  const free = (given.freeBytes ?? freeBytesOf)(folder);
  if (free < release.program.size + SPARE_BYTES)
    throw new UpdateError(
      `${folder} has ${Math.floor(free / 1e6)} MB free, too little for ${megabytes(release.program.size)}`,
    );
  const draft = `${program}.new`;
  reserve(draft, time.now());
  try {
    await downloadProgram(place, file, release.program, draft);
    chmodSync(draft, 0o755);
    const own = versionOf(draft);
    if (own !== release.version)
      throw new UpdateError(
        own ? `the new program calls itself ${own}, not ${release.version}` : "the new program does not run here",
      );
    await subject.prepare?.(draft, release.version);
    keepBefore(program, kept);
    renameSync(draft, program);
  } finally {
    rmSync(draft, { force: true });
  }
};

/** Brings the old program back. */
const goBack = async ({ program, current, subject, log }: Update, version: string, kept: string): Promise<number> => {
  const { restart, works, undo, words } = subject;
  log(`Version ${version} ${words.fails}.`);
  const mayStart = (await undo?.(kept)) ?? true;
  renameSync(kept, program);
  if (!mayStart) return UPDATE_CODES.reverted;
  await restart?.();
  const isBack = await works();
  log(isBack ? `Version ${current} is back.` : `Version ${current} is back, but ${words.fails} either.`);
  return UPDATE_CODES.reverted;
};

/**
 * Makes the update, if there is one.
 * @returns one of UPDATE_CODES
 * @throws {UpdateError} when it was not made and nothing has changed
 */
export const update = async (given: Update): Promise<number> => {
  const { program, current, subject, log } = given;
  const release = await findUpdate(given);
  if (!release) {
    log(`Version ${current} is up to date.`);
    return UPDATE_CODES.done;
  }
  await subject.assertWorks();
  const kept = `${program}.before`;
  await replace(given, release, kept);
  const { version, date } = release;
  if (!subject.restart) {
    if (!subject.keepsOld) rmSync(kept, { force: true });
    log(`Version ${version} of ${date} is installed. ${subject.words.restart}`);
    return UPDATE_CODES.done;
  }
  await subject.restart();
  if (!(await subject.works())) return goBack(given, version, kept);
  rmSync(kept, { force: true });
  log(`Version ${version} of ${date} ${subject.words.works}.`);
  return UPDATE_CODES.done;
};
