/**
 * The directory of nightly backups. All access is asynchronous, so that a network drive that hangs holds up nothing else. Files
 * carry the mark of their installation, because several may share a directory.
 */
import { constants } from "node:fs";
import { access, mkdir, readdir, realpath, rm, stat, statfs } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { Config } from "../../../core/config";
import { isoTime } from "../../../lib/time";
import type { CheckErrorCode } from "../../../shared/check-error";

export type BackupProblem = Extract<CheckErrorCode, `backup_${string}`>;

/** Bytes that stay free beside a new backup: the database may be on the same disk. */
const SPARE = 64 * 2 ** 20;

const MISSING = ["ENOENT", "ENOTDIR", "ELOOP"];
const REFUSED = ["EACCES", "EPERM", "EROFS"];

const problemOf = (error: unknown): BackupProblem => {
  const code = String((error as NodeJS.ErrnoException).code);
  if (MISSING.includes(code)) return "backup_no_folder";
  return REFUSED.includes(code) ? "backup_not_writable" : "backup_failed";
};

/** The code of an error text of `wakeful backup`. */
export const problemIn = (text: string): BackupProblem => {
  if (/ENOSPC|EDQUOT|disk is full/.test(text)) return "backup_no_space";
  if (/EACCES|EPERM|EROFS|readonly database/.test(text)) return "backup_not_writable";
  if (/ENOENT|there is no folder/.test(text)) return "backup_no_folder";
  return /damaged|malformed/.test(text) ? "backup_damaged" : "backup_failed";
};

type Directories = Pick<Config, "backupDir" | "dataDir">;

const isInside = ({ backupDir, dataDir }: Directories): boolean =>
  resolve(backupDir).startsWith(resolve(dataDir) + sep);

/** Creates the directory inside of the data directory. A missing one elsewhere may be a drive that is not mounted. */
export const createInside = async (directories: Directories): Promise<void> => {
  if (isInside(directories)) await mkdir(directories.backupDir, { recursive: true, mode: 0o700 });
};

/** Why backups can't be written to the directory; null if they can. */
export const folderProblem = async (directories: Directories): Promise<BackupProblem | null> => {
  const { backupDir, dataDir } = directories;
  try {
    const stats = await stat(backupDir).catch((error) => {
      if (error.code === "ENOENT" && isInside(directories)) return null;
      throw error;
    });
    if (!stats) return null;
    if (!stats.isDirectory()) return "backup_no_folder";
    const data = await realpath(dataDir).catch(() => null);
    if ((await realpath(backupDir)) === data) return "backup_data_folder";
    await access(backupDir, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return problemOf(error);
  }
};

/** Whether a backup of this size fits on the disk. */
export const hasSpace = async (folder: string, size: number): Promise<boolean> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= size + SPARE;
};

/** Eight digits that are the same for all backups of an installation. */
export const markOf = (installationId: string): string =>
  new Bun.CryptoHasher("sha256").update(installationId).digest("hex").slice(0, 8);

/** For example `wakeful-2026-01-15T03-12-00Z-1a2b3c4d.db`: names sort by time. */
export const nameOf = (mark: string, time: number): string =>
  `wakeful-${isoTime(time).slice(0, 19).replaceAll(":", "-")}Z-${mark}.db`;

/** The files of this installation whose names end so, the oldest first. */
const ownFiles = async (folder: string, mark: string, end: string): Promise<string[]> => {
  const name = new RegExp(`^wakeful-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\dZ-${mark}\\.db${end}$`);
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() && name.test(entry.name) ? [entry.name] : [])).toSorted();
};

const removeAll = async (folder: string, names: readonly string[]): Promise<void> => {
  for (const name of names) await rm(join(folder, name), { force: true });
};

/** Removes what interrupted backups left. */
export const removeUnfinished = async (folder: string, mark: string): Promise<void> =>
  removeAll(folder, await ownFiles(folder, mark, "\\.[\\da-f]{8}\\.unfinished(-wal|-shm|-journal)?"));

/** Removes all backups but the latest. */
export const prune = async (folder: string, mark: string, keep: number): Promise<void> =>
  removeAll(folder, (await ownFiles(folder, mark, "")).slice(0, -keep));
