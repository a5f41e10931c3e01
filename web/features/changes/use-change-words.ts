import { useTranslation } from "react-i18next";
import { STORED_SCOPES } from "../../../src/shared/accounts/key-scopes";
import type { ChangedValue } from "../../../src/shared/audit/changes";
import type { changes } from "../../locales/en-US/accounts/changes";
import { useFormat } from "../../ui/hooks/use-format";
import type { Change } from "./api";

/** Whether an object has a key. */
const isKeyOf = <T extends object>(object: T, key: string): key is keyof T & string => Object.hasOwn(object, key);

type Texts = typeof changes;

/** How the values of a field are shown, if not as they are. */
const SECONDS = ["interval", "timeout", "retry_pause", "group_seconds", "grace", "every"];
const MINUTES = ["minutes", "repeat_minutes"];
const TIMES = ["muted_until", "until", "expires_at", "started_at", "ended_at"];
/** Fields whose values people choose: one named "open" is shown so in every language. */
const NAMES = [
  ...["name", "username", "title", "description", "slug", "domains", "tags", "tag", "parents", "channels", "policy"],
  ...["monitors", "agents", "components", "server"],
];
/** Fields whose "off" is shown of an added object, because most are on. */
const USUALLY_ON = ["active", "enabled", "alerts", "counted"];
/** Lists that older entries name by ids alone. */
const ONCE_IDS = ["monitors", "agents"];
/** Actions that say whether an object is active. */
const SWITCHES: readonly Change["action"][] = ["paused", "resumed"];
/** Actions that are followed by a colon and their object. */
const WITH_COLON: readonly Change["action"][] = ["moved", "acknowledged", "unacknowledged", "noted"];

/** A kind of object within a sentence: without a capital letter, except in names such as "API key". */
const withinSentence = (text: string): string => text.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());

/** Whether a value says nothing more of an object that is added or deleted, and is named. */
const isDefault = (field: string, value: ChangedValue, objectName: string): boolean =>
  value === null ||
  value === "" ||
  (value === false && !USUALLY_ON.includes(field)) ||
  (["name", "title", "username"].includes(field) && value === objectName);

/** The words of changes in the language of the interface. */
export const useChangeWords = () => {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const all: Texts = i18n.getResource(i18n.language, "translation", "changes");
  const field = (name: string): string => (isKeyOf(all.field, name) ? all.field[name] : name.replaceAll("_", " "));
  const value = (name: string, shown: ChangedValue): string => {
    if (shown === null || shown === "") return "–";
    if (typeof shown === "boolean") return shown ? all.on : all.off;
    if (typeof shown === "number") {
      if (SECONDS.includes(name)) return format.duration(shown);
      if (MINUTES.includes(name)) return format.duration(shown * 60);
      return format.number(shown, 3);
    }
    if (TIMES.includes(name)) return format.dateTime(shown);
    if (ONCE_IDS.includes(name) && /^\d+(, \d+)*$/.test(shown)) return format.number(shown.split(", ").length);
    if (name === "impact" && isKeyOf(all.impact, shown)) return all.impact[shown];
    if (name === "events")
      return format.list(shown.split(", ").map((event) => (isKeyOf(all.event, event) ? all.event[event] : event)));
    if (name === "channels") return format.list(shown.split(", "));
    return !NAMES.includes(name) && isKeyOf(all.value, shown) ? all.value[shown] : shown;
  };
  /** The scopes of an API key. */
  const scopes = (shown: ChangedValue): string => {
    const known = STORED_SCOPES.filter((scope) => String(shown).split(" ").includes(scope));
    return format.list(known.map((scope) => t(`profile.keys.scope.${scope}`)));
  };
  /** "Paused" */
  const actionOf = ({ action }: Change): string => all.action[action];
  const nameOf = ({ object: { type, name } }: Change): string => {
    if (type === "rule" || type === "settings") return "";
    return (type === "import" || type === "threshold") && isKeyOf(all.value, name) ? all.value[name] : name;
  };
  return {
    action: actionOf,
    /** The action before its object: with a colon where the object does not follow it in one sentence. */
    verb: (change: Change): string =>
      WITH_COLON.includes(change.action)
        ? t("common.labelled", { label: actionOf(change), value: "" }).trimEnd()
        : actionOf(change),
    /** The name of an object, where it is not the type alone. */
    name: nameOf,
    /** The kind of an object and the quotation marks around its name, before and after the name. */
    titled: (change: Change): [before: string, after: string] => {
      const { type, name } = change.object;
      const rule = all.rule[name === "global-agent" ? "agents" : "monitors"];
      const kind = withinSentence(type === "rule" ? rule : all.object[type]);
      if (!nameOf(change)) return [kind, ""];
      const [before = "", after = ""] = t("changes.titled", { type: kind, name: "\n" }).split("\n");
      return [before, after];
    },
    /** Who made a change. */
    user: ({ user }: Change): string => user ?? all.signedOut,
    /** Fields with their values, such as "Interval: 1 min → 5 min". */
    shown: ({ action, object, fields }: Change): { name: string; text: string }[] =>
      Object.entries(fields).flatMap(([name, values]) => {
        if (
          !values ||
          (name === "active" && SWITCHES.includes(action)) ||
          (action !== "changed" && isDefault(name, values[1] ?? values[0] ?? null, object.name))
        )
          return [];
        const wordsOf = (one: ChangedValue) =>
          object.type === "key" && name === "scope" ? scopes(one) : value(name, one);
        const [from, to] = [wordsOf(values[0] ?? null), wordsOf(values[1] ?? null)];
        const shown = action === "changed" && values[0] !== null ? `${from} → ${to}` : values[1] === null ? from : to;
        return [{ name, text: t("common.labelled", { label: field(name), value: shown }) }];
      }),
    /** The labels of changed fields whose values are not shown. */
    hidden: ({ action, fields }: Change): string =>
      action === "created" || action === "deleted"
        ? ""
        : format.list(Object.entries(fields).flatMap(([name, values]) => (values ? [] : [field(name)]))),
  };
};
