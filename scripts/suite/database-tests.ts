import { basename, dirname } from "node:path";
import { readSources, type Source } from "../../src/testing/sources";

/** Makes one call of each operation that the API documents, so every route's SQL runs on PostgreSQL too. */
const EVERY_ROUTE = "src/modules/docs/answers.test.ts";
/** SQL that is not built by Drizzle, or code that depends on the engine. */
const HAND_WRITTEN = /\bsql(<[^`]*>)?`|\bprocessDialect\b|\b(db|database)\.engine\b/;

const isTest = (path: string): boolean => path.endsWith(".test.ts");

/** Whether a file imports src/testing/db, directly or through other files. */
const opensDatabase = (start: Source, sources: Map<string, Source>): boolean => {
  const seen = new Set<string>();
  const left = [start.path];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (path.startsWith("src/testing/db/")) return true;
    if (seen.has(path)) continue;
    seen.add(path);
    left.push(...(sources.get(path)?.files ?? []));
  }
  return false;
};

/** The module that a file belongs to, such as src/db or src/modules/monitors. */
const moduleOf = (path: string): string => /^src\/(modules\/)?[^/]+\//.exec(path)?.[0] ?? path;

/**
 * The files under test: the test itself, its direct imports from its own module, and the file with its name. Imports
 * from src/testing are helpers and not under test.
 */
const subjectsOf = ({ path, files }: Source, sources: Map<string, Source>): Source[] => {
  const namesake = `${dirname(path)}/${basename(path).split(".")[0]}.ts`;
  const ofModule = moduleOf(path) === "src/testing/" ? [] : files.filter((file) => moduleOf(file) === moduleOf(path));
  const subjects = [path, namesake, ...ofModule];
  return subjects.flatMap((file) => sources.get(file) ?? []);
};

/**
 * The test files below src that run on PostgreSQL as well: those that open a database and are about SQL written by hand,
 * and one call of each route. With `isFull`, all that open a database.
 */
export const postgresTests = ({ isFull }: { isFull: boolean }): string[] => {
  const sources = new Map(readSources("src").map((source) => [source.path, source]));
  return [...sources.values()]
    .filter((source) => isTest(source.path) && opensDatabase(source, sources))
    .filter(
      (source) =>
        isFull ||
        source.path === EVERY_ROUTE ||
        subjectsOf(source, sources).some(({ text }) => HAND_WRITTEN.test(text)),
    )
    .map(({ path }) => `./${path}`);
};
