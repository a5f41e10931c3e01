/** Tables of monitors: a first line with the names of columns in any order, separated by commas, semicolons or tabs. */
import type { Config } from "../../../core/config";
import { LIMITS } from "../../../shared/limits";
import { TAG_LIMITS, tagKey } from "../../../shared/tags";
import { readText, startText } from "./read-text";
import type { Item, Note, Source } from "./source";
import { unreadable } from "./sqlite";
import { boundedItems, clean, note, within } from "./text";

const NAME = "csv";

/** The names of each column; others are ignored. */
const COLUMNS = {
  target: ["url", "target", "host", "hostname", "address", "url/ip"],
  name: ["name", "friendly name", "title"],
  kind: ["kind", "type"],
  interval: ["interval"],
  tags: ["tags", "tag", "group"],
  expected: ["expected", "status", "expected status"],
  keyword: ["keyword", "keyword value"],
  channel: ["channel", "channels"],
  port: ["port"],
} as const;
type Column = keyof typeof COLUMNS;

/** The fields of each line by RFC 4180. */
const parse = (text: string, separator: string): string[][] => {
  const rows: string[][] = [];
  let [row, field, quoted] = [[] as string[], "", false];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if (quoted) {
      if (sign !== '"') field += sign;
      else if (text[at + 1] === '"') {
        field += '"';
        at++;
      } else quoted = false;
    } else if (sign === '"' && field === "") quoted = true;
    else if (sign === separator) {
      row.push(field);
      field = "";
    } else if (sign === "\n") {
      rows.push([...row, field.replace(/\r$/, "")]);
      [row, field] = [[], ""];
    } else field += sign;
  }
  if (field !== "" || row.length > 0) rows.push([...row, field.replace(/\r$/, "")]);
  return rows.filter((fields) => fields.some((one) => one.trim() !== ""));
};

const separatorOf = (line: string): string =>
  [",", ";", "\t"].toSorted((one, other) => line.split(other).length - line.split(one).length)[0] as string;

/** The column of each field of the heading. */
const headingOf = (line: string): (Column | null)[] =>
  (parse(line, separatorOf(line))[0] ?? []).map((sent) => {
    const name = sent.trim().toLowerCase();
    return (
      (Object.keys(COLUMNS) as Column[]).find((column) => (COLUMNS[column] as readonly string[]).includes(name)) ?? null
    );
  });

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";

const KINDS: Record<string, string> = { https: "http", website: "http", keyword: "http", port: "tcp", icmp: "ping" };

/** The kind of a line that names none. */
const kindOf = (target: string, port: string): string => {
  if (/^https?:\/\//i.test(target)) return "http";
  return port !== "" || /^[^/\s:]+:\d+$/.test(target) ? "tcp" : "http";
};

const hostAndPort = (target: string, port: string): { host: string; port: number } => {
  const [, host = target, own] = /^(.*):(\d+)$/.exec(target) ?? [];
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(own ?? port) };
};

const fieldsOf = (
  kind: string,
  { target = "", port = "", expected = "", keyword = "" }: Partial<Record<Column, string>>,
) => {
  switch (kind) {
    case "http":
      return {
        url: /^[a-z]+:\/\//i.test(target) ? target : `https://${target}`,
        ...(/^[\dx,\s-]+$/i.test(expected) && expected !== "" && { expected_statuses: expected }),
        assertions: keyword === "" ? [] : [{ on: "body", op: "contains", value: keyword }],
      };
    case "tcp":
      return { kind, config: hostAndPort(target, port) };
    case "ping":
      return { kind, config: { host: target } };
    case "websocket":
      return { kind, config: { url: target } };
    default:
      return null;
  }
};

const tagsOf = (text: string): { tags: { name: string; value?: string }[]; notes: Note[] } => {
  const names = text
    .split(/[,;|]/)
    .map((one) => clean(one, TAG_LIMITS.filter))
    .filter((one) => one !== "");
  const tags = names.map((one) => {
    const [name = "", value = ""] = one.split(":").map((part) => part.trim().slice(0, TAG_LIMITS.name));
    return { name, ...(value && { value }) };
  });
  const distinct = [...new Map(tags.map((tag) => [tagKey(tag.name), tag])).values()].slice(0, TAG_LIMITS.perTarget);
  return { tags: distinct, notes: distinct.length < tags.length ? [note("tags_left_out")] : [] };
};

const itemOf = (
  row: Partial<Record<Column, string>>,
  id: number,
  { minInterval }: Pick<Config, "minInterval">,
): Item => {
  const target = clean(row.target, LIMITS.url);
  const sentKind = (row.kind ?? "").trim().toLowerCase();
  const kind = sentKind === "" ? kindOf(target, row.port ?? "") : (KINDS[sentKind] ?? sentKind);
  const name = clean(row.name, LIMITS.monitorName) || clean(target, LIMITS.monitorName) || `${kind} ${id}`;
  const fields = fieldsOf(kind, { ...row, target });
  const item = { part: "monitors" as const, externalId: `${kind} ${target} ${name}`.slice(0, 400), name, kind };
  if (!fields) return { ...item, content: null, notes: [note("kind_unsupported", sentKind)] };
  const sentInterval = Number(row.interval?.trim() || 60);
  const interval = within(Number.isFinite(sentInterval) ? sentInterval : 60, minInterval, LIMITS.intervalMax);
  const { tags, notes } = tagsOf(row.tags ?? "");
  return {
    ...item,
    content: { id, name, ...fields, interval, timeout: Math.min(30, interval), tags },
    notes: [
      ...(interval === sentInterval ? [] : [note("interval_changed", row.interval)]),
      ...notes,
      ...(row.channel?.trim() ? [note("field_left_out", `channel ${row.channel}`)] : []),
    ],
  };
};

export const csv: Source = {
  name: NAME,
  recognise: (_upload, start) => headingOf(firstLine(startText(start))).includes("target"),
  read: async (upload, { config }) => {
    const text = await readText(upload);
    const line = firstLine(text);
    const heading = headingOf(line);
    const [, ...rows] = parse(text, separatorOf(line));
    const items = rows.map((fields, index) => {
      const row: Partial<Record<Column, string>> = {};
      for (const [place, column] of heading.entries()) if (column) row[column] ??= fields[place] ?? "";
      return itemOf(row, index + 1, config);
    });
    if (items.length === 0) throw unreadable("it has a heading only");
    return { source: NAME, version: "", sourceId: "", items: boundedItems(items), rules: {}, history: null };
  },
};
