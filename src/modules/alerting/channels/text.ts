/** Something to do about a message: a page to open, and the word for it, which has no markup. */
export type MessageAction = { label: string; url: string };

/** A message in its plain form. A channel kind escapes it for its provider. */
export type Message = { title: string; lines: string[]; link: string | null; action?: MessageAction | null };

/**
 * The markup of a provider's texts. In `entities`, `&`, `<` and `>` are escaped; in `markdown`, a backslash makes
 * punctuation literal.
 */
type Flavour = "plain" | "entities" | "markdown";

/**
 * How a message's text is written, and how long it may be: in UTF-16 code units, or in bytes of UTF-8. With `spaced` an empty
 * line is before the links.
 */
export type TextFormat = { flavour: Flavour; limit: number; unit?: "bytes"; spaced?: true };

/** `text` is all of a message, and `body` the same without its title. */
export type Rendered = { text: string; body: string };

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const PUNCTUATION = /[!-/:-@[-`{-~]/;

const ESCAPES: Record<Flavour, (character: string) => string> = {
  plain: (character) => character,
  entities: (character) => ENTITIES[character] ?? character,
  markdown: (character) => (PUNCTUATION.test(character) ? `\\${character}` : character),
};

/** A text as a provider shows it literally. */
export const escapeText = (flavour: Flavour, text: string): string => Array.from(text, ESCAPES[flavour]).join("");

/** Escapes as many characters as fit into `limit`: never a part of one. */
const escapeWithin = (text: string, flavour: Flavour, limit: number, size: (text: string) => number) => {
  const toLiteral = ESCAPES[flavour];
  let left = limit;
  let escaped = "";
  for (const character of text.toWellFormed()) {
    const next = toLiteral(character);
    left -= size(next);
    if (left < 0) break;
    escaped += next;
  }
  return escaped;
};

const sizeIn = ({ unit }: TextFormat): ((text: string) => number) =>
  unit === "bytes" ? (text) => Buffer.byteLength(text) : (text) => text.length;

/** The colon of the language that a label is in. */
const colonAfter = (label: string): string => (/\p{Script=Han}$/u.test(label) ? "：" : ": ");

/**
 * The links of a message, each in a line of its own. Links are left as they are: no escape belongs into one. The text comes
 * first: an action is left out where the links would take more than half of the room.
 */
const linesOfLinks = ({ link, action }: Message, format: TextFormat): string[] => {
  const size = sizeIn(format);
  const own = link ? [link] : [];
  const all = action ? [`${action.label}${colonAfter(action.label)}${action.url}`, ...own] : own;
  return size(all.join("\n")) <= format.limit / 2 ? all : own;
};

/** Escapes a text around the links in it. */
const escapeAround = (text: string, [link, ...others]: readonly string[], flavour: Flavour): string =>
  link === undefined
    ? escapeText(flavour, text.toWellFormed())
    : text
        .split(link)
        .map((piece) => escapeAround(piece, others, flavour))
        .join(link);

/** Whether a text has a link, and not only a longer one that begins with it. */
const hasLink = (text: string, url: string): boolean =>
  text
    .split(url)
    .slice(1)
    .some((rest) => !/^[\w/?#%-]/.test(rest));

/**
 * Lines and the links after them as one text. Links that are in the lines already are not repeated. What is too long is cut
 * before the links.
 */
const join = (lines: string[], message: Message, format: TextFormat): string => {
  const { limit, flavour, spaced } = format;
  const size = sizeIn(format);
  const text = (spaced ? [...lines, ""] : lines).join("\n");
  const links = linesOfLinks(message, format);
  const named = [message.action?.url, message.link].filter((url) => typeof url === "string" && hasLink(text, url));
  if (named.length > 0) {
    const others = links.filter((line) => !named.some((url) => line.endsWith(url ?? "")));
    const whole = [escapeAround(text, named as string[], flavour), ...others].join("\n");
    if (size(whole) <= limit) return whole;
  }
  const end = links.map((line) => `\n${line}`).join("");
  return escapeWithin(text, flavour, limit - size(end), size) + end;
};

/** Whether all of a message fits into a format. */
export const fits = (message: Message, format: TextFormat): boolean => {
  const text = escapeText(format.flavour, [message.title, ...message.lines].join("\n"));
  return sizeIn(format)([text, ...linesOfLinks(message, format)].join("\n")) <= format.limit;
};

/** A message in a kind's format. */
export const renderMessage = (message: Message, format: TextFormat): Rendered => {
  const { title, lines } = message;
  return { text: join([title, ...lines], message, format), body: join(lines, message, format) };
};
