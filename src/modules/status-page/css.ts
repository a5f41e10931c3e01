import { tokenize, tokenTypes } from "css-tree/tokenizer";
import { string } from "css-tree/utils";

/** A token of a stylesheet: its CSS token type, its source, and the text that is written for it, or null if it is refused. */
type Token = { type: number; source: string; output: string | null };

const T = tokenTypes;

/** At-rules that only group rules. Every other at-rule can load something or reaches beyond the rules it contains. */
const AT_RULES = /^@(media|supports|container|layer|scope|keyframes|-webkit-keyframes)$/;
/** Functions that load or draw something that is not in the stylesheet, with or without a vendor prefix. */
const FUNCTIONS = /(url|src|image|image-set|cross-fade|element|expression|paint|filter|document|domain|regexp)$/;
/** Address schemes, and the filters of old versions of Internet Explorer. */
const SCHEMES = /(javascript|vbscript|data|progid)$/;
/** Properties that ran code in old browsers. */
const PROPERTIES = /(-moz-binding|behaviou?r)$/;
const CLOSING = new Map([
  [T.Function, T.RightParenthesis],
  [T.LeftParenthesis, T.RightParenthesis],
  [T.LeftSquareBracket, T.RightSquareBracket],
]);
const NEVER_KEPT = new Set([T.Url, T.BadUrl, T.BadString, T.AtKeyword, T.CDO, T.CDC]);

/** The maximum depth of nested blocks; deeper ones are removed. */
const MAX_DEPTH = 16;
/** The number of removed parts that are reported, and the characters of each. */
const REPORTED = 20;
const EXCERPT = 120;

/** A name in the form that is compared: full-width and other compatibility characters are replaced by the usual ones. */
const nameOf = (source: string): string => source.normalize("NFKC").toLowerCase();

/** A string in one spelling, without markup and without the limits of a comment. */
const writeString = (source: string): string =>
  string
    .encode(string.decode(source), source.startsWith("'"))
    .replaceAll("<", "\\3c ")
    .replaceAll("*/", "*\\2f ")
    .replaceAll("/*", "/\\2a ");

/** The text that is written for a token, or null if every part that contains it is removed. */
const outputOf = (type: number, source: string): string | null => {
  if (type === T.WhiteSpace) return " ";
  if (type === T.String) return writeString(source);
  // An escape outside of strings can only hide a name, as in `\75rl(`.
  if (NEVER_KEPT.has(type) || source.includes("\\") || source === "@") return null;
  const name = nameOf(source);
  if (type === T.Function && FUNCTIONS.test(name.slice(0, -1))) return null;
  if ((type === T.Ident || type === T.Function) && /[^\w\u0080-\u{10ffff}(-]|.\(./u.test(name)) return null;
  return source;
};

/** The tokens of a stylesheet; white space and comments that follow each other are one token. */
const readTokens = (css: string): Token[] => {
  const tokens: Token[] = [];
  // The line breaks turn a string that is still open at the end into a broken one.
  const input = `${css.replaceAll("\0", "")}\n\n`;
  tokenize(input, (found, start, end) => {
    const type = found === T.Comment ? T.WhiteSpace : found;
    if (type === T.WhiteSpace && tokens.at(-1)?.type === type) return;
    const source = type === T.WhiteSpace ? " " : input.slice(start, end);
    tokens.push({ type, source, output: outputOf(type, source) });
  });
  return tokens;
};

const isBalanced = (tokens: Token[]): boolean => {
  const open: number[] = [];
  for (const { type } of tokens) {
    const closing = CLOSING.get(type);
    if (closing !== undefined) open.push(closing);
    else if ((type === T.RightParenthesis || type === T.RightSquareBracket) && open.pop() !== type) return false;
  }
  return open.length === 0;
};

/** Whether the following tokens make a token unsafe: a scheme, `url (`, two slashes, the end of a comment, or markup. */
const isUnsafeBefore = ({ type, source }: Token, second?: Token, third?: Token): boolean => {
  const next = second?.type === T.WhiteSpace ? third : second;
  if (source === "/") return next?.source === "/";
  // The end of a comment could close a comment that starts in another part.
  if (source === "*") return second?.source === "/";
  // A comparison in a media query is followed by a blank, `=` or a digit; markup is not.
  if (source === "<") return !/^[\s=\d]/.test(second?.source ?? "");
  if (type === T.String) return false;
  const name = nameOf(source);
  if (next?.type === T.LeftParenthesis && FUNCTIONS.test(name)) return true;
  return PROPERTIES.test(name) || (next?.type === T.Colon && SCHEMES.test(name));
};

/** The text that is written for a prelude or a declaration, or null if it contains anything that is refused. */
const write = (tokens: Token[]): string | null => {
  if (!isBalanced(tokens)) return null;
  let text = "";
  for (const [index, token] of tokens.entries()) {
    if (token.output === null || isUnsafeBefore(token, tokens[index + 1], tokens[index + 2])) return null;
    text += token.output;
  }
  return text.trim();
};

const isDeclaration = (tokens: Token[]): boolean => {
  const [name, colon, value] = tokens.filter(({ type }) => type !== T.WhiteSpace);
  return name?.type === T.Ident && colon?.type === T.Colon && value !== undefined;
};

/** The text that is written for the prelude of a block, with its at-rule if that is allowed; null if it is refused. */
const writePrelude = (tokens: Token[]): string | null => {
  const first = tokens.findIndex(({ type }) => type !== T.WhiteSpace);
  const rule = tokens[first];
  if (rule?.type !== T.AtKeyword) return write(tokens) || null;
  const prelude = AT_RULES.test(rule.source.toLowerCase()) ? write(tokens.slice(first + 1)) : null;
  return prelude === null ? null : `${rule.source} ${prelude}`.trim();
};

const sourceOf = (tokens: Token[]): string => tokens.map(({ source }) => source).join("");

const clean = (css: string): { css: string; dropped: string[] } => {
  const tokens = readTokens(css);
  const dropped: string[] = [];
  let at = 0;

  const drop = (text: string): void => {
    const excerpt = text.replace(/\s+/g, " ").trim();
    if (excerpt !== "" && dropped.length < REPORTED) dropped.push(excerpt.slice(0, EXCERPT));
  };

  const skipBlock = (): void => {
    for (let open = 1; at < tokens.length && open > 0; at++) {
      if (tokens[at]?.type === T.LeftCurlyBracket) open++;
      if (tokens[at]?.type === T.RightCurlyBracket) open--;
    }
  };

  const readPart = (depth: number): Token[] => {
    // Between top-level rules, the limits of an HTML comment count as white space.
    while (
      depth === 0 &&
      (tokens[at]?.type === T.CDO || tokens[at]?.type === T.CDC || tokens[at]?.type === T.WhiteSpace)
    )
      at++;
    const begin = at;
    const ends = [T.LeftCurlyBracket, T.RightCurlyBracket, T.Semicolon];
    while (at < tokens.length && !ends.includes(tokens[at]?.type ?? T.EOF)) at++;
    return tokens.slice(begin, at);
  };

  const readBlock = (depth: number): string => {
    const rules: string[] = [];
    while (at < tokens.length) {
      const part = readPart(depth);
      const end = tokens[at++]?.type;
      if (end !== T.LeftCurlyBracket) {
        const declaration = depth > 0 && isDeclaration(part) ? write(part) : null;
        if (declaration !== null) rules.push(`${declaration};`);
        else drop(sourceOf(part));
        if (end === T.RightCurlyBracket && depth > 0) break;
        continue;
      }
      const prelude = depth < MAX_DEPTH ? writePrelude(part) : null;
      if (prelude !== null) rules.push(`${prelude} {\n${readBlock(depth + 1)}\n}`);
      else {
        skipBlock();
        drop(`${sourceOf(part)} { … }`);
      }
    }
    return rules.join("\n");
  };
  return { css: readBlock(0), dropped };
};

/**
 * Sanitizes a stylesheet: removes rules and declarations that could load or run something or change more than the page's
 * appearance, and closes open blocks. The result is written from the checked tokens, so a refused function, at-rule or
 * address cannot appear in it, however a browser nests the rules. `dropped` lists the beginnings of the removed parts, at
 * most 20 of them.
 */
export const sanitizeCss = (css: string): { css: string; dropped: string[] } => {
  const cleaned = clean(css);
  // A browser could also read a result differently if sanitizing it again changes it.
  if (clean(cleaned.css).css !== cleaned.css) return { css: "", dropped: [css.trim().slice(0, EXCERPT)] };
  return cleaned;
};

/** The sanitized form of a stylesheet. */
export const cleanCss = (css: string): string => sanitizeCss(css).css;
