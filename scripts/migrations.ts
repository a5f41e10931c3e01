/**
 * Writes the next migration of both engines from src/db/schema.ts: `bun run migrations NAME`.
 * Look at what it wrote, and mend it by hand where the generator cannot know better.
 */
import { $ } from "bun";

const name = process.argv[2];
if (!name) throw new Error("usage: bun run migrations NAME");

for (const [dialect, url] of [
  ["sqlite", ""],
  ["postgresql", "postgres://generate"],
] as const) {
  const out = `migrations/${dialect === "sqlite" ? "sqlite" : "postgres"}`;
  await $`bun x drizzle-kit generate --dialect ${dialect} --schema src/db/schema.ts --out ${out} --name ${name} --casing snake_case`.env(
    {
      ...process.env,
      DATABASE_URL: url,
    },
  );
}
