import type { Message } from "./kind";

/** How a message's `text` is written, and how long it may be, in UTF-16 code units. */
export type TextFormat = { flavour: "plain" | "html"; limit: number };

const html = ({ title, lines, link }: Message): string => {
  const paragraphs = lines.map((line) => `<p style="margin:0 0 6px">${Bun.escapeHTML(line)}</p>`).join("");
  const button = link ? `<p><a href="${Bun.escapeHTML(link)}">${Bun.escapeHTML(link)}</a></p>` : "";
  return `<div style="font-family:sans-serif;font-size:15px"><h2 style="font-size:18px">${Bun.escapeHTML(title)}</h2>${paragraphs}${button}</div>`;
};

/** A message that is too long is cut before its link, between characters. */
const plain = ({ title, lines, link }: Message, limit: number): string => {
  const end = link ? `\n${link}` : "";
  const text = [title, ...lines].join("\n").slice(0, limit - end.length);
  return text.toWellFormed() + end;
};

/** The whole message as one text. Messages are bounded, and HTML is never cut. */
export const textOf = (message: Message, { flavour, limit }: TextFormat): string =>
  flavour === "html" ? html(message) : plain(message, limit);
