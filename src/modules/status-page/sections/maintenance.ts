import type { Static } from "@sinclair/typebox";
import { type Interval, lengthOf, mergeIntervals, subtractIntervals } from "../../../lib/intervals";
import { isoTime } from "../../../lib/time";
import { component, id, list, nullable, object, optional, text, time } from "../../../server/answers";
import { DAY, SECOND } from "../../../shared/limits";
import type { TargetType } from "../../../shared/notifications";
import {
  readLeftOut,
  readMaintenance,
  readMaintenanceTimes,
  readScheduled,
  type Scheduled,
} from "../../alerting/maintenance/running";
import { readOutageTimes } from "../../alerting/outages/times";
import { readOwnComponents } from "../pages/components";
import type { StatusPage } from "../pages/find";
import { membersOf } from "../pages/measured";
import type { Section, Store } from "./section";

/** How long before its beginning maintenance is listed, and the most entries. */
const [AHEAD, MAX_LISTED] = [7 * DAY, 10];

/** The field of a service or server: visitors may know until when it is in maintenance. */
export const maintenanceUntilField = nullable(
  object({ until: time("While it is in maintenance: when that ends. Usually null.", "2026-01-15T13:20:00.000Z") }),
  null,
);

/** Reads until when services or servers of a page are in maintenance. */
export const readUntil = async (store: Store, { teamId }: StatusPage, type: TargetType, ids: readonly number[]) => {
  const now = store.clock.now();
  const targets = ids.map((id) => ({ teamId, type, id }));
  const untilOf = await readMaintenance(store, targets, now);
  return (id: number): Static<typeof maintenanceUntilField> => {
    const until = untilOf({ teamId, type, id }, now);
    return until === null ? null : { until: isoTime(until) };
  };
};

/** The maintenance of a day, and the share of its down time that was in maintenance and does not count. */
type DayMaintenance = { seconds: number; held: number };
const NONE: DayMaintenance = { seconds: 0, held: 0 };

/** The length of what two lists of merged intervals have in common within a span. */
const commonLength = (span: Interval, one: readonly Interval[], other: readonly Interval[]): number => {
  const within = (merged: readonly Interval[]) => lengthOf(subtractIntervals(span, merged));
  return span.to - span.from - within(one) - within(other) + within(mergeIntervals([...one, ...other]));
};

/** Reads the maintenance of monitors on each of some days in a row, the first one given by its number. */
export const readDayMaintenance = async (store: Store, ids: readonly number[], first: number, count: number) => {
  const wanted = { type: "monitor", ids } as const;
  const now = store.clock.now();
  const span = { from: first * DAY, to: now };
  const times = await readMaintenanceTimes(store, wanted, span);
  const leftOut = times.size > 0 ? await readLeftOut(store, wanted, span) : new Map<number, Interval[]>();
  const outages = leftOut.size > 0 ? await readOutageTimes(store, wanted, span.from) : new Map();
  return (id: number): DayMaintenance[] => {
    const own = mergeIntervals((times.get(id) ?? []).map(({ from, to }) => ({ from, to: Math.min(to, now) })));
    const apart = mergeIntervals(leftOut.get(id) ?? []);
    const pairs: readonly number[] = outages.get(id)?.merged ?? [];
    const down = mergeIntervals(
      pairs.flatMap((from, place) => (place % 2 === 0 ? [{ from, to: Math.min(pairs[place + 1] ?? now, now) }] : [])),
    );
    return Array.from({ length: count }, (_, place) => {
      const day = { from: (first + place) * DAY, to: (first + place + 1) * DAY };
      const length = DAY - lengthOf(subtractIntervals(day, own));
      if (length === 0) return NONE;
      const total = DAY - lengthOf(subtractIntervals(day, down));
      return { seconds: Math.round(length / SECOND), held: total > 0 ? commonLength(day, down, apart) / total : 0 };
    });
  };
};

export const PublicMaintenanceSchema = component("PublicMaintenance", {
  id: id("The id of its window.", 2),
  title: text("Its title; may be empty.", "Database upgrade"),
  from: time("When it begins or began."),
  to: time("When it ends.", "2026-01-15T13:20:00.000Z"),
  monitors: list(id("A monitor of the page.", 3), "The services of the page that it is about."),
  agents: list(id("A server of the page.", 5), "The servers of the page that it is about."),
  components: optional(
    list(text("A component's key.", "kctbhvrtdwda"), "The components of the page that it is about."),
  ),
});
type PublicMaintenance = Static<typeof PublicMaintenanceSchema>;

/** Maintenance, with the keys of the components of the page that it is about. */
export type Row = Scheduled & { components: string[] };

/** The names on a page. */
type Named = Record<"monitors" | "agents", { id: number; name: string }[]> & {
  components: { key: string; name: string }[];
};

/** Names what maintenance is about as a page does. */
export const createNaming = ({ monitors, agents, components }: Named) => {
  const names = {
    monitors: new Map(monitors.map(({ id, name }) => [id, name])),
    agents: new Map(agents.map(({ id, name }) => [id, name])),
    components: new Map(components.map(({ key, name }) => [key, name])),
  };
  return (one: Pick<Row, "monitors" | "agents" | "components">): string[] => [
    ...one.monitors.flatMap((id) => names.monitors.get(id) ?? []),
    ...one.agents.flatMap((id) => names.agents.get(id) ?? []),
    ...one.components.flatMap((key) => names.components.get(key) ?? []),
  ];
};

/** The maintenance in a span that is about anything on a page, the earliest first; at most `most` of each window. */
export const readPlanned = async (
  store: Store,
  page: StatusPage,
  span: Interval & { most?: number },
): Promise<Row[]> => {
  const { teamId, monitors, agents } = page;
  const own = await readOwnComponents(store, page);
  const members = membersOf(own);
  const wanted = {
    monitors: [...new Set([...monitors, ...members.monitors])],
    agents: [...new Set([...agents, ...members.agents])],
    tags: [...new Set(own.flatMap(({ row }) => row.target.tag ?? []))],
  };
  const found = await readScheduled(store, teamId, wanted, span);
  // Visitors do not see what components are about.
  const listed = { monitors: new Set(monitors), agents: new Set(agents) };
  return found.map((one) => {
    const about = { monitors: new Set(one.monitors), agents: new Set(one.agents) };
    const concerned = own.filter(
      ({ row, members }) =>
        (row.target.tag !== null && one.tags.includes(row.target.tag)) ||
        members.monitors.some((id) => about.monitors.has(id)) ||
        members.agents.some((id) => about.agents.has(id)),
    );
    return {
      ...one,
      monitors: one.monitors.filter((id) => listed.monitors.has(id)),
      agents: one.agents.filter((id) => listed.agents.has(id)),
      components: concerned.map(({ row }) => row.key),
    };
  });
};

const read = async (store: Store, page: StatusPage): Promise<Row[]> => {
  const now = store.clock.now();
  const found = await readPlanned(store, page, { from: now, to: now + AHEAD });
  const running = found.filter(({ from }) => from <= now);
  return [...running, ...found.filter(({ from }) => from > now).slice(0, MAX_LISTED)];
};

/** Running and upcoming maintenance of the targets on the page. Windows about nothing on it are not listed. */
export const maintenanceSection: Section<"maintenance", Row, PublicMaintenance> = {
  key: "maintenance",
  read,
  present: ({ windowId, title, from, to, monitors, agents, components }) => ({
    ...{ id: windowId, title, from: isoTime(from), to: isoTime(to), monitors, agents },
    ...(components.length > 0 && { components }),
  }),
  changedAt: () => null,
};
