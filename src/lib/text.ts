/** Control characters, line separators and characters that change the direction of a line. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text from outside for one line of a log or a list: unsafe characters replaced, and cut to a length. */
export const cleanText = (text: string, length: number): string =>
  text.slice(0, length).replace(UNSAFE, "\ufffd").toWellFormed();
