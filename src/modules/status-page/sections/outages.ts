import type { Static } from "@sinclair/typebox";
import { type Interval, lengthOf } from "../../../lib/intervals";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import { boolean, component, id, integer, nullable, oneOf, optional, text, time } from "../../../server/answers";
import { DAY, SECOND } from "../../../shared/limits";
import { PAST_DAYS } from "../../../shared/status-page";
import { readWithin } from "../../alerting/maintenance/within";
import { FOLD, type FoldedOutage, readFolded } from "../../alerting/outages/folded";
import { readOwnComponents } from "../pages/components";
import { readDownTimes } from "../pages/down-times";
import type { StatusPage } from "../pages/find";
import type { Section, Store } from "./section";

export const PublicOutageSchema = component("PublicOutage", {
  id: id("The id of the first outage that it stands for; of a component, when it began in ms since 1970.", 12),
  target_type: oneOf("The kind of target.", ["monitor", "agent", "component"]),
  target_id: id("The target's id.", 3),
  name: text("The target's name.", "Payments API"),
  started_at: time("When the first outage began.", "2026-01-15T12:05:00.000Z"),
  ended_at: nullable(time("When the last outage ended; null while it is open.")),
  changed_at: time("When the last outage began or ended."),
  count: integer("How many outages it stands for.", 1),
  seconds: integer("How long those that ended lasted together, in seconds.", 900),
  maintenance: optional(boolean("True for one that was in maintenance all the time.", true)),
});
export type PublicOutage = Static<typeof PublicOutageSchema>;

type Row = Omit<FoldedOutage, "targetType"> & {
  targetType: PublicOutage["target_type"];
  inMaintenance: boolean;
};

/** Entries of a page at most. */
const MAX_ENTRIES = 100;
/** Later than any outage. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** Times of one component as entries: times of one day (UTC) that follow each other closely are one. */
const foldTimes = (times: readonly Interval[], targetId: number, name: string): Row[] => {
  const entries: Interval[][] = [];
  for (const time of times) {
    const last = entries.at(-1);
    const [first] = last ?? [];
    const isClose = last && time.from - (last.at(-1)?.to ?? 0) <= FOLD;
    if (isClose && first && Math.floor(first.from / DAY) === Math.floor(time.from / DAY)) last.push(time);
    else entries.push([time]);
  }
  return entries.map((entry) => {
    const startedAt = entry[0]?.from ?? 0;
    const last = entry.at(-1) ?? { from: startedAt, to: startedAt };
    const isOpen = last.to === Number.POSITIVE_INFINITY;
    return {
      ...{ id: startedAt, targetType: "component", targetId, name, startedAt, inMaintenance: false },
      ...{ endedAt: isOpen ? null : last.to, changedAt: isOpen ? last.from : last.to, count: entry.length },
      milliseconds: lengthOf(entry.filter(({ to }) => to !== Number.POSITIVE_INFINITY)),
    };
  });
};

/** The outages of a page that touch a span, newest first, at most `limit`. */
export const readOutages = async (
  store: Store,
  page: StatusPage,
  { from, to, limit }: Interval & { limit: number },
): Promise<Row[]> => {
  const { teamId, monitors, agents } = page;
  const folded = await readFolded(store, teamId, { monitors, agents }, { from, to, limit });
  const isWithin = await readWithin(store, folded);
  const rows = folded.map((outage) => ({ ...outage, inMaintenance: isWithin(outage) }));
  const components = await readOwnComponents(store, page);
  if (components.length === 0) return rows;
  const span = { from, to: Math.min(to, store.clock.now() + 1) };
  const times = await readDownTimes(store, teamId, components, span);
  const own = components.flatMap(({ row, label }) => foldTimes(times.get(row.id) ?? [], row.id, label));
  return [...rows, ...own].toSorted((one, other) => other.startedAt - one.startedAt).slice(0, limit);
};

const read = (store: Store, page: StatusPage): Promise<Row[]> => {
  const from = (Math.floor(store.clock.now() / DAY) - PAST_DAYS + 1) * DAY;
  return readOutages(store, page, { from, to: NEVER, limit: MAX_ENTRIES });
};

/** Past outages: outages of one target in close succession are one entry. */
export const outagesSection: Section<"outages", Row, PublicOutage> = {
  key: "outages",
  read,
  present: (row) => ({
    id: row.id,
    target_type: row.targetType,
    target_id: row.targetId,
    name: row.name,
    started_at: isoTime(row.startedAt),
    ended_at: isoTimeOrNull(row.endedAt),
    changed_at: isoTime(row.changedAt),
    count: row.count,
    seconds: Math.round(Math.max(0, row.milliseconds) / SECOND),
    ...(row.inMaintenance && { maintenance: true }),
  }),
  changedAt: ({ changedAt }) => changedAt,
};
