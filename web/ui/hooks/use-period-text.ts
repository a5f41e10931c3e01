import { useTranslation } from "react-i18next";
import { dateOfDay, dayIn } from "../../../src/shared/time-zone";
import { isMonth } from "../../lib/day-range";
import { useFormat } from "./use-format";

type Dates = { from: string; to: string };

/** The first and the last date of a span of time in a zone. */
export const datesIn = (zone: string, { from, to }: Dates): Dates => ({
  from: dateOfDay(dayIn(zone, Date.parse(from))),
  to: dateOfDay(dayIn(zone, Date.parse(to) - 1)),
});

/** Noon keeps the date the same in every time zone. */
export const noon = (date: string): string => `${date}T12:00:00`;

/** Renders dates: a whole month by its name, others as a range. */
export const usePeriodText = () => {
  const { i18n } = useTranslation();
  const format = useFormat();
  return (dates: Dates): string => {
    if (isMonth(dates))
      return new Intl.DateTimeFormat(i18n.language, { month: "long", year: "numeric" }).format(
        new Date(noon(dates.from)),
      );
    return format.days(noon(dates.from), noon(dates.to));
  };
};
