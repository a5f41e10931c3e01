import { expect, it } from "bun:test";
import { newMigratedFile } from "../../testing/db/move";
import { openSqliteFile } from "../sqlite/file";
import { tables } from "./store";

it("the tables of a move are all tables with every column and key", async () => {
  const client = openSqliteFile(await newMigratedFile());
  const names = client
    .query<{ name: string }, []>("select name from sqlite_master where type = 'table' order by name")
    .all()
    .map(({ name }) => name)
    .filter((name) => !/^(sqlite_|__drizzle)/.test(name));
  expect(tables.map(({ name }) => name).toSorted()).toEqual(names);
  for (const { name, columns, key, numbered } of tables) {
    const info = client.query<{ name: string; pk: number }, []>(`pragma table_info("${name}")`).all();
    const sorted = (list: { name: string }[]) => list.map((column) => column.name).toSorted();
    expect([name, sorted(columns)]).toEqual([name, sorted(info)]);
    const keys = info.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
    expect([name, key]).toEqual([name, keys.map((column) => column.name)]);
    const counted = client.query("select 1 from sqlite_master where name = ? and sql like '%autoincrement%'").get(name);
    expect([name, numbered]).toEqual([name, counted !== null]);
  }
  client.close();
});

it("the tables of a move come after those that they reference", async () => {
  const client = openSqliteFile(await newMigratedFile());
  const place = (name: string) => tables.findIndex((table) => table.name === name);
  const references = tables.flatMap(({ name }) =>
    client
      .query<{ table: string }, []>(`pragma foreign_key_list("${name}")`)
      .all()
      .map(({ table }) => [table, name] as const),
  );
  expect(references.length).toBeGreaterThan(5);
  for (const [parent, child] of references) expect(place(parent)).toBeLessThan(place(child));
  client.close();
});
