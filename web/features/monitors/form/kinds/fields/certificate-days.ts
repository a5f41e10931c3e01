import type { TFunction } from "i18next";
import { text } from "../../../../../lib/form";
import type { Fact } from "../kind";

/** The numbers in a field that holds several, such as `21, 7, 1`; NaN for anything else. */
export const daysIn = (form: FormData, name: string): number[] =>
  text(form, name)
    .split(/[\s,;，、；]+/)
    .filter(Boolean)
    .map(Number);

/** The thresholds on the page of a monitor. */
export const certificateDaysFact = (
  days: readonly number[],
  t: TFunction,
  label: string = t("kinds.certificate.days"),
): Fact => ({
  label,
  value: days.length === 0 ? t("kinds.certificate.never") : t("kinds.certificate.shownDays", { days: days.join(", ") }),
});
