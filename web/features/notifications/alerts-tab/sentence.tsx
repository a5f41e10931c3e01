import { Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Weekday } from "../../../../src/shared/alert-policy";
import { useFormat } from "../../../ui/hooks/use-format";
import { useMutedText } from "../mute/mute-menu";
import { useDays } from "../policies/sentence";
import { useUnsentReason } from "../unsent-reason";
import type { EffectiveAlerts } from "./api";

/** A part of a sentence: words, or a name that is emphasized. */
type Part = string | { name: string };

/** A translated text with parts in its places. */
const fill = (text: string, parts: Readonly<Record<string, readonly Part[]>>): Part[] =>
  text.split(/\{\{(\w+)\}\}/).flatMap((part, index) => (index % 2 === 1 ? (parts[part] ?? []) : part ? [part] : []));

const HAN = /\p{Script=Han}/u;

/** Chinese has spaces between its characters and Latin letters only, so names in Chinese have none beside them. */
const withoutSpaces = (parts: readonly Part[]): Part[] =>
  parts.map((part, place) => {
    if (typeof part !== "string") return part;
    const [before, after] = [parts[place - 1], parts[place + 1]].map((one) =>
      typeof one === "object" ? one.name : "",
    );
    const begun = HAN.test(before?.at(-1) ?? "") ? part.replace(/^ (?=\p{Script=Han})/u, "") : part;
    return HAN.test(after?.at(0) ?? "") ? begun.replace(/(?<=\p{Script=Han}) $/u, "") : begun;
  });

/** The text of parts. */
const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === "string" ? part : part.name)).join("");

type Options = {
  /** The names of its parents. */
  parents?: readonly string[];
  /** Whether these are the alerts of all targets without a rule of their own. */
  isDefault?: boolean;
};

/** Whether someone is notified, apart from a mute or maintenance, which end. */
const isTold = (reason: EffectiveAlerts["silent_reason"]): reason is null | "muted" | "maintenance" =>
  reason === null || reason === "muted" || reason === "maintenance";

/** The sentences about how alerts are sent: the first says who is notified when, or why no one is. */
const useSentences = () => {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const daysOf = useDays();
  const mutedText = useMutedText();
  const reasonText = useUnsentReason();
  const isChinese = i18n.language === "zh-CN";
  // Chinese spells out the unit of minutes.
  // The figure stays in one line with its unit.
  const minutes = (count: number | null) =>
    (isChinese ? format.duration : format.elapsed)((count ?? 0) * 60).replaceAll(" ", "\u00a0");
  const names = (list: readonly { name: string }[], type: Intl.ListFormatType = "conjunction"): Part[] =>
    new Intl.ListFormat(i18n.language, { type })
      .formatToParts(list.map(({ name }) => name))
      .map((part) =>
        part.type === "element" ? { name: part.value } : part.value.replace(/^[和或]$/, (word) => ` ${word} `),
      );
  const said = (parts: readonly Part[]): Part[] => (isChinese ? withoutSpaces(parts) : [...parts]);

  const main = ({ messages, silent_reason }: EffectiveAlerts): Part[] => {
    if (!isTold(silent_reason) && !isRecoveryOnly(messages, silent_reason))
      return [t("alerts.silent", { reason: reasonText(silent_reason) })];
    const isSilent = messages.every(({ kind }) => kind === "end");
    const clauses = messages.flatMap(({ kind, after_minutes, channels }): Part[][] => {
      if (kind === "end")
        return isSilent ? [fill(t("alerts.sentence.end", PLACES), { channels: names(channels) })] : [];
      const parts = { channels: names(channels), time: [minutes(after_minutes)] };
      return [fill(t(`alerts.sentence.${kind}`, PLACES), parts)];
    });
    const joined = clauses.flatMap((clause, index) => [...(index > 0 ? [t("alerts.sentence.join")] : []), ...clause]);
    return said([...joined, t("alerts.sentence.stop")]);
  };

  const source = ({ policy, follows_default }: EffectiveAlerts, isDefault: boolean): Part[][] => {
    if (isDefault) return policy ? [fill(t("alerts.note.policy", PLACES), { policy: [policy] })] : [];
    if (!policy) return [[t(follows_default ? "alerts.note.default" : "alerts.note.own")]];
    const text = follows_default ? "alerts.note.policyDefault" : "alerts.note.policyOwn";
    return [fill(t(text, PLACES), { policy: [policy] })];
  };

  const quietOf = ({ quiet, critical }: EffectiveAlerts): Part[][] => {
    if (!quiet) return [];
    const { mode, days, from, to, time_zone: zone, until } = quiet;
    const text = critical ? "quietCritical" : mode === "hold" ? "quietHold" : "quietDrop";
    const hours = t(`alerts.note.${text}`, { days: daysOf(days as Weekday[]), from, to, zone });
    return [[hours], ...(until ? [[t("alerts.note.quietNow", { time: format.moment(until) })]] : [])];
  };

  const notes = (alerts: EffectiveAlerts, { parents = [], isDefault = false }: Options = {}): Part[][] => {
    const { disabled_channels: disabled, muted, maintenance } = alerts;
    const isSent = isTold(alerts.silent_reason);
    const until = maintenance && t("notifications.mute.maintenance", { time: format.moment(maintenance.until) });
    return [
      ...(isSent || !alerts.follows_default ? source(alerts, isDefault) : []),
      ...(isSent ? quietOf(alerts) : []),
      ...(isSent && parents.length > 0
        ? [
            fill(t("alerts.note.parents", PLACES), {
              names: names(
                parents.map((name) => ({ name })),
                "disjunction",
              ),
            }),
          ]
        : []),
      ...(isSent && disabled.length > 0 ? [fill(t("alerts.note.disabled", PLACES), { names: names(disabled) })] : []),
      ...(muted ? [[t("alerts.note.muted", { text: mutedText(muted) })]] : []),
      ...(until ? [[t("alerts.note.muted", { text: until })]] : []),
    ].map(said);
  };
  return { main, notes, space: isChinese ? "" : " " };
};

/** Every place of a text, filled with its own name. */
const PLACES = { channels: "{{channels}}", time: "{{time}}", policy: "{{policy}}", names: "{{names}}" };

/** Whether a rule leaves out the outage itself, and its end is sent. */
const isRecoveryOnly = (messages: EffectiveAlerts["messages"], reason: EffectiveAlerts["silent_reason"]): boolean =>
  reason === "not_selected" && messages.length > 0;

const render = (parts: readonly Part[]): ReactNode[] =>
  parts.map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity
    typeof part === "string" ? part : <strong key={index}>{part.name}</strong>,
  );

/** How alerts are sent, as text. */
export const useAlertText = () => {
  const { main } = useSentences();
  return (alerts: EffectiveAlerts): string => textOf(main(alerts));
};

type Props = Options & { alerts: EffectiveAlerts };

/** How alerts are sent: who is notified when as the first line, and below it what that comes from and what may change it. */
export function AlertSentence({ alerts, ...options }: Props) {
  const sentences = useSentences();
  const notes = sentences.notes(alerts, options);
  return (
    <div className="alert-sentence">
      <p className={isTold(alerts.silent_reason) ? "who" : "who silent"}>{render(sentences.main(alerts))}</p>
      {notes.length > 0 && (
        <p className="soft">
          {notes.map((note, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a sentence has no other identity
            <Fragment key={index}>
              {index > 0 && sentences.space}
              {render(note)}
            </Fragment>
          ))}
        </p>
      )}
    </div>
  );
}
