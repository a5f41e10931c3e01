import { expect, it } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const pathOf = (file: string) => resolve(import.meta.dir, "../..", file);
const read = (file: string) => readFileSync(pathOf(file), "utf8");

it("builds the image with the Bun that .bun-version names", () => {
  const [, tag] = /^FROM oven\/bun:(\S+) /m.exec(read("Dockerfile")) ?? [];
  expect(tag).toBe(read(".bun-version").trim());
});

it("explains every setting in the README, and none that does not exist", () => {
  const known = new Set(read("src/config.ts").match(/(?<=env\.|env, ")[A-Z][A-Z_]+\b/g));
  for (const own of ["NODE_ENV", "TEST_DATABASE_URL"]) known.delete(own);
  const [, table = ""] = /### Settings([\s\S]*?)###/.exec(read("README.md")) ?? [];
  const explained = new Set(table.match(/(?<=^\|.*`)[A-Z][A-Z_]+(?=`)/gm)?.filter((name) => name !== "X"));
  expect([...explained].sort()).toEqual([...known].sort());
});

it("shows and links in the README only what is there", () => {
  const targets = [...read("README.md").matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
  expect(targets.length).toBeGreaterThan(1);
  expect(targets.filter((target) => !target.startsWith("http") && !existsSync(pathOf(target)))).toEqual([]);
});
