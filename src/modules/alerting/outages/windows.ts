/** The availability of a monitor or server in windows that end now, as its own answer has it. */
import type { Static } from "@sinclair/typebox";
import type { Deps } from "../../../core/deps";
import type { Interval } from "../../../lib/intervals";
import { component, integer, nullable, number, object } from "../../../server/answers";
import { DAY, SECOND } from "../../../shared/limits";
import type { TargetType } from "../../../shared/notifications";
import { type Availability, NOTHING_KNOWN, readAvailability, uptimeOf, watchedShareOf } from "./availability";
import { LONGEST_WINDOW } from "./times";

export const WINDOWS = { "24h": DAY, "7d": 7 * DAY, "30d": 30 * DAY, "90d": LONGEST_WINDOW } as const;

/** Windows of these lengths that end at a time. */
export const windowsUntil = (now: number, lengths: readonly number[]): Interval[] =>
  lengths.map((length) => ({ from: now - length, to: now }));

/** The fields of the availability in an interval. */
export const availabilityFields = {
  uptime: nullable(number("Percent of the watched time during which it was up; null without watched time.", 99.93)),
  watched_seconds: integer(
    "Watched time: since its first check or report, without pauses and the time in which nothing could be known.",
    86_400,
  ),
  watched: nullable(
    number(
      "Percent of the time since its first check or report, without pauses, in which its state could be known; null without such time.",
      97.2,
    ),
  ),
  down_seconds: integer("Watched time during which it was down.", 60),
  outages: integer("How many outages were open at some time.", 1),
};
const AvailabilityOfWindow = component("Availability", availabilityFields);
type PresentedAvailability = Static<typeof AvailabilityOfWindow>;

export const presentAvailability = (one: Availability): PresentedAvailability => ({
  uptime: uptimeOf(one),
  watched: watchedShareOf(one),
  watched_seconds: Math.round(one.watched / SECOND),
  down_seconds: Math.round(one.down / SECOND),
  outages: one.outages,
});

export const AvailabilityOfWindows = object({
  "24h": AvailabilityOfWindow,
  "7d": AvailabilityOfWindow,
  "30d": AvailabilityOfWindow,
  "90d": AvailabilityOfWindow,
});

/** Reads the availability of a target over each window that ends now. */
export const readWindows = async (
  store: Pick<Deps, "db" | "clock" | "config">,
  type: TargetType,
  id: number,
): Promise<Static<typeof AvailabilityOfWindows>> => {
  const windows = windowsUntil(store.clock.now(), Object.values(WINDOWS));
  const found = (await readAvailability(store, { type, ids: [id] }, windows)).get(id) ?? [];
  const [day, week, month, quarter] = windows.map((_, index) => presentAvailability(found[index] ?? NOTHING_KNOWN));
  return { "24h": day, "7d": week, "30d": month, "90d": quarter } as Static<typeof AvailabilityOfWindows>;
};
