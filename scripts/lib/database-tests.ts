/**
 * Prints the test files below src that open a database, one a line: those that import src/testing/db, directly or through
 * other files. Only they give another result on another engine.
 */
import { readSources, type Source } from "../../src/testing/sources";

const sources = new Map(readSources("src").map((source) => [source.path, source]));

const opensDatabase = (start: Source): boolean => {
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

for (const source of sources.values())
  if (/\.test\.ts$/.test(source.path) && opensDatabase(source)) console.log(`./${source.path}`);
