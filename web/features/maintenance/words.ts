import { useTranslation } from "react-i18next";
import type { Weekday } from "../../../src/shared/alert-policy";
import { browserTimeZone } from "../../lib/format";
import { useFormat } from "../../ui/hooks/use-format";
import { useWeekdays } from "../../ui/hooks/use-weekdays";
import type { MaintenanceWindow } from "./api";

type Schedule = MaintenanceWindow["schedule"];

/** The names of weekdays within a sentence: in Chinese the short ones, such as 周日. */
export const useWeekdayNames = () => {
  const { i18n } = useTranslation();
  return useWeekdays(i18n.language.startsWith("zh") ? "short" : "long");
};

/** When a window is, in words. The time zone is named where it is not the reader's. */
export const useScheduleText = () => {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const weekdays = useWeekdayNames();
  const nameOf = (day: number | undefined) => weekdays.find((one) => one.day === day)?.name ?? "";

  const daysText = (days: readonly number[]): string => {
    const chosen = weekdays.filter(({ day }) => days.includes(day));
    const [first, last] = [chosen[0], chosen.at(-1)];
    const isRange = first && last && chosen.length > 2 && last.day - first.day === chosen.length - 1;
    return isRange
      ? t("maintenance.words.range", { first: first.name, last: last.name })
      : format.list(chosen.map(({ name }) => name));
  };
  const weeklyText = ({ days = [], weeks = 1 }: Schedule): string => {
    if (weeks > 1) return t("maintenance.words.everyWeeks", { weeks, days: daysText(days) });
    return days.length === 7 ? t("maintenance.words.daily") : t("maintenance.words.weekly", { days: daysText(days) });
  };
  const monthlyText = ({ day, nth, weekday }: Schedule): string => {
    if (day === "last") return t("maintenance.words.last");
    if (day !== undefined) return t("maintenance.words.day", { day });
    const which = t(`maintenance.nths.${String(nth) as "last"}`).toLocaleLowerCase(i18n.language);
    return t("maintenance.words.nth", { nth: which, weekday: nameOf(weekday as Weekday) });
  };
  const recurring = (schedule: Schedule): string => {
    const { kind, at, cron, minutes = 0 } = schedule;
    const length = format.uptime(minutes * 60);
    if (kind === "cron")
      return t("maintenance.words.timesOfCron", { when: t("maintenance.words.cron", { cron }), length });
    return t("maintenance.words.times", {
      when: kind === "weekly" ? weeklyText(schedule) : monthlyText(schedule),
      at,
      length,
    });
  };

  return (schedule: Schedule): string => {
    const { kind, from = "", to = "", zone } = schedule;
    if (kind === "once") return format.shortRange(from, to);
    if (kind === "open") return t("maintenance.words.open", { from: format.shortDateTimes(from, from)[0] });
    const words = recurring(schedule);
    return zone === browserTimeZone() ? words : t("maintenance.words.zone", { words, zone });
  };
};
