import { expect, it } from "bun:test";
import { readSources } from "../sources";

const BANNED =
  /\b(whoever|nobody|somebody|anew)\b|patience|trouble|oddit|forgive|\b(tell|tells|told|telling) of\b|Nobody|Whoever|Anew/i;

/** Comments and identifiers: strings may be texts for users. */
const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/;
const PIECE = new RegExp(`/\\*[\\s\\S]*?\\*/|//[^\\n]*|${STRING.source}`, "g");
const withoutStrings = (text: string): string => text.replace(PIECE, (piece) => (piece.startsWith("/") ? piece : '""'));

/** Files that still hold such words. The list may only become shorter. */
const NOT_YET = new Set([
  "scripts/bench/faults/connections.ts",
  "src/agent/send/send.test.ts",
  "src/modules/agents/ingest/offline.test.ts",
  "src/modules/agents/install/downloads.test.ts",
]);

it("comments and identifiers use the terms of the glossary, and none of the words it replaces", () => {
  const found = readSources("src", "web", "scripts").filter(
    ({ path, text }) => !/^web\/locales\/|language\.test\.ts$/.test(path) && BANNED.test(withoutStrings(text)),
  );
  expect(found.map(({ path }) => path).filter((path) => !NOT_YET.has(path))).toEqual([]);
});
