import { expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const read = (file: string) => readFileSync(resolve(import.meta.dir, "../..", file), "utf8");

it("builds the image with the Bun that .bun-version names", () => {
  const [, tag] = /^FROM oven\/bun:(\S+) /m.exec(read("Dockerfile")) ?? [];
  expect(tag).toBe(read(".bun-version").trim());
});
