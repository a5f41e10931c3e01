/** The addresses of kinds: a field with one of two schemes, and the host. */
import { t } from "elysia";
import type { FieldError } from "../../../core/errors";
import { hostOf } from "../../../probe/url";
import { field } from "../../../server/schema";
import { LIMITS } from "../../../shared/limits";
import type { Config } from "./kind";

/** "an http:// or https:// address", as its schemes are said. */
const addressOf = (plain: string, secure: string): string =>
  `${plain === "http" ? "an" : "a"} ${plain}:// or ${secure}:// address`;

/** An address with one of two schemes, the second of which stands for TLS, as it is sent. */
export const addressField = (plain: string, secure: string, example: string) => {
  const error = `expected ${addressOf(plain, secure)} of at most ${LIMITS.url} characters`;
  return field(
    t.String({ maxLength: LIMITS.url, pattern: "\\S", error }),
    `${addressOf(plain, secure).replace(/^a/, "A")} of at most ${LIMITS.url.toLocaleString("en-US")} characters.`,
    example,
  );
};

/** What is wrong with an address beyond its schema; `more` finds what a kind does not accept in it. */
export const addressProblems = (
  { url: sent }: Config,
  plain: string,
  secure: string,
  more: (url: URL) => string | null = () => null,
): FieldError[] => {
  if (typeof sent !== "string") return [];
  const url = URL.parse(sent.trim());
  const isKnown = url !== null && [`${plain}:`, `${secure}:`].includes(url.protocol) && url.hostname !== "";
  const message = isKnown ? more(url) : `expected ${addressOf(plain, secure)}`;
  return message === null ? [] : [{ path: "url", message: `url: ${message}` }];
};

/** The host of an address, without the brackets of IPv6; empty for a text that is none. */
export const hostOfAddress = (text: string): string => {
  const url = URL.parse(text);
  return url ? hostOf(url) : "";
};
