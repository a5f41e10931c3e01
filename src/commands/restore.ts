import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { parseArgs } from "node:util";
import { systemClock } from "../core/clock";
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
  SQLITE_SIDECARS,
} from "../db/sqlite/file";

export const help = `usage: wakeful restore FILE

Puts the backup FILE in the place of the SQLite database in DATA_DIR. Stop the console first: this is refused while
anything has that database open. FILE is read through, checked and brought to this version's tables before anything is
changed, and stays as it is itself. What was there before is kept beside it under another name. All sessions end:
everyone signs in again.

Data in PostgreSQL are restored by its own pg_restore.
`;

/** Copies a database with what lies beside it, reads it through and brings it up to date. Gives its rows. */
const prepare = async (file: string, copy: string): Promise<Record<string, number>> => {
  copyFileSync(file, copy);
  chmodSync(copy, 0o600);
  if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
  const client = openSqliteFile(copy);
  try {
    inspectDatabase(client, file);
    client.exec("pragma journal_mode = delete");
    await migrateFile(client);
    // Sessions that were ended after the backup was made stay ended.
    client.exec("delete from sessions");
    inspectDatabase(client, file);
    return countRows(client);
  } finally {
    client.close();
  }
};

/**
 * Makes sure that nobody has a database open, and folds in what lies beside it. SQLite changes its journal for nobody
 * but the only one who has a file open: that is how it is known.
 */
const closeForGood = (file: string): void => {
  const client = openSqliteFile(file);
  try {
    client.exec("pragma busy_timeout = 0");
    client.query("pragma journal_mode = delete").get();
  } catch (error) {
    if (isBusy(error)) {
      throw new Error(`${file} is open in another program: stop the console that runs on it first`);
    }
    // It cannot be read at all, which may be why somebody restores: it is kept with all that lies beside it.
  } finally {
    client.close();
  }
};

/** The name under which a database is kept that makes room, as in `wakeful.db.before-2026-01-15T12-20-00-000Z`. */
const keepUnder = (file: string): string =>
  `${file}.before-${new Date(systemClock.now()).toISOString().replaceAll(/[:.]/g, "-")}`;

/** Puts one file in the place of another in one step, which is kept under a name of its own. */
const takePlace = (fresh: string, file: string): string | null => {
  const kept = existsSync(file) ? keepUnder(file) : null;
  if (kept) {
    for (const end of SQLITE_SIDECARS) if (existsSync(file + end)) renameSync(file + end, kept + end);
    try {
      linkSync(file, kept);
    } catch {
      renameSync(file, kept);
    }
  }
  for (const end of SQLITE_SIDECARS) rmSync(file + end, { force: true });
  renameSync(fresh, file);
  fsyncParentFolder(file);
  return kept;
};

/** Whoever runs the console has to own it, also when somebody else restores it for them. */
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

  const fresh = `${live}.${crypto.randomUUID().slice(0, 8)}.unfinished`;
  try {
    const rows = await prepare(file, fresh);
    ownAs(fresh, present ? live : dataDir);
    fsync(fresh);
    // It took a while: somebody may have started the console.
    if (present) closeForGood(live);
    const kept = takePlace(fresh, live);
    process.stdout.write(`Restored ${file}: ${formatRowCounts(rows)}.\n`);
    if (kept) process.stdout.write(`What was there before is ${kept}: delete it once you are sure.\n`);
  } finally {
    for (const end of ["", ...SQLITE_SIDECARS]) rmSync(fresh + end, { force: true });
  }
};
