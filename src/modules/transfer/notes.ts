import type { Static } from "@sinclair/typebox";
import { object, oneOf, text } from "../../server/answers";
import { DEFAULT_RULE, type NotificationRule } from "../../shared/notifications";
import { BUILT_IN_ID } from "../notifications/channels/registry";
import type { Document } from "./model";
import type { Parsed } from "./parse";
import type { PlannedPage, PlannedSetting } from "./plan";
import type { Own } from "./store";

/** A hint about a successful import: where, a stable code, and a sentence. */
export const ImportNote = object({
  path: text("The place in the file.", "channels.0"),
  code: oneOf("The reason.", ["secret_missing", "server_missing", "built_in_missing", "kept"]),
  message: text("The reason as a sentence.", 'channels.0: "On call" is switched off until its secret is entered'),
});
export type Note = Static<typeof ImportNote>;

const note = (code: Note["code"], path: string, message: string): Note => ({
  path,
  code,
  message: `${path}: ${message}`,
});

/** Notes for channels imported without their secrets. */
export const noteSecrets = ({ channels }: Parsed, isNew: (index: number) => boolean): Note[] =>
  channels.flatMap(({ complete, name }, index) =>
    complete || !isNew(index)
      ? []
      : [note("secret_missing", `channels.${index}`, `"${name}" is switched off until its secret is entered`)],
  );

/** Notes for servers that the file refers to and that do not exist, by their index in the file. */
export const noteServers = ({ agents }: Document, places: number[]): Note[] =>
  [...new Set(places)].map((index) =>
    note("server_missing", `agents.${index}`, `"${agents?.[index]?.name}" is not among your servers`),
  );

export const noteBuiltIn = (missing: boolean): Note[] =>
  missing ? [note("built_in_missing", "notifications", "there is no built-in channel for you here")] : [];

const PAGE_FIELDS = [
  "title",
  "description",
  "logoUrl",
  "customCss",
  "monitors",
  "agents",
  "showHostname",
  "showOs",
  "showVersion",
] as const;

const AGENT_FIELDS = (Object.keys(DEFAULT_RULE) as (keyof NotificationRule)[]).filter((field) => field !== "onDown");
/** The fields used by each kind of target. Others may be stored, but are not exported. */
const FIELDS: Record<PlannedSetting["targetType"], readonly (keyof NotificationRule)[]> = {
  monitor: ["enabled", "overrideGlobal", "onDown", "onRecovery", "channels"],
  agent: AGENT_FIELDS,
};

const kept = (path: string): Note => note("kept", path, "yours stays as it is");

/** Notes for existing items that differ from the file. */
export const noteUnchanged = (own: Own, settings: PlannedSetting[], page: PlannedPage | undefined): Note[] => {
  const stored = new Map(own.settings.map((row) => [`${row.targetType} ${row.targetId}`, row]));
  const channels = new Set([BUILT_IN_ID, ...own.channels.map(({ id }) => id)]);
  const differs = ({ targetType, targetId, setting }: PlannedSetting): boolean => {
    const row = stored.get(`${targetType} ${targetId}`);
    // A stored rule may refer to deleted channels, which no file contains.
    const before = row && { ...row, channels: row.channels.filter((id) => channels.has(id)) };
    return before !== undefined && FIELDS[targetType].some((field) => !Bun.deepEquals(before[field], setting[field]));
  };
  const otherPage = page && own.page && PAGE_FIELDS.some((field) => !Bun.deepEquals(own.page?.[field], page[field]));
  return [...settings.filter(differs).map(({ path }) => kept(path)), ...(otherPage ? [kept("status_page")] : [])];
};
