/**
 * Tables in the SQL text that `wrangler d1 export` and the `.dump` of SQLite write. The text is read and never executed: only
 * values that are written out count, and statements that no such export has refuse the whole file.
 */
import { unreadable } from "./sqlite";
import type { Columns, Tables } from "./tables";
import type { Fields } from "./text";

/** Rows of one table that are read at most. */
const MAX_ROWS = 200_000;
/** Characters of a value; larger ones are null. */
const MAX_VALUE = 300_000;

type Token = { kind: "word" | "name" | "text" | "number" | "blob" | "sign"; text: string };

const PATTERN = new RegExp(
  [
    /\s+|--[^\n]*|\/\*.*?(?:\*\/|$)/,
    /(?<blob>x'[\da-f]*')/,
    /(?<text>'[^']*(?:''[^']*)*')/,
    /(?<name>"[^"]*(?:""[^"]*)*"|`[^`]*(?:``[^`]*)*`|\[[^\]]*\])/,
    /(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/,
    /(?<word>[a-z_][\w$]*)/,
    /(?<sign>.)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gisy",
);

/** Tokens of one statement at most: exports write a statement for each row. */
const MAX_TOKENS = 100_000;

const unquoted = (text: string): string => {
  const quote = text[0] as string;
  const inner = text.slice(1, -1);
  return quote === "[" ? inner : inner.replaceAll(quote + quote, quote);
};

/** The statements of a text, without comments. */
function* statementsOf(sql: string): Generator<Token[]> {
  let tokens: Token[] = [];
  for (const { groups = {} } of sql.matchAll(PATTERN)) {
    const { blob, text, name, number, word, sign } = groups;
    if (sign === ";") {
      if (tokens.length > 0) yield tokens;
      tokens = [];
    } else if (sign === "'" || sign === '"' || sign === "`" || sign === "[")
      throw unreadable("a text in it has no end: the file is incomplete");
    else if (tokens.length >= MAX_TOKENS) throw unreadable("one of its statements is too long");
    else if (text !== undefined) tokens.push({ kind: "text", text: unquoted(text) });
    else if (name !== undefined) tokens.push({ kind: "name", text: unquoted(name) });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (blob !== undefined) tokens.push({ kind: "blob", text: blob.slice(2, -1) });
    else if (word !== undefined) tokens.push({ kind: "word", text: word });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign });
  }
  if (tokens.length > 0) throw unreadable("its last statement has no end: the file is incomplete");
}

/** The words that a statement starts with, in lower case. */
const headOf = (tokens: readonly Token[], count: number): string =>
  tokens
    .slice(0, count)
    .map(({ text }) => text.toLowerCase())
    .join(" ");

/** What exports have beside tables and rows. */
const NEEDLESS = [
  /^pragma (defer_foreign_keys|foreign_keys) =/,
  /^(begin|commit|analyze)\b/,
  /^create (unique )?index /,
  /^delete from sqlite_sequence/,
];

type Reader = { tokens: readonly Token[]; at: number };

const isNext = ({ tokens, at }: Reader, text: string): boolean => {
  const token = tokens[at];
  return (token?.kind === "word" || token?.kind === "sign") && token.text.toLowerCase() === text;
};

const skip = (reader: Reader, ...words: string[]): boolean => {
  if (!words.every((word, index) => isNext({ ...reader, at: reader.at + index }, word))) return false;
  reader.at += words.length;
  return true;
};

const expectNext = (reader: Reader, text: string): void => {
  if (!skip(reader, text)) throw unreadable("one of its statements is none that an export has");
};

const nextText = (reader: Reader): string => reader.tokens[reader.at++]?.text ?? "";

/** Words that begin a condition of a table and no column. */
const CONDITIONS = new Set(["primary", "foreign", "unique", "check", "constraint"]);

/** The columns of `create table`, in order. */
const columnsIn = (reader: Reader): string[] => {
  expectNext(reader, "(");
  const columns: string[] = [];
  let [depth, isFirst] = [1, true];
  for (; depth > 0 && reader.at < reader.tokens.length; reader.at++) {
    const { kind, text } = reader.tokens[reader.at] as Token;
    const sign = kind === "sign" ? text : "";
    if (depth === 1 && isFirst && sign === "" && !(kind === "word" && CONDITIONS.has(text.toLowerCase())))
      columns.push(text);
    isFirst = depth === 1 && sign === ",";
    if (sign === "(") depth++;
    if (sign === ")") depth--;
  }
  return columns;
};

type Value = string | number | null;

/** Functions that exports write line ends with. */
const FUNCTIONS: Record<string, (values: Value[]) => Value> = {
  char: (codes) => String.fromCharCode(...codes.slice(0, 8).map(Number)),
  // A longer text could be made huge by replacing each of its signs.
  replace: ([text, from, to]) =>
    from && String(to).length <= String(from).length ? String(text).replaceAll(String(from), String(to)) : String(text),
  unistr: ([text]) =>
    String(text).replace(/\\(?:u?([\da-f]{4})|(\\))/gi, (_, code) =>
      code ? String.fromCharCode(Number(`0x${code}`)) : "\\",
    ),
};

const valueIn = (reader: Reader, depth = 0): Value => {
  const isNegative = skip(reader, "-");
  const token = reader.tokens[reader.at++];
  if (token?.kind === "number") return isNegative ? -Number(token.text) : Number(token.text);
  if (token?.kind === "text") return token.text.length > MAX_VALUE ? null : token.text;
  if (token?.kind === "blob") return null;
  const name = token?.text.toLowerCase() ?? "";
  if (token?.kind === "word" && name === "null") return null;
  const run = token?.kind === "word" && Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (!run || depth > 8) throw unreadable("one of its rows has values that no export has");
  return run(listIn(reader, (inner) => valueIn(inner, depth + 1)));
};

/** A list in brackets. */
const listIn = <T>(reader: Reader, read: (reader: Reader) => T): T[] => {
  expectNext(reader, "(");
  const list: T[] = [];
  do list.push(read(reader));
  while (skip(reader, ","));
  expectNext(reader, ")");
  return list;
};

/** The name of a table, without the name of its database. */
const tableIn = (reader: Reader): string => {
  const name = nextText(reader);
  return skip(reader, ".") ? nextText(reader) : name;
};

/** Whether text starts as an export does, and mentions one of these tables. */
export const isSqlExport = (start: string, tables: readonly string[]): boolean =>
  /^(\s|--[^\n]*\n)*(pragma|begin|create table|insert into)\b/i.test(start) &&
  tables.some((table) => new RegExp(`create table (if not exists )?["\`[]?${table}\\b`, "i").test(start));

/** Reads tables of a text; missing ones are empty. @throws {AppError} import_unreadable */
export const readSqlText = <Wanted extends Columns>(sql: string, wanted: Wanted): Tables<Wanted> => {
  const rows = new Map<string, Fields[]>(Object.keys(wanted).map((table) => [table, []]));
  const columns = new Map<string, string[]>();
  const insert = (reader: Reader): void => {
    const table = tableIn(reader);
    const own = rows.get(table);
    if (!own) return;
    const names = isNext(reader, "(") ? listIn(reader, nextText) : (columns.get(table) ?? []);
    expectNext(reader, "values");
    do {
      const values = listIn(reader, valueIn);
      const fields = names.map((name, index) => [name, values[index] ?? null] as const);
      if (own.length < MAX_ROWS) own.push(Object.fromEntries(fields.filter(([name]) => wanted[table]?.includes(name))));
    } while (skip(reader, ","));
    if (reader.at < reader.tokens.length) throw unreadable("one of its statements is none that an export has");
  };
  for (const tokens of statementsOf(sql)) {
    const head = headOf(tokens, 4);
    const reader: Reader = { tokens, at: 2 };
    if (NEEDLESS.some((pattern) => pattern.test(head))) continue;
    if (head.startsWith("create table ")) {
      skip(reader, "if", "not", "exists");
      columns.set(tableIn(reader), columnsIn(reader));
    } else if (head.startsWith("insert into ")) insert(reader);
    else throw unreadable(`no export has its statement ${headOf(tokens, 2).slice(0, 60)}`);
  }
  return Object.fromEntries(rows) as Tables<Wanted>;
};
