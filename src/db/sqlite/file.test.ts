import { Database as Sqlite } from "bun:sqlite";
import { describe, expect, it, onTestFinished } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { fillEveryTable, newFile, newMigratedFile } from "../../testing/db/move";
import { tables } from "../move/store";
import { countRows, inspectDatabase, migrateFile, openSqliteFile } from "./file";

const inspect = (file: string) => {
  const client = openSqliteFile(file);
  onTestFinished(() => client.close());
  return inspectDatabase(client, "the file");
};

/** The migrations of a later version, with one more table. */
const laterMigrations = () => {
  const migrations = readMigrationFiles({ migrationsFolder: "migrations/sqlite" });
  const later = {
    sql: ["create table later (id integer primary key)"],
    bps: true,
    folderMillis: Date.now(),
    hash: "later",
  };
  return [...migrations, later];
};

describe("a SQLite file", () => {
  it("of this version is current, and the rows of every table are counted", async () => {
    const file = await newMigratedFile();
    fillEveryTable(file, 4);
    expect(inspect(file)).toBe("current");
    const client = openSqliteFile(file);
    expect(countRows(client)).toEqual(Object.fromEntries(tables.map(({ name }) => [name, 4])));
    client.close();
  });

  it("of an older version is migrated with its rows", async () => {
    const file = await newMigratedFile();
    fillEveryTable(file, 4);
    const migrations = laterMigrations();
    const client = openSqliteFile(file);
    onTestFinished(() => client.close());
    const inspectLater = () =>
      inspectDatabase(
        client,
        "the file",
        migrations.map(({ folderMillis }) => folderMillis),
      );
    expect(inspectLater()).toBe("older");
    await migrateFile(client, migrations);
    expect(inspectLater()).toBe("current");
    expect(countRows(client)).toEqual(Object.fromEntries(tables.map(({ name }) => [name, 4])));
    expect(client.query("select count(*) as n from later").get()).toEqual({ n: 0 });
  });

  it("of a newer version is refused", async () => {
    const file = await newMigratedFile();
    const client = openSqliteFile(file);
    client.exec("insert into __drizzle_migrations (hash, created_at) values ('x', 9999999999999)");
    client.close();
    expect(() => inspect(file)).toThrow("the file was written by a newer version");
  });

  it("of before the first release is refused, whose migrations are older and none of this version's", async () => {
    const file = await newMigratedFile();
    const client = openSqliteFile(file);
    client.exec("update __drizzle_migrations set created_at = 1700000000000");
    client.close();
    expect(() => inspect(file)).toThrow("the file was made by a version before 0.1; it can't be migrated");
  });

  it("of another program is refused", () => {
    const file = newFile();
    const client = new Sqlite(file, { create: true });
    client.exec("create table users (id integer primary key)");
    client.close();
    expect(() => inspect(file)).toThrow("the file is not a database of Wakeful's");
  });

  it("that is not a database is refused", () => {
    for (const content of ["junk", "SQLite format 3\0 and nothing that follows"]) {
      const file = newFile();
      writeFileSync(file, content.repeat(200));
      expect(() => inspect(file)).toThrow("the file is damaged, or no SQLite database at all");
    }
  });

  it("that is truncated, overwritten or lacks rows is refused", async () => {
    const damage: ((file: string) => void)[] = [
      (file) => truncateSync(file, readFileSync(file).length / 2),
      (file) => {
        const bytes = readFileSync(file);
        bytes.fill(0xa5, bytes.length / 2, bytes.length / 2 + 20_000);
        writeFileSync(file, bytes);
      },
      (file) => {
        const client = openSqliteFile(file);
        client.exec("pragma foreign_keys = off; delete from users where id = 1");
        client.close();
      },
    ];
    for (const spoil of damage) {
      const file = await newMigratedFile();
      fillEveryTable(file, 200);
      spoil(file);
      expect(() => inspect(file)).toThrow("the file is damaged");
    }
  });
});
