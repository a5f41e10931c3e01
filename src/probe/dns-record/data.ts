/** The data of DNS records as texts, and names in messages. */
import { isIP } from "node:net";
import type { RecordType } from "../../shared/monitor-kinds/dns-record";

/** The bytes are not a valid DNS message. */
export class Malformed extends Error {
  override name = "Malformed";
}

const MAX_NAME = 255;
/** Jumps within a name. Each goes back, and this many are more than any server uses. */
const MAX_JUMPS = 64;

/** A label as zone files have it: lower case, with other bytes as `\DDD`. */
const labelText = (label: Buffer): string =>
  label
    .toString("latin1")
    .toLowerCase()
    .replace(/[^!-~]|[.\\]/g, (character) => `\\${String(character.charCodeAt(0)).padStart(3, "0")}`);

/**
 * Reads a name, which may refer to an earlier part of the message. `end` is where what follows it begins.
 * @throws {Malformed | RangeError}
 */
export const readName = (bytes: Buffer, start: number): { name: string; end: number } => {
  const labels: string[] = [];
  let [at, length, jumps, end] = [start, 0, 0, -1];
  for (;;) {
    const size = bytes.readUInt8(at);
    if (size === 0) return { name: labels.join("."), end: end < 0 ? at + 1 : end };
    if (size >= 192) {
      const target = bytes.readUInt16BE(at) & 0x3fff;
      if (end < 0) end = at + 2;
      if (target >= at || ++jumps > MAX_JUMPS) throw new Malformed();
      at = target;
      continue;
    }
    length += size + 1;
    if (size > 63 || length > MAX_NAME || at + 1 + size > bytes.length) throw new Malformed();
    labels.push(labelText(bytes.subarray(at + 1, at + 1 + size)));
    at += size + 1;
  }
};

/** An IPv6 address in its short form. */
const shortIpv6 = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1);

/** The canonical form of an IP address, for comparison; null for other texts. */
export const canonicalAddress = (text: string, family: 4 | 6): string | null => {
  if (isIP(text) !== family || text.includes("%")) return null;
  return family === 4 ? text : shortIpv6(text);
};

const ipv6 = (bytes: Buffer): string =>
  shortIpv6(Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16)).join(":"));

/** The strings of a TXT record as one text. */
const joinStrings = (bytes: Buffer): string => {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + bytes.readUInt8(at);
    if (end > bytes.length) throw new Malformed();
    parts.push(bytes.subarray(at + 1, end));
    at = end;
  }
  return Buffer.concat(parts).toString();
};

/** A name that has to end where the data of its record ends. */
const lastName = (bytes: Buffer, start: number, end: number): string => {
  const name = readName(bytes, start);
  if (name.end !== end) throw new Malformed();
  return name.name;
};

const soa = (bytes: Buffer, start: number, end: number): string[] => {
  const server = readName(bytes, start);
  const contact = readName(bytes, server.end);
  if (contact.end + 20 !== end) throw new Malformed();
  const numbers = [0, 4, 8, 12, 16].map((offset) => bytes.readUInt32BE(contact.end + offset));
  return [[server.name, contact.name, ...numbers].join(" "), server.name];
};

const caa = (bytes: Buffer): string[] => {
  const [flags, size] = [bytes.readUInt8(0), bytes.readUInt8(1)];
  if (2 + size > bytes.length) throw new Malformed();
  const tag = bytes.toString("latin1", 2, 2 + size).toLowerCase();
  const value = bytes.toString("utf8", 2 + size);
  return [`${flags} ${tag} ${value}`, value];
};

/**
 * The texts that match a record: its whole data, then shorter forms.
 * @throws {Malformed | RangeError}
 */
export const dataOf = (type: RecordType, message: Buffer, start: number, end: number): string[] => {
  const bytes = message.subarray(start, end);
  switch (type) {
    case "A":
      if (bytes.length !== 4) throw new Malformed();
      return [bytes.join(".")];
    case "AAAA":
      if (bytes.length !== 16) throw new Malformed();
      return [ipv6(bytes)];
    case "CNAME":
    case "NS":
    case "PTR":
      return [lastName(message, start, end)];
    case "MX": {
      const host = lastName(message, start + 2, end);
      return [`${bytes.readUInt16BE(0)} ${host}`, host];
    }
    case "SRV": {
      const host = lastName(message, start + 6, end);
      const [priority, weight, port] = [0, 2, 4].map((offset) => bytes.readUInt16BE(offset));
      return [`${priority} ${weight} ${port} ${host}`, `${host}:${port}`, host];
    }
    case "TXT":
      return [joinStrings(bytes)];
    case "SOA":
      return soa(message, start, end);
    case "CAA":
      return caa(bytes);
  }
};
