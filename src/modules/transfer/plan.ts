import { DEFAULT_RULE, type NotificationRule } from "../../shared/notifications";
import { switchesOf } from "../status-page/service";
import type { Document, DocumentSetting } from "./model";
import type { Parsed } from "./parse";

/** The ids of the file's monitors, servers and channels in this installation, by their index in the file. */
export type Ids = Record<"monitors" | "agents" | "channels", (number | null)[]>;

export type PlannedSetting = {
  path: string;
  targetType: "monitor" | "agent";
  targetId: number;
  setting: NotificationRule;
};
export type PlannedPage = Record<"title" | "description" | "logoUrl" | "customCss", string> &
  Record<"monitors" | "agents", number[]> &
  Record<"showHostname" | "showOs" | "showVersion", boolean>;

type Translate = (part: keyof Ids, id: number) => number | null;

/** Maps an id of the file to an id of this installation. */
const translator =
  (places: Parsed["places"], ids: Ids): Translate =>
  (part, id) =>
    ids[part][places[part].get(id) ?? -1] ?? null;

const present = (ids: (number | null)[]) => [...new Set(ids.filter((id) => id !== null))];

const settingOf = (sent: DocumentSetting, channels: number[]): NotificationRule => ({
  ...DEFAULT_RULE,
  ...(Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Partial<NotificationRule>),
  channels,
});

/** The notification rules of a file, with ids of this installation. Channel 0 is the built-in one. */
export const planSettings = (
  { notifications = {} }: Document,
  { places }: Parsed,
  ids: Ids,
  builtIn: boolean,
): { settings: PlannedSetting[]; missing: number[]; builtInMissing: boolean } => {
  const translate = translator(places, ids);
  const missing = new Set<number>();
  let builtInMissing = false;
  const plan = (path: string, targetType: "monitor" | "agent", targetId: number, sent: DocumentSetting) => {
    const channels = (sent.channels ?? []).map((id) => {
      if (id === 0 && !builtIn) builtInMissing = true;
      return id === 0 ? (builtIn ? 0 : null) : translate("channels", id);
    });
    const setting = settingOf(sent, present(channels));
    return { path, targetType, targetId, setting: targetId === 0 ? { ...setting, overrideGlobal: false } : setting };
  };
  const global = (["monitors", "agents"] as const).flatMap((field) => {
    const sent = notifications[field];
    const planned = sent && plan(`notifications.${field}`, field === "monitors" ? "monitor" : "agent", 0, sent);
    // A rule without a row is the default.
    return planned && !Bun.deepEquals(planned.setting, DEFAULT_RULE) ? [planned] : [];
  });
  const specific = (
    [
      ["specificMonitors", "monitors", "monitor"],
      ["specificAgents", "agents", "agent"],
    ] as const
  ).flatMap(([field, part, type]) =>
    Object.entries(notifications[field] ?? {}).flatMap(([key, sent]) => {
      const target = translate(part, Number(key));
      if (target === null) missing.add(places[part].get(Number(key)) ?? 0);
      return target === null ? [] : [plan(`notifications.${field}.${key}`, type, target, sent)];
    }),
  );
  return { settings: [...global, ...specific], missing: [...missing], builtInMissing };
};

/** The status page of a file, with ids of this installation. */
export const planPage = (
  { status_page: sent }: Document,
  { places }: Parsed,
  ids: Ids,
): { page: PlannedPage; missing: number[] } | null => {
  if (!sent) return null;
  const translate = translator(places, ids);
  const chosen = (part: "monitors" | "agents") => (sent[part] ?? []).map((id) => translate(part, id));
  const missing = (sent.agents ?? []).filter((id) => translate("agents", id) === null);
  const { showHostname = false, showOs = false, showVersion = false } = switchesOf(sent);
  return {
    page: {
      title: sent.title?.trim() ?? "",
      description: sent.description?.trim() ?? "",
      logoUrl: (sent.logoUrl ?? sent.logo_url ?? "").trim(),
      customCss: sent.customCss ?? sent.custom_css ?? "",
      monitors: present(chosen("monitors")),
      agents: present(chosen("agents")),
      showHostname,
      showOs,
      showVersion,
    },
    missing: missing.map((id) => places.agents.get(id) ?? 0),
  };
};
