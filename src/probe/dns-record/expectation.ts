/** Names and expected values as users write them, normalized for comparison with answers. */
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { Expectation, RecordType } from "../../shared/monitor-kinds/dns-record";
import { canonicalAddress } from "./data";

const LABEL = /^[a-z\d_*/-]{1,63}$/;
const MAX_NAME = 253;

/** A name in ASCII and lower case without the last dot, empty for the root; null for other texts. */
const canonicalName = (text: string): string | null => {
  const written = text.trim();
  if (written === ".") return "";
  const bare = written.replace(/\.$/, "");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with them.
  const name = /^[\u0000-\u007f]*$/.test(bare) ? bare.toLowerCase() : domainToASCII(bare);
  return name.length <= MAX_NAME && name.split(".").every((label) => LABEL.test(label)) ? name : null;
};

/** The reverse-lookup name of an address. @see https://www.rfc-editor.org/rfc/rfc3596#section-2.5 */
const reverseName = (address: string): string => {
  if (isIP(address) === 4) return `${address.split(".").reverse().join(".")}.in-addr.arpa`;
  const short = canonicalAddress(address, 6) ?? "";
  const [head = "", tail = ""] = short.split("::");
  const [before, after] = [head, tail].map((part) => (part === "" ? [] : part.split(":")));
  const zeros = Array(8 - (before?.length ?? 0) - (after?.length ?? 0)).fill("0");
  const groups = short.includes("::") ? [...(before ?? []), ...zeros, ...(after ?? [])] : (before ?? []);
  const digits = groups.map((group) => group.padStart(4, "0")).join("");
  return `${[...digits].reverse().join(".")}.ip6.arpa`;
};

/** The name that is asked for: of an address with PTR, its reverse name. Null when the text can't be asked for. */
export const queryName = (text: string, type: RecordType): string | null => {
  const written = text.trim().replace(/^\[(.*)\]$/, "$1");
  if (isIP(written) === 0) return canonicalName(written);
  return type === "PTR" && !written.includes("%") ? reverseName(written) : null;
};

const unquoted = (text: string): string =>
  /^".*"$/s.test(text) ? [...text.matchAll(/"([^"]*)"/g)].map(([, part]) => part).join("") : text;

/** Numbers of a certain count and a name, or the name alone. */
const numbersAndName = (text: string, count: number): string | null => {
  const parts = text.split(/\s+/);
  const name = canonicalName(parts.at(-1) ?? "");
  const numbers = parts.slice(0, -1);
  if (name === null || !numbers.every((part) => /^\d{1,5}$/.test(part))) return null;
  if (numbers.length === 0) return name;
  return numbers.length === count ? [...numbers.map(Number), name].join(" ") : null;
};

const hostAndPort = (text: string): string | null => {
  const [, host = "", port] = /^(\S+):(\d{1,5})$/.exec(text) ?? [];
  const name = port === undefined ? null : canonicalName(host);
  return name === null ? null : `${name}:${Number(port)}`;
};

const soa = (text: string): string | null => {
  const [server = "", contact, ...numbers] = text.split(/\s+/);
  const names = [server, ...(contact === undefined ? [] : [contact])].map(canonicalName);
  if (names.includes(null)) return null;
  if (contact === undefined) return names[0] ?? null;
  return numbers.length === 5 && numbers.every((part) => /^\d{1,10}$/.test(part))
    ? [...names, ...numbers].join(" ")
    : null;
};

const caa = (text: string): string => {
  const [, flags, tag = "", value = ""] = /^(\d{1,3})\s+([a-z\d]+)\s+(.*)$/is.exec(text) ?? [];
  return flags === undefined ? unquoted(text) : `${Number(flags)} ${tag.toLowerCase()} ${unquoted(value)}`;
};

/** An expected value as a record has it; null when no record of the type can have it. */
export const expectedText = (written: string, type: RecordType): string | null => {
  const text = written.trim();
  if (text === "") return null;
  switch (type) {
    case "A":
      return canonicalAddress(text, 4);
    case "AAAA":
      return canonicalAddress(text, 6);
    case "CNAME":
    case "NS":
    case "PTR":
      return canonicalName(text);
    case "MX":
      return numbersAndName(text, 1);
    case "SRV":
      return hostAndPort(text) ?? numbersAndName(text, 3);
    case "TXT":
      return unquoted(text);
    case "SOA":
      return soa(text);
    case "CAA":
      return caa(text);
  }
};

/** Whether records, each given by the texts that stand for it, are the expected ones. Their order does not matter. */
export const isExpected = ({ op, values }: Expectation, type: RecordType, records: string[][]): boolean => {
  const expected = values.map((value) => expectedText(value, type));
  const isFound = (value: string | null) => value !== null && records.some((texts) => texts.includes(value));
  if (op === "any") return expected.some(isFound);
  return (
    expected.every(isFound) &&
    (op === "contains" || records.every((texts) => texts.some((text) => expected.includes(text))))
  );
};
