/**
 * Writes the next migration of both engines from src/db/schema.ts: `bun run migrations NAME`. With `--restart` it
 * replaces all of them by one: only before the first release, because databases of released versions have run them.
 */
import { readdirSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { $ } from "bun";

/** Tables that SQLite stores by primary key alone. drizzle-kit has no option for this: drizzle-team/drizzle-orm#1463. */
const WITHOUT_ROWID = [
  "check_blocks",
  "check_days",
  "check_hours",
  "sample_blocks",
  "sample_days",
  "sample_hours",
  "sample_tens",
];

const { values, positionals } = parseArgs({ options: { restart: { type: "boolean" } }, allowPositionals: true });
const name = positionals[0] ?? (values.restart ? "initial" : undefined);
if (!name) throw new Error("usage: bun run migrations NAME | --restart");

const addWithoutRowid = (text: string): string =>
  WITHOUT_ROWID.reduce(
    (sql, table) => sql.replace(new RegExp(`(CREATE TABLE \`${table}\` \\([^;]*?\n\\));`), "$1 WITHOUT ROWID;"),
    text,
  );

for (const [dialect, url] of [
  ["sqlite", ""],
  ["postgresql", "postgres://generate"],
] as const) {
  const out = `migrations/${dialect === "sqlite" ? "sqlite" : "postgres"}`;
  if (values.restart) rmSync(out, { recursive: true, force: true });
  await $`bun x drizzle-kit generate --dialect ${dialect} --schema src/db/schema.ts --out ${out} --name ${name} --casing snake_case`.env(
    { ...process.env, DATABASE_URL: url },
  );
  // drizzle-kit compares with the last snapshot only.
  const snapshots = readdirSync(`${out}/meta`).filter((file) => file.endsWith("_snapshot.json"));
  for (const file of snapshots.toSorted().slice(0, -1)) rmSync(`${out}/meta/${file}`);
  if (dialect === "postgresql") continue;
  for (const file of readdirSync(out).filter((entry) => entry.endsWith(`_${name}.sql`)))
    await Bun.write(`${out}/${file}`, addWithoutRowid(await Bun.file(`${out}/${file}`).text()));
}
