import { expect, it } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

const pathOf = (file: string) => resolve(import.meta.dir, "../..", file);
const read = (file: string) => readFileSync(pathOf(file), "utf8");

it("builds the image with the Bun that .bun-version names", () => {
  const [, tag] = /^FROM oven\/bun:([^\s@]+)/m.exec(read("Dockerfile")) ?? [];
  expect(tag).toBe(read(".bun-version").trim());
});

it("fetches the Bun that .bun-version names, for each platform by a checksum", () => {
  const version = read(".bun-version").trim();
  expect(JSON.parse(read("scripts/toolchain/package.json")).dependencies).toEqual({ bun: version });
  const { packages } = JSON.parse(read("scripts/toolchain/package-lock.json")) as {
    packages: Record<string, { version?: string; integrity?: string }>;
  };
  const entries = Object.entries(packages).filter(([name]) => name !== "");
  expect(entries.map(([name]) => name)).toContain("node_modules/@oven/bun-linux-x64");
  for (const [name, entry] of entries)
    expect([name, entry.version, entry.integrity]).toEqual([name, version, expect.stringMatching(/^sha512-.{80,}/)]);
});

it("names every base image by a tag, and by a whole digest where there is one", () => {
  const images = [...read("Dockerfile").matchAll(/^FROM (?!scratch )(\S+)/gm)].map(([, image]) => image);
  expect(images.length).toBe(3);
  for (const image of images) expect(image).toMatch(/^[\w./-]+:[\w.-]+(@sha256:[0-9a-f]{64})?$/);
});

/** The fragments of a Markdown text's headings, as GitHub generates them. */
const fragmentsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

it("links only files and headings that exist in all documents", () => {
  const papers = ["*.md", "docs/**/*.md"].flatMap((files) => [...new Bun.Glob(files).scanSync(pathOf("."))]);
  expect(papers).toContain("docs/README.zh-CN.md");
  for (const paper of papers) {
    const targets = [...read(paper).matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    const missing = targets.filter((target) => {
      if (target.startsWith("http")) return false;
      const [file = "", fragment] = target.split("#");
      const path = file ? join(dirname(paper), file) : paper;
      return !existsSync(pathOf(path)) || (fragment !== undefined && !fragmentsOf(read(path)).includes(fragment));
    });
    expect([paper, missing]).toEqual([paper, []]);
  }
});

it("names a test file or benchmark that exists for each promise in SECURITY.md", () => {
  const text = read("SECURITY.md");
  const tests = [...text.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file = ""]) => file);
  const known = new Set(
    [...new Bun.Glob("scripts/bench/**/*.ts").scanSync(pathOf("."))].map((path) => basename(path, ".ts")),
  );
  const benchmarks = [...text.matchAll(/`bun run bench ([\w-]+)`/g)].map(([, name = ""]) => name);
  expect(tests.length).toBeGreaterThan(20);
  const missing = tests
    .map((file) => (/^(web|scripts)\//.test(file) ? file : `src/${file}`))
    .filter((file) => !existsSync(pathOf(file)));
  expect(missing).toEqual([]);
  expect(benchmarks.filter((name) => !known.has(name))).toEqual([]);
});
