import { expect, it } from "bun:test";
import { readSources } from "../sources";

const BANNED =
  /\b(whoever|nobody|somebody|anew|meanwhile)\b|patience|trouble|oddit|forgive|\b(tell|tells|told|telling) of\b|Nobody|Whoever|Anew/i;

/** Comments and identifiers: strings may be texts for users. */
const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/;
const PIECE = new RegExp(`/\\*[\\s\\S]*?\\*/|//[^\\n]*|${STRING.source}`, "g");
const withoutStrings = (text: string): string => text.replace(PIECE, (piece) => (piece.startsWith("/") ? piece : '""'));

it("comments and identifiers use the terms of the glossary, and none of the words it replaces", () => {
  const found = readSources("src", "web", "scripts").filter(
    ({ path, text }) => !/^web\/locales\/|language\.test\.ts$/.test(path) && BANNED.test(withoutStrings(text)),
  );
  expect(found.map(({ path }) => path)).toEqual([]);
});
