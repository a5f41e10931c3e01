/** One piece of a stylesheet: a whole string, or a single character. */
type Piece = { text: string; isString: boolean };

/** Blocks that only say when the rules inside them count. Any other at-rule may load something. */
const AT_BLOCKS = /^@(media|supports|container|layer|scope|keyframes|-webkit-keyframes)\b/;
/** Functions that load, draw or compute something that is not in the stylesheet itself. */
const FUNCTIONS = /(url|src|image|image-set|cross-fade|element|expression|paint|filter|document|domain|regexp)\s*\(/;
/** Filters of colour and light are no danger. */
const HARMLESS = /(backdrop-filter|filter)\s*:/g;
const WORDS = /javascript:|vbscript:|data:|progid:|\/\/|\/\*|\*\/|-moz-binding|behaviou?r\s*:|@/;
const PROPERTY = /^\s*(--[\w-]+|-?[a-z][a-z-]*)\s*:\s*\S/i;

/** A string that ends where it began, or null when its line ends first. */
const readString = (css: string, start: number): { end: number; text: string | null } => {
  const quote = css[start];
  let at = start + 1;
  while (at < css.length && css[at] !== quote) {
    if (css[at] === "\n") return { end: at, text: null };
    at += css[at] === "\\" ? 2 : 1;
  }
  if (at >= css.length) return { end: css.length, text: null };
  const text = css.slice(start, at + 1);
  // Neither markup nor the limits of a comment appear in the result, so that no parser can take a string for them.
  return {
    end: at + 1,
    text: text.replaceAll("<", "\\3c ").replaceAll("*/", "*\\2f ").replaceAll("/*", "/\\2a "),
  };
};

/** Stands where something cannot be judged, and has what it is part of left out: a broken string, or an escape outside of strings, as in `\75rl(`. */
const REFUSED = "@";

/** The pieces of a stylesheet, without its comments. */
const split = (css: string): Piece[] => {
  const pieces: Piece[] = [];
  for (let at = 0; at < css.length; ) {
    const character = css[at] as string;
    if (css.startsWith("/*", at)) {
      const end = css.indexOf("*/", at + 2);
      at = end < 0 ? css.length : end + 2;
      pieces.push({ text: " ", isString: false });
    } else if (character === '"' || character === "'") {
      const { end, text } = readString(css, at);
      at = end;
      pieces.push(text === null ? { text: REFUSED, isString: false } : { text, isString: true });
    } else {
      at++;
      // A comparison in a media query is followed by a blank or `=`; markup is not.
      const markup = character === "<" && !/[\s=\d]/.test(css[at] ?? "");
      // A blank takes the place of what is removed: what stands on both sides must not join, as in `/<*`.
      const text = markup ? " " : character === "\\" ? REFUSED : character;
      pieces.push({ text, isString: false });
    }
  }
  return pieces;
};

/** A stretch of a stylesheet, as it is written out and as it is judged: its strings say nothing. */
const join = (pieces: Piece[]) => ({
  text: pieces
    .map(({ text }) => text)
    .join("")
    .trim(),
  bare: pieces
    .map(({ text, isString }) => (isString ? '""' : text))
    .join("")
    .normalize("NFKC")
    .toLowerCase()
    .trim(),
});

const isBalanced = (bare: string): boolean => {
  const open: string[] = [];
  for (const character of bare) {
    if (character === "(") open.push(")");
    if (character === "[") open.push("]");
    if ((character === ")" || character === "]") && open.pop() !== character) return false;
  }
  return open.length === 0;
};

const isSafe = (bare: string): boolean =>
  isBalanced(bare) && bare.replace(HARMLESS, ":").search(FUNCTIONS) < 0 && !WORDS.test(bare);

const MAX_DEPTH = 16;
/** Left-out pieces that are reported, and characters of each. */
const REPORTED = 20;
const EXCERPT = 120;

/**
 * Makes a stylesheet harmless: what could load, run or reach beyond the page's looks is left out, rule by rule and
 * declaration by declaration, and what was left open is closed. `dropped` lists the beginnings of what was left out, at
 * most 20 of them.
 */
export const sanitizeCss = (css: string): { css: string; dropped: string[] } => {
  const cleaned = clean(css);
  // A result that does not read back as itself could be read in another way by a browser, too.
  if (/\/\*|\*\//.test(cleaned.css) || clean(cleaned.css).css !== cleaned.css)
    return { css: "", dropped: [css.trim().slice(0, EXCERPT)] };
  return cleaned;
};

/** The harmless part of a stylesheet. */
export const cleanCss = (css: string): string => sanitizeCss(css).css;

const clean = (css: string): { css: string; dropped: string[] } => {
  const pieces = split(
    css
      .replaceAll("\r\n", "\n")
      .replace(/[\r\f]/g, "\n")
      .replaceAll("\0", ""),
  );
  const dropped: string[] = [];
  let at = 0;

  const drop = (text: string): void => {
    const excerpt = text.replace(/\s+/g, " ").trim();
    if (excerpt !== "" && dropped.length < REPORTED) dropped.push(excerpt.slice(0, EXCERPT));
  };

  const skipBlock = (): void => {
    for (let open = 1; at < pieces.length && open > 0; at++) {
      const { text, isString } = pieces[at] as Piece;
      if (!isString && text === "{") open++;
      if (!isString && text === "}") open--;
    }
  };

  const readBlock = (depth: number): string => {
    const kept: string[] = [];
    while (at < pieces.length) {
      const begin = at;
      while (at < pieces.length && (pieces[at]?.isString || !/^[{};]$/.test(pieces[at]?.text ?? ""))) at++;
      const { text, bare } = join(pieces.slice(begin, at));
      const end = pieces[at++]?.text;
      if (end !== "{") {
        if (depth > 0 && PROPERTY.test(text) && isSafe(bare)) kept.push(`${text};`);
        else drop(text);
        if (end === "}" && depth > 0) break;
      } else if (depth < MAX_DEPTH && bare !== "" && isSafe(AT_BLOCKS.test(bare) ? bare.slice(1) : bare)) {
        kept.push(`${text} {\n${readBlock(depth + 1)}\n}`);
      } else {
        skipBlock();
        drop(`${text} { … }`);
      }
    }
    return kept.join("\n");
  };
  return { css: readBlock(0), dropped };
};
