import { createElement, Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type AlertPolicy, POLICY_LIMITS, type Weekday } from "../../../../src/shared/alert-policy";
import { useFormat } from "../../../ui/hooks/use-format";
import { useWeekdays } from "../../../ui/hooks/use-weekdays";
import type { Channel } from "../api";
import { DEFAULT_GROUP_SECONDS } from "./policy";

/** What stands in the places of a sentence, by their names. */
type Slots = Readonly<Record<string, ReactNode>>;

/** A translated text with elements in its places: `{{name}}` is replaced by the slot of that name. */
export function Sentence({ text, slots }: { text: string; slots: Slots }) {
  const parts = text.split(/\{\{(\w+)\}\}/).map((part, index) => (index % 2 === 1 ? slots[part] : part));
  return createElement(Fragment, null, ...parts);
}

/** Every place of a sentence, filled with its own name. */
const PLACES = {
  channels: "{{channels}}",
  minutes: "{{minutes}}",
  max: "{{max}}",
  from: "{{from}}",
  to: "{{to}}",
  days: "{{days}}",
  zone: "{{zone}}",
  mode: "{{mode}}",
  seconds: "{{seconds}}",
};

/** The sentences of a policy with their places left open, for its text and its editor. */
export const useSentences = () => {
  const { t } = useTranslation();
  return {
    step: (index: number) => t(index === 0 ? "policies.sentence.first" : "policies.sentence.next", PLACES),
    remind: (count: number) => t("policies.sentence.remind", { count, ...PLACES }),
    quiet: t("policies.sentence.quiet", PLACES),
    on: t("policies.sentence.on", PLACES),
    group: (seconds: number) => (seconds > 0 ? t("policies.sentence.group", PLACES) : t("policies.sentence.alone")),
  };
};

/** Weekdays in words: every day, a range of three or more days, or a list. */
export const useDays = () => {
  const { t } = useTranslation();
  const weekdays = useWeekdays();
  return (days: readonly Weekday[]): string => {
    if (days.length === weekdays.length) return t("policies.sentence.daily");
    const chosen = weekdays.filter(({ day }) => days.includes(day));
    const [first, last] = [chosen[0], chosen.at(-1)];
    const isRange = first && last && chosen.length > 2 && last.day - first.day === chosen.length - 1;
    const text = isRange
      ? t("policies.sentence.range", { first: first.name, last: last.name })
      : chosen.map(({ name }) => name).join(t("policies.sentence.between"));
    return t("policies.sentence.on", { days: text });
  };
};

/** The names of channels; a deleted channel is shown as such. */
export const useChannelNames = (channels: readonly Channel[]) => {
  const { t } = useTranslation();
  return (id: number): string => channels.find((channel) => channel.id === id)?.name ?? t("policies.deletedChannel");
};

type Props = { policy: AlertPolicy; channels: readonly Channel[] };

/** A policy in short lines: one for each step, then its reminders and quiet hours. */
export function PolicyText({ policy, channels }: Props) {
  const { t, i18n } = useTranslation();
  const nameOf = useChannelNames(channels);
  const daysText = useDays();
  const format = useFormat();
  const { steps, repeatMinutes, repeatMax, quiet, groupSeconds } = policy;
  const most = repeatMax || POLICY_LIMITS.repeatMax;
  const channelIds = new Set(channels.map(({ id }) => id));
  // Chinese spells out the unit of minutes.
  const time = (minutes: number) =>
    (i18n.language === "zh-CN" ? format.duration : format.elapsed)(minutes * 60).replaceAll(" ", "\u00a0");
  const names = (ids: readonly number[]) =>
    ids.flatMap((id, index) => [
      index > 0 ? t("policies.sentence.between") : "",
      <strong key={id} className={channelIds.has(id) ? "slot" : "slot gone"}>
        {nameOf(id)}
      </strong>,
    ]);
  const further = [
    repeatMinutes > 0 && t("policies.line.remind", { time: time(repeatMinutes), count: most }),
    quiet &&
      t(`policies.line.${quiet.mode}`, {
        ...{ from: quiet.from, to: quiet.to, days: daysText(quiet.days), zone: quiet.timeZone },
      }),
    groupSeconds !== DEFAULT_GROUP_SECONDS &&
      (groupSeconds > 0
        ? t("policies.sentence.group", { seconds: format.number(groupSeconds) })
        : t("policies.sentence.alone")),
  ].filter(Boolean);
  return (
    <ul className="policy-text">
      {steps.map(({ afterMinutes, channels: ids }, index) => (
        <li key={afterMinutes}>
          <span className="when">
            {index === 0 ? t("policies.line.now") : t("policies.line.after", { time: time(afterMinutes) })}
          </span>
          <span>{names(ids)}</span>
        </li>
      ))}
      {further.map((line) => (
        <li key={String(line)} className="further">
          {line}
        </li>
      ))}
    </ul>
  );
}
