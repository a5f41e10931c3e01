import { expect, it } from "bun:test";
import { readSources, type Source } from "../sources";

const sources = readSources("src", "web", "scripts");
// Benchmarks and faults are found by their folder.
const product = sources.filter(({ path }) => !/\.test\.tsx?$|^scripts\/bench\/(?!lib\/)/.test(path));

/** The names that a file imports: `a`, `type b`, `c as d`, the used members of `import * as e`, and `(await import(…)).f`. */
const importedNames = ({ text }: Source): string[] => {
  const lists = [/^import(?: type)? \{([^}]*)\} from "\./gm, /\{([^{}]*)\} = await import\("\./g];
  const listed = lists.flatMap((list) => [...text.matchAll(list)].flatMap(([, names = ""]) => names.split(",")));
  const whole = [...text.matchAll(/^import \* as (\w+) from "\./gm)].map(([, name]) => `\\b${name}`);
  const members = new RegExp(`(?:${[...whole, 'import\\("\\.[^"]*"\\)\\)?'].join("|")})\\.(\\w+)`, "g");
  return [
    ...listed.map((name) => /^\s*(?:type )?(\w+)/.exec(name)?.[1] ?? ""),
    ...[...text.matchAll(members)].map(([, name = ""]) => name),
  ];
};

it("every export is imported by another file", () => {
  const imported = new Set(sources.flatMap(importedNames));
  const exports = ({ path, text }: Source) =>
    [...text.matchAll(/^export (?:const|function\*?|type|class) (\w+)/gm)].map(([, name = ""]) => ({ path, name }));
  const unused = product.flatMap(exports).filter(({ name }) => !imported.has(name));
  expect(unused.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
});
