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

/** Forms that define by a relative clause where a noun would do. */
const INDIRECT = [
  /\b(?:that|those) of\b/gi,
  /\b(?:of|by|in|with|from|after|before|for|to|on|at|under|over|through|within|during) which\b/gi,
  /\bsince when\b/gi,
  /\bwhatever became\b/gi,
  /\bis none\b/gi,
  /(?:^|[.:;] |\b(?:the|of) )what (?:is|was|has|are|were|have|an?|the|it|they|each|every|one)\b/gi,
  /\bone (?:that|who|which|whose)\b|\bthe one (?:before|after|of|in|with)\b/gi,
  /\bsuch an? |\bso many\b|\bas good as\b|\bwhatever the\b|\bis looked at\b/gi,
];
/** Lower it when comments improve; never raise it. */
const INDIRECT_MAX = 35;

const commentsOf = (text: string): string[] =>
  [...text.matchAll(PIECE)]
    .map(([piece]) => piece)
    .filter((piece) => piece.startsWith("/"))
    .map((comment) => comment.replace(/^\/\*+\s*|^\/\/ ?|\s*\*\/$/g, "").replace(/\s*\n\s*\*? ?/g, " "));

it(`comments define by nouns, and in at most ${INDIRECT_MAX} places by relative clauses`, () => {
  const found = readSources("src", "web", "scripts")
    .filter(({ path }) => !/^web\/locales\/|language\.test\.ts$/.test(path))
    .flatMap(({ path, text }) => commentsOf(text).map((comment) => ({ path, comment })))
    .flatMap(({ path, comment }) =>
      INDIRECT.flatMap((form) => (comment.match(form) ?? []).map((match) => `${path}: “${match}” in “${comment}”`)),
    );
  expect(found.length > INDIRECT_MAX ? found : []).toEqual([]);
});
