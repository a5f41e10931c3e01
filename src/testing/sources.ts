import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const root = join(import.meta.dir, "../..");

/** A source file: its path from the root, its text, and what it imports when it runs, types left out. */
export type Source = {
  path: string;
  text: string;
  lines: number;
  /** Paths from the root of our own files. */
  files: string[];
  /** Names of libraries and built-ins. */
  libraries: string[];
};

const ENDINGS = ["", ".ts", ".tsx"];

const locate = (from: string, specifier: string): string => {
  const path = normalize(join(dirname(from), specifier));
  const ending = ENDINGS.find((end) => existsSync(join(root, path + end)) && /\.\w+$/.test(path + end));
  return path + (ending ?? "");
};

const readSource = (path: string): Source => {
  const text = readFileSync(join(root, path), "utf8");
  const transpiler = new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts" });
  const specifiers = transpiler.scanImports(text).map((found) => found.path);
  const [own, others] = [
    specifiers.filter((name) => name.startsWith(".")),
    specifiers.filter((name) => !name.startsWith(".")),
  ];
  return {
    path,
    text,
    lines: text.split("\n").length - 1,
    files: own.map((specifier) => locate(path, specifier)),
    libraries: others,
  };
};

/** All source files under these folders. */
export const readSources = (...folders: string[]): Source[] =>
  folders
    .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync({ cwd: root })])
    .filter((path) => !path.endsWith(".d.ts") && !path.includes("node_modules"))
    .toSorted()
    .map(readSource);

/** All stylesheets of the page. */
export const readStylesheets = (): Pick<Source, "path" | "lines">[] =>
  [...new Bun.Glob("web/**/*.css").scanSync({ cwd: root })].map((path) => ({
    path,
    lines: readFileSync(join(root, path), "utf8").split("\n").length - 1,
  }));

/** Cycles of imports, each from its first file on. */
export const findCycles = (sources: Source[]): string[][] => {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) return void cycles.push([...trail.slice(start), path]);
    if (done.has(path)) return;
    for (const next of byPath.get(path)?.files ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return cycles;
};
