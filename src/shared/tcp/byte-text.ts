/** Bytes that users write as text: with the escapes of a programming language, or as hexadecimal digits. */

const ESCAPES: Readonly<Record<string, number>> = { r: 13, n: 10, t: 9, "0": 0, "\\": 92 };
const ESCAPE = /\\(?:x([\da-fA-F]{2})|([rnt0\\]))/gy;

/** Decodes `hex:` with pairs of digits that may be separated by spaces. */
const hexBytes = (digits: string): Uint8Array | null => {
  const compact = digits.replaceAll(/\s/g, "");
  if (!/^(?:[\da-f]{2})*$/i.test(compact)) return null;
  return Uint8Array.from(compact.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
};

/**
 * The bytes that a text stands for: `hex:` and pairs of hexadecimal digits, or UTF-8 text with the escapes `\r`, `\n`,
 * `\t`, `\0`, `\\` and `\x` with two digits. Null when the digits or an escape are malformed.
 */
export const bytesOf = (text: string): Uint8Array | null => {
  if (/^hex:/i.test(text)) return hexBytes(text.slice(4));
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf("\\", at);
    const end = next < 0 ? text.length : next;
    for (const byte of encoder.encode(text.slice(at, end))) bytes.push(byte);
    if (next < 0) break;
    ESCAPE.lastIndex = next;
    const match = ESCAPE.exec(text);
    if (!match) return null;
    bytes.push(match[1] === undefined ? (ESCAPES[match[2] as string] as number) : Number.parseInt(match[1], 16));
    at = ESCAPE.lastIndex;
  }
  return Uint8Array.from(bytes);
};
