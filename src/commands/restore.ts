import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { readConfig } from "../core/config";
import {
  countRows,
  databaseFile,
  formatRowCounts,
  fsync,
  fsyncParentFolder,
  inspectDatabase,
  isBusy,
  migrateFile,
  openSqliteFile,
  removeCopy,
  SQLITE_SIDECARS,
} from "../db/sqlite/file";
import { systemClock } from "../lib/time";

export const help = `usage: wakeful restore FILE

Replaces the SQLite database in DATA_DIR by the backup FILE. Stop the hub first: this is refused while
anything has that database open. FILE is read through, checked and brought to this version's tables before anything is
changed, and stays as it is itself. What was there before is kept beside it under another name. All sessions end:
everyone signs in again.

Data in PostgreSQL are restored by its own pg_restore.
`;

/** Copies a database with its sidecar files, verifies and migrates it. Returns its row counts. */
const prepare = async (file: string, copy: string): Promise<Record<string, number>> => {
  copyFileSync(file, copy);
  chmodSync(copy, 0o600);
  if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
  const client = openSqliteFile(copy);
  try {
    inspectDatabase(client, file);
    client.exec("pragma journal_mode = delete");
    await migrateFile(client);
    // Sessions that were revoked after the backup stay revoked.
    client.exec("delete from sessions");
    inspectDatabase(client, file);
    return countRows(client);
  } finally {
    client.close();
  }
};

/**
 * Verifies that no process has a database open, and checkpoints its WAL. SQLite changes the journal mode only for
 * the only connection to a file, which is how other processes are detected.
 */
const closeForGood = (file: string): void => {
  const client = openSqliteFile(file);
  try {
    client.exec("pragma busy_timeout = 0");
    client.query("pragma journal_mode = delete").get();
  } catch (error) {
    if (isBusy(error)) {
      throw new Error(`${file} is open in another program: stop the hub that runs on it first`);
    }
    // An unreadable database may be the reason for the restore: it is kept with its sidecar files.
  } finally {
    client.close();
  }
};

/** The name of the replaced database, for example `wakeful.db.before-2026-01-15T12-20-00-000Z`. */
const keepUnder = (file: string): string =>
  `${file}.before-${new Date(systemClock.now()).toISOString().replaceAll(/[:.]/g, "-")}`;

/** Replaces a file atomically and keeps the old one under another name. */
const takePlace = (fresh: string, file: string): string | null => {
  const backupPath = existsSync(file) ? keepUnder(file) : null;
  if (backupPath) {
    for (const end of SQLITE_SIDECARS) if (existsSync(file + end)) renameSync(file + end, backupPath + end);
    try {
      linkSync(file, backupPath);
    } catch {
      renameSync(file, backupPath);
    }
  }
  for (const end of SQLITE_SIDECARS) rmSync(file + end, { force: true });
  renameSync(fresh, file);
  fsyncParentFolder(file);
  return backupPath;
};

/** Removes the copies that interrupted restores left beside the database. */
const removeUnfinished = (live: string): void => {
  const isCopy = (name: string) =>
    name.startsWith(`${basename(live)}.`) && /\.[\da-f]{8}\.unfinished(-wal|-shm|-journal)?$/.test(name);
  for (const name of readdirSync(dirname(live)).filter(isCopy)) rmSync(join(dirname(live), name), { force: true });
};

/** The hub's user must own the file, also when root restores it. */
const ownAs = (path: string, like: string): void => {
  const { uid, gid } = statSync(like);
  if (process.platform !== "win32" && process.getuid?.() === 0) chownSync(path, uid, gid);
};

export const run = async (words: string[]): Promise<void> => {
  const { positionals } = parseArgs({ args: words, allowPositionals: true, options: {} });
  const [file, more] = positionals;
  if (!file || more !== undefined) throw new Error("say which file to restore: wakeful restore FILE");
  const { dialect, dataDir } = readConfig(process.env);
  if (dialect === "postgres") {
    throw new Error(
      'the data lie in PostgreSQL (DATABASE_URL), which is restored by its own tool: pg_restore --clean --dbname="$DATABASE_URL" FILE',
    );
  }
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  const live = databaseFile(dataDir);
  const present = existsSync(live);
  if (present && statSync(file).ino === statSync(live).ino) throw new Error(`${file} is the database itself`);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (present) closeForGood(live);

  removeUnfinished(live);
  const fresh = `${live}.${crypto.randomUUID().slice(0, 8)}.unfinished`;
  try {
    const rows = await prepare(file, fresh);
    ownAs(fresh, present ? live : dataDir);
    fsync(fresh);
    // The hub may have been started while the copy was made.
    if (present) closeForGood(live);
    const backupPath = takePlace(fresh, live);
    process.stdout.write(`Restored ${file}: ${formatRowCounts(rows)}.\n`);
    if (backupPath) process.stdout.write(`What was there before is ${backupPath}: delete it once you are sure.\n`);
  } finally {
    removeCopy(fresh);
  }
};
