import { api, payload } from "../../../../api";
import { resourceFamily } from "../../../../lib/resource";

const listPings = (id: string) => payload(api.monitors({ id }).pings.get({ query: {} }));
export type Ping = Awaited<ReturnType<typeof listPings>>["pings"][number];

/** The pings of a heartbeat, newest first. */
export const pingsAtom = resourceFamily(listPings);

/** The mark of each kind of ping. */
export const MARKS = { success: "up", fail: "down", start: "pending", log: "paused" } as const;

/** Whether a ping ends a run, so that the next one is waited for from then on. */
const isReport = ({ kind }: Pick<Ping, "kind">): boolean => kind === "success" || kind === "fail";

/** A report, and the milliseconds since the previous report. */
export type Interval = { at: string; length: number };

/** The times between reports, oldest first. `pings` are the newest first. */
export const intervalsOf = (pings: readonly Pick<Ping, "kind" | "at">[]): Interval[] => {
  const reports = pings.filter(isReport).toReversed();
  return reports.flatMap(({ at }, place) => {
    const before = reports[place - 1];
    return before ? [{ at, length: Date.parse(at) - Date.parse(before.at) }] : [];
  });
};

/** The value in the middle of a list that is not empty. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
