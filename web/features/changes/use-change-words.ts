import { useTranslation } from "react-i18next";
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
const TIMES = ["muted_until", "until", "expires_at"];
/** Fields whose values people choose: one named "open" is shown so in every language. */
const NAMES = ["name", "username", "title", "description", "tags", "parents", "channels", "policy"];

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
    if (name === "events")
      return format.list(shown.split(", ").map((event) => (isKeyOf(all.event, event) ? all.event[event] : event)));
    return !NAMES.includes(name) && isKeyOf(all.value, shown) ? all.value[shown] : shown;
  };
  return {
    /** "Paused" */
    action: ({ action }: Change): string => all.action[action],
    /** "Monitor" */
    type: ({ object: { type, name } }: Change): string =>
      type === "rule" ? all.rule[name === "global-agent" ? "agents" : "monitors"] : all.object[type],
    /** The name of an object, where it is not the type alone. */
    name: ({ object: { type, name } }: Change): string => {
      if (type === "rule" || type === "settings") return "";
      return (type === "import" || type === "threshold") && isKeyOf(all.value, name) ? all.value[name] : name;
    },
    /** Who made a change. */
    user: ({ user }: Change): string => user ?? all.signedOut,
    /** Fields with their values, such as "Interval: 1 min → 5 min". */
    shown: ({ action, fields }: Change): { name: string; text: string }[] =>
      Object.entries(fields).flatMap(([name, values]) => {
        if (!values) return [];
        const [from, to] = [value(name, values[0] ?? null), value(name, values[1] ?? null)];
        const shown = action === "changed" ? `${from} → ${to}` : values[1] === null ? from : to;
        return [{ name, text: t("common.labelled", { label: field(name), value: shown }) }];
      }),
    /** The labels of fields whose values are not shown. */
    hidden: ({ fields }: Change): string =>
      format.list(Object.entries(fields).flatMap(([name, values]) => (values ? [] : [field(name)]))),
  };
};
