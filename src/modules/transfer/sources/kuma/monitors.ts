/** Monitors of Uptime Kuma with their schedule and tags. */
import type { Config } from "../../../../core/config";
import { LIMITS } from "../../../../shared/limits";
import { TAG_LIMITS, tagKey } from "../../../../shared/tags";
import { nearestColour } from "../colours";
import type { Item, Note } from "../source";
import { clean, type Fields, flagIn, note, numberIn, textOf, within } from "../text";
import { certificateDaysIn, mapKind } from "./kinds";
import type { KumaRows } from "./rows";

const monitorId = (id: number): string => `monitor:${id}`;

type Tag = { name: string; color?: string; value?: string };

/** When a monitor is checked, within the bounds here. Retries fit in three quarters of the interval. */
const scheduleOf = (row: Fields, { minInterval }: Pick<Config, "minInterval">) => {
  const notes: Note[] = [];
  const sent = numberIn(row, "interval") ?? 60;
  const interval = within(sent, minInterval, LIMITS.intervalMax);
  if (interval !== sent) notes.push(note("interval_changed", sent));
  const sentTimeout = numberIn(row, "timeout") || interval * 0.8;
  const timeout = within(sentTimeout, 1, Math.min(LIMITS.timeoutMax, interval));
  const sentRetries = Math.max(0, numberIn(row, "maxretries") ?? 0);
  const retries = within(sentRetries, 0, LIMITS.retriesMax);
  if (retries !== sentRetries) notes.push(note("retries_changed", sentRetries));
  const sentPause = numberIn(row, "retry_interval") || interval;
  const most = retries === 0 ? LIMITS.retryPauseMax : Math.floor((interval * 3) / 4 / retries);
  const retryPause = within(Math.min(sentPause, most), 1, LIMITS.retryPauseMax);
  if (retries > 0 && retryPause !== sentPause) notes.push(note("retry_pause_changed", sentPause));
  return { fields: { interval, timeout, retries, retry_pause: retryPause }, notes };
};

const PUSHED = "push";
/** Kinds here that can be inverted: up when the check fails. */
const INVERTIBLE = ["http", "tcp", "ping", "dns", "websocket", "grpc"];

/** The fields of a monitor that is upside down; null where its kind can't be. */
const invertedFields = (fields: Record<string, unknown>): Record<string, unknown> | null => {
  const { kind = "http", config } = fields as { kind?: string; config?: object };
  if (!INVERTIBLE.includes(kind)) return null;
  return kind === "http" ? { ...fields, inverted: true } : { ...fields, config: { ...config, inverted: true } };
};

/** The names of the groups above a monitor, the outermost first, and whether all of them are active. */
const ancestorsOf = (row: Fields, byId: ReadonlyMap<number, Fields>) => {
  const names: string[] = [];
  let isActive = true;
  const seen = new Set<number>();
  for (let parent = numberIn(row, "parent"); parent !== null && !seen.has(parent); ) {
    seen.add(parent);
    const group = byId.get(parent);
    if (!group) break;
    names.unshift(clean(group.name, TAG_LIMITS.value));
    isActive &&= flagIn(group, "active");
    parent = numberIn(group, "parent");
  }
  return { names, isActive };
};

const GROUP = "group";
const groupValue = (names: readonly string[]): string => names.join(" / ").slice(0, TAG_LIMITS.value).trim();

const tagName = (text: unknown): string => clean(text, TAG_LIMITS.name).replaceAll(":", "-").trim();

/** The tags of each monitor, without two of one name. */
const tagsByMonitor = ({ tag, monitor_tag }: KumaRows): Map<number, Tag[]> => {
  const tags = new Map(tag.map((row) => [numberIn(row, "id"), row]));
  const byMonitor = new Map<number, Tag[]>();
  for (const row of monitor_tag) {
    const own = tags.get(numberIn(row, "tag_id"));
    const name = tagName(own?.name);
    const id = numberIn(row, "monitor_id");
    if (!own || name === "" || id === null) continue;
    const value = clean(row.value, TAG_LIMITS.value);
    const color = nearestColour(textOf(own, "color"));
    byMonitor.set(id, [...(byMonitor.get(id) ?? []), { name, ...(color && { color }), ...(value && { value }) }]);
  }
  return byMonitor;
};

/** The first tags of each name, as many as a monitor may have. */
const distinct = (tags: readonly Tag[]): { tags: Tag[]; notes: Note[] } => {
  const byKey = new Map<string, Tag>();
  for (const tag of tags) if (!byKey.has(tagKey(tag.name))) byKey.set(tagKey(tag.name), tag);
  const kept = [...byKey.values()].slice(0, TAG_LIMITS.perTarget);
  return { tags: kept, notes: kept.length < tags.length ? [note("tags_left_out")] : [] };
};

/** The monitors of a file. Groups become a tag of those in them. */
export const monitorItems = (rows: KumaRows, config: Pick<Config, "minInterval">): Item[] => {
  const byId = new Map(
    rows.monitor.map((row) => [numberIn(row, "id"), row] as const).filter(([id]) => id !== null),
  ) as Map<number, Fields>;
  const tags = tagsByMonitor(rows);
  const shared = { certificateDays: certificateDaysIn(rows.setting) };
  return [...byId].map(([id, row]): Item => {
    const type = textOf(row, "type");
    const sentName = textOf(row, "name").trim();
    const name = clean(sentName, LIMITS.monitorName) || clean(row.url, LIMITS.monitorName) || `${type} ${id}`;
    const item = { part: "monitors" as const, externalId: monitorId(id), name, kind: clean(type, 50) };
    const { names, isActive } = ancestorsOf(row, byId);
    if (type === GROUP) {
      const tag = `${GROUP}:${groupValue([...names, clean(name, TAG_LIMITS.value)])}`;
      return { ...item, content: null, notes: [note("group_as_tag", tag)], isAbsorbed: true };
    }
    const schedule = scheduleOf(row, config);
    const mapped = mapKind(row, schedule.fields.interval, shared);
    if (!mapped.fields) return { ...item, content: null, notes: mapped.notes };
    const isUpsideDown = flagIn(row, "upside_down");
    const inverted = isUpsideDown ? invertedFields(mapped.fields) : null;
    const value = groupValue(names);
    const own = distinct([...(value ? [{ name: GROUP, value }] : []), ...(tags.get(id) ?? [])]);
    const timing = type === PUSHED ? {} : schedule.fields;
    return {
      ...item,
      content: {
        id,
        name,
        ...(inverted ?? mapped.fields),
        ...timing,
        active: flagIn(row, "active") && isActive,
        tags: own.tags,
      },
      notes: [
        ...(name === sentName ? [] : [note("name_changed", name)]),
        ...mapped.notes,
        ...(type === PUSHED ? [] : schedule.notes),
        ...own.notes,
        ...(isUpsideDown && !inverted ? [note("inverted")] : []),
        ...(numberIn(row, "proxy_id") === null ? [] : [note("field_left_out", "proxy")]),
      ],
    };
  });
};
