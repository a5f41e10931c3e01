import { useTranslation } from "react-i18next";
import type { Weekday } from "../../../src/shared/alert-policy";

const WEEKDAYS: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7];

/** The names of all weekdays, from Monday, in the language of the interface. */
export const useWeekdays = (weekday: "short" | "long" = "short"): { day: Weekday; name: string }[] => {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, { weekday, timeZone: "UTC" });
  // The fourth of January 2026 is a Sunday.
  return WEEKDAYS.map((day) => ({ day, name: format.format(Date.UTC(2026, 0, 4 + day)) }));
};
