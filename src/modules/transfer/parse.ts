import { AppError, type FieldError, validation } from "../../core/errors";
import { isLogo } from "../../shared/status-page";
import { type MonitorInput, parseMonitor } from "../monitors/model";
import { readImported } from "../notifications/channels/config";
import type { Document, DocumentSetting } from "./model";

type Channel = NonNullable<Document["channels"]>[number];
/** A channel of a file. Without its secret it cannot be used yet. */
export type ChannelInput = Pick<Channel, "name" | "type" | "config"> & { enabled: boolean; complete: boolean };

/** The validated content of a file; each part by its index in the file. */
export type Parsed = {
  monitors: MonitorInput[];
  channels: ChannelInput[];
  /** Indexes of monitors, agents and channels in the file, by their ids there. */
  places: Record<"monitors" | "agents" | "channels", Map<number, number>>;
};

/** Maximum reported problems of a file. */
const MAX_ERRORS = 100;
/** Maximum values of a file, about 8,000 monitors: validating more would take seconds. */
const MAX_VALUES = 100_000;

type Refuse = (path: string, message: string) => void;

const parseMonitors = (document: Document, refuse: Refuse): MonitorInput[] =>
  (document.monitors ?? []).flatMap((sent, index) => {
    try {
      return [parseMonitor(sent)];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      for (const { path, message } of error.details.errors ?? [])
        refuse(`monitors.${index}.${path}`, message.replace(`${path}: `, ""));
      return [];
    }
  });

const parseChannel = (channel: Channel, refuse: Refuse): ChannelInput => {
  const { name, type, enabled = true } = channel;
  const { config, complete } = readImported(channel, refuse);
  return { name: name.trim(), type, config, enabled: enabled && complete, complete };
};

/** Index of each id of a list. */
const placesOf = (part: "monitors" | "agents" | "channels", list: { id?: number }[], refuse: Refuse) => {
  const places = new Map<number, number>();
  for (const [index, { id }] of list.entries()) {
    if (id === undefined) continue;
    if (places.has(id)) refuse(`${part}.${index}.id`, `${id} is the id of another one before it`);
    else places.set(id, index);
  }
  return places;
};

const SPECIFIC = { specificMonitors: "monitors", specificAgents: "agents" } as const;

const checkReferences = (
  { notifications = {}, status_page: page }: Document,
  places: Parsed["places"],
  refuse: Refuse,
) => {
  const refer = (path: string, part: keyof Parsed["places"], id: number) => {
    if (!places[part].has(id)) refuse(path, `there is no ${id} among the file's ${part}`);
  };
  const checkChannels = (path: string, setting: DocumentSetting | undefined) => {
    // Channel 0 is the built-in one, which no file contains.
    for (const [index, id] of (setting?.channels ?? []).entries())
      if (id !== 0) refer(`${path}.channels.${index}`, "channels", id);
  };
  checkChannels("notifications.monitors", notifications.monitors);
  checkChannels("notifications.agents", notifications.agents);
  for (const field of ["specificMonitors", "specificAgents"] as const) {
    for (const [id, setting] of Object.entries(notifications[field] ?? {})) {
      const path = `notifications.${field}.${id}`;
      refer(path, SPECIFIC[field], Number(id));
      checkChannels(path, setting);
    }
  }
  for (const part of ["monitors", "agents"] as const)
    for (const [index, id] of (page?.[part] ?? []).entries()) refer(`status_page.${part}.${index}`, part, id);
  const logo = page?.logoUrl ?? page?.logo_url;
  if (logo && !isLogo(logo.trim()))
    refuse(
      "status_page.logoUrl",
      "expected an https:// address, or a data: address of a PNG, JPEG, GIF, WebP or SVG picture",
    );
};

/** Counts the values of a JSON document, up to the maximum. */
const countValues = (value: unknown, limit: number): number => {
  if (typeof value !== "object" || value === null) return 1;
  let count = 1;
  for (const key in value) {
    if (count > limit) break;
    count += countValues((value as Record<string, unknown>)[key], limit - count);
  }
  return count;
};

/**
 * Rejects a document with too many values before it is validated.
 * @throws {AppError} validation
 */
export const assertWithinLimits = (sent: unknown): void => {
  if (countValues(sent, MAX_VALUES) > MAX_VALUES)
    throw validation([{ path: "body", message: `body: expected at most ${MAX_VALUES} values` }]);
};

/**
 * Parses and validates a file.
 * @throws {AppError} validation, with the path of each bad field, as in `monitors.3.url`
 */
export const parseDocument = (document: Document): Parsed => {
  const errors: FieldError[] = [];
  const refuse: Refuse = (path, message) => {
    if (errors.length < MAX_ERRORS) errors.push({ path, message: `${path}: ${message}` });
  };
  const monitors = parseMonitors(document, refuse);
  const channels = (document.channels ?? []).map((channel, index) =>
    parseChannel(channel, (path, message) => refuse(`channels.${index}.${path}`, message)),
  );
  const places = {
    monitors: placesOf("monitors", document.monitors ?? [], refuse),
    agents: placesOf("agents", document.agents ?? [], refuse),
    channels: placesOf("channels", document.channels ?? [], refuse),
  };
  checkReferences(document, places, refuse);
  if (errors.length > 0) throw validation(errors);
  return { monitors, channels, places };
};
