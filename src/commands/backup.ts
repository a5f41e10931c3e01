import { existsSync, linkSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { readConfig } from "../core/config";
import { describeError } from "../core/errors";
import {
  appliedMigrations,
  countRows,
  databaseFile,
  formatRowCounts,
  fsync,
  fsyncParentFolder,
  inspectDatabase,
  openSqliteFile,
  removeCopy,
} from "../db/sqlite/file";
import { systemClock } from "../lib/time";

export const help = `usage: wakeful backup [--force] FILE

Copies the SQLite database in DATA_DIR to FILE: one whole, consistent file, also while the hub runs. The copy is read
through and counted before it gets its name, so FILE is either a whole backup or not there. It holds what the hub
knows, secrets included, and can be read by its owner alone.

  --force   take the place of a FILE that is there already

To go back to it: wakeful restore FILE. Data in PostgreSQL are backed up by its own pg_dump.
`;

/** Changes when another connection wrote. */
const versionOf = (client: ReturnType<typeof openSqliteFile>) =>
  client.query<{ data_version: number }, []>("pragma data_version").get()?.data_version;

/** Writes a copy to an existing empty file, verifies it and returns its row counts. */
const copyVerified = (source: string, copy: string): Record<string, number> => {
  const client = openSqliteFile(source);
  try {
    const before = versionOf(client);
    client.query("vacuum into ?").run(copy);
    const written = openSqliteFile(copy);
    try {
      inspectDatabase(written, "the copy");
      const rows = countRows(written);
      const there = countRows(client);
      const isWhole =
        Bun.deepEquals(Object.keys(rows), Object.keys(there)) &&
        Bun.deepEquals(appliedMigrations(written), appliedMigrations(client)) &&
        (rows.users ?? 0) > 0 === (there.users ?? 0) > 0;
      if (!isWhole) throw new Error("the copy is damaged: it lacks tables, migrations or users of the database");
      // A running hub may have written more rows since.
      const quiet = before === versionOf(client);
      if (quiet && !Bun.deepEquals(rows, there))
        throw new Error("the copy is damaged: it holds other rows than the database");
      return rows;
    } finally {
      written.close();
    }
  } finally {
    client.close();
  }
};

/** Tells the hub when the last backup was made. A database that cannot be written has a backup all the same. */
const recordBackup = (source: string): void => {
  const client = openSqliteFile(source);
  try {
    client
      .query(
        "insert into app_settings (key, value) values ('backed_up_at', ?) on conflict do update set value = excluded.value",
      )
      .run(String(systemClock.now()));
  } catch (error) {
    process.stderr.write(`The time of this backup was not stored: ${describeError(error)}\n`);
  } finally {
    client.close();
  }
};

/** Renames a file to its final name. Without `force` it fails atomically if the name exists. */
const settle = (from: string, to: string, force: boolean): void => {
  try {
    if (force) renameSync(from, to);
    else linkSync(from, to);
  } catch (error) {
    if (force) throw error;
    if (existsSync(to)) throw new Error(`${to} exists already`);
    // Some filesystems do not support hard links.
    renameSync(from, to);
  }
};

export const run = async (words: string[]): Promise<void> => {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { force: { type: "boolean", default: false } },
  });
  const [file, more] = positionals;
  if (!file || more !== undefined) throw new Error("say which file to write: wakeful backup FILE");
  const { dialect, dataDir } = readConfig(process.env);
  if (dialect === "postgres") {
    throw new Error(
      'the data lie in PostgreSQL (DATABASE_URL), which is backed up by its own tool: pg_dump --format=custom --file=FILE "$DATABASE_URL"',
    );
  }
  const source = databaseFile(dataDir);
  if (!existsSync(source)) throw new Error(`there is no database in ${dataDir} (DATA_DIR)`);
  if (existsSync(file) && !values.force) throw new Error(`${file} exists already (--force takes its place)`);
  if (!existsSync(dirname(file))) throw new Error(`there is no folder ${dirname(file)}`);
  if (existsSync(file) && statSync(file).ino === statSync(source).ino)
    throw new Error(`${file} is the database itself`);

  const unfinished = `${file}.${crypto.randomUUID().slice(0, 8)}.unfinished`;
  try {
    writeFileSync(unfinished, "", { mode: 0o600, flag: "wx" });
    const rows = copyVerified(source, unfinished);
    fsync(unfinished);
    settle(unfinished, file, values.force);
    fsyncParentFolder(file);
    recordBackup(source);
    const megabytes = (statSync(file).size / 1e6).toFixed(1);
    process.stdout.write(`Wrote ${file} (${megabytes} MB) and read it through: ${formatRowCounts(rows)}.\n`);
  } finally {
    removeCopy(unfinished);
  }
};
