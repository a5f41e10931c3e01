/**
 * Writes DNS queries and reads answers. Reading is bounded and never throws, also for malformed answers.
 * @see https://www.rfc-editor.org/rfc/rfc1035#section-4
 */
import { RECORD_TYPES, type RecordType } from "../../shared/monitor-kinds/dns-record";
import { dataOf, Malformed, readName } from "./data";

const TYPE_NUMBERS: Record<RecordType, number> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  CAA: 257,
};
const TYPE_NAMES = new Map(RECORD_TYPES.map((type) => [TYPE_NUMBERS[type], type]));

const OPT = 41;
const INTERNET = 1;
const HEADER = 12;

/** The size of answers by UDP, which crosses every network in one piece. @see https://www.dnsflagday.net/2020/ */
const UDP_SIZE = 1232;

/** A name as it is asked: in ASCII and lower case, without the last dot; empty for the root. */
export type Query = { id: number; name: string; type: RecordType };

/** A record of an answer. `data` are the texts that match it: its whole data, then shorter forms. */
type ResourceRecord = { name: string; type: RecordType; data: string[] };

export type Answer = {
  /** The response code. @see https://www.iana.org/assignments/dns-parameters#dns-parameters-6 */
  code: number;
  truncated: boolean;
  /** Whether the server answers for the zone, and whether it asks others on behalf of its clients. */
  authoritative: boolean;
  recursive: boolean;
  answers: ResourceRecord[];
  authorities: ResourceRecord[];
};

/** Writes a query. With `extended`, the answer may have up to 1,232 bytes by UDP instead of 512. */
export const writeQuery = ({ id, name, type }: Query, extended: boolean): Buffer => {
  const labels = name === "" ? [] : name.split(".");
  const question = Buffer.concat([
    ...labels.flatMap((label) => [Buffer.from([Buffer.byteLength(label)]), Buffer.from(label)]),
    Buffer.from([0, TYPE_NUMBERS[type] >> 8, TYPE_NUMBERS[type] & 255, 0, INTERNET]),
  ]);
  const header = Buffer.alloc(HEADER);
  header.writeUInt16BE(id, 0);
  // Recursion desired.
  header.writeUInt16BE(0x0100, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(extended ? 1 : 0, 10);
  const options = extended ? [0, 0, OPT, UDP_SIZE >> 8, UDP_SIZE & 255, 0, 0, 0, 0, 0, 0] : [];
  return Buffer.concat([header, question, Buffer.from(options)]);
};

/** Whether an answer repeats the question. Servers may leave it out of an error. */
const isSameQuestion = (bytes: Buffer, { name, type }: Query): boolean => {
  const [count, code] = [bytes.readUInt16BE(4), bytes.readUInt16BE(2) & 15];
  if (count === 0) return code !== 0;
  const asked = readName(bytes, HEADER);
  return (
    count === 1 &&
    asked.name === name &&
    bytes.length >= asked.end + 4 &&
    bytes.readUInt16BE(asked.end) === TYPE_NUMBERS[type] &&
    bytes.readUInt16BE(asked.end + 2) === INTERNET
  );
};

/** Whether a message answers a query. Others may come from an earlier one, or from an attacker who does not see it. */
export const isAnswerTo = (bytes: Buffer, query: Query): boolean => {
  try {
    const isResponse = bytes.length >= HEADER && (bytes.readUInt16BE(2) & 0x8000) !== 0;
    return isResponse && bytes.readUInt16BE(0) === query.id && isSameQuestion(bytes, query);
  } catch {
    return false;
  }
};

/** Records of one section: to read thousands with the longest names would take a quarter of a second. */
const MAX_RECORDS = 1000;

/** Reads one section. Records of other types and classes are left out. */
const readSection = (bytes: Buffer, start: number, count: number) => {
  if (count > MAX_RECORDS) throw new Malformed();
  const records: ResourceRecord[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    const { name, end } = readName(bytes, at);
    if (end + 10 > bytes.length) throw new Malformed();
    const type = TYPE_NAMES.get(bytes.readUInt16BE(end));
    const isInternet = bytes.readUInt16BE(end + 2) === INTERNET;
    const from = end + 10;
    at = from + bytes.readUInt16BE(end + 8);
    if (at > bytes.length) throw new Malformed();
    if (type && isInternet) records.push({ name, type, data: dataOf(type, bytes, from, at) });
  }
  return { records, end: at };
};

/** Reads the answer to a query; null when it is malformed. A truncated one is read without its records. */
export const readAnswer = (bytes: Buffer): Answer | null => {
  try {
    const flags = bytes.readUInt16BE(2);
    const truncated = (flags & 0x0200) !== 0;
    const start = bytes.readUInt16BE(4) === 0 ? HEADER : readName(bytes, HEADER).end + 4;
    const answers = readSection(bytes, start, truncated ? 0 : bytes.readUInt16BE(6));
    const authorities = readSection(bytes, answers.end, truncated ? 0 : bytes.readUInt16BE(8));
    return {
      code: flags & 15,
      truncated,
      authoritative: (flags & 0x0400) !== 0,
      recursive: (flags & 0x0080) !== 0,
      answers: answers.records,
      authorities: authorities.records,
    };
  } catch {
    return null;
  }
};

/** Aliases that are followed. */
const MAX_ALIASES = 16;

/** The records of one type in an answer that belong to a name or to what it is an alias of. */
export const recordsOf = ({ answers }: Pick<Answer, "answers">, { name, type }: Omit<Query, "id">): string[][] => {
  let current = name;
  for (let aliases = 0; aliases <= MAX_ALIASES; aliases++) {
    const records = answers.filter((record) => record.name === current && record.type === type);
    const alias = answers.find((record) => record.name === current && record.type === "CNAME")?.data[0];
    if (records.length > 0 || alias === undefined) return records.map(({ data }) => data);
    current = alias;
  }
  return [];
};
