import { clampPercent } from "../../lib/format";

export type Day = { date: string; up: number; down: number };
export type DayTone = "good" | "fair" | "poor" | "bad" | "none";

/** The share of up checks in percent, or null without a check. */
export const shareOf = ({ up, down }: Pick<Day, "up" | "down">): number | null =>
  up + down === 0 ? null : clampPercent((up / (up + down)) * 100);

/** A day's real share decides: nothing is rounded up into a better colour. */
export const toneOf = (day: Day): DayTone => {
  if (day.up + day.down === 0) return "none";
  const share = day.up / (day.up + day.down);
  if (share >= 0.999) return "good";
  if (share >= 0.99) return "fair";
  return share >= 0.95 ? "poor" : "bad";
};

/** A date without a time, for Intl: noon, so that no zone makes another day of it. */
export const noonOf = (date: string): Date => {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  return new Date(year, month - 1, day, 12);
};
