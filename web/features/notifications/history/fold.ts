import { type EventKind, isClosing, outageKindOf } from "../../../../src/shared/notifications";
import { isUndecided, type UnsentReason } from "../../../../src/shared/outages/unsent-reasons";
import type { HistoryEvent } from "./api";

const HOUR = 3_600_000;
/** Events of one target that follow each other within this time may be folded. */
const GAP = HOUR;
/** The number of events that are folded, also of several outages: twice down and up. */
const LEAST = 4;

/** The number of neighbours that are folded because none was sent. */
const LEAST_UNSENT = 3;

/** Why an event has no deliveries; null where it has, or where they may follow. */
export const finalReason = ({ unsent_reason: reason }: Pick<HistoryEvent, "unsent_reason">): UnsentReason | null =>
  reason && !isUndecided(reason) ? reason : null;

/** Groups neighbours of a list that were not sent for the same reason, from three on. All others are alone. */
export const groupUnsent = <T>(items: readonly T[], reasonOf: (item: T) => UnsentReason | null): [T, ...T[]][] => {
  const runs: [T, ...T[]][] = [];
  for (const item of items) {
    const last = runs.at(-1);
    const reason = reasonOf(item);
    if (last && reason !== null && reason === reasonOf(last[0])) last.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((run) => (run.length < LEAST_UNSENT ? run.map((item): [T] => [item]) : [run]));
};

/** Whether an event is the begin of something bad, not its end. */
export const isBad = (kind: EventKind): boolean => !isClosing(kind);

/** The sequence of an event: the state of its target, one figure, or one part. */
const seriesOf = ({ kind, target, subject, drill }: HistoryEvent): string =>
  `${target.type} ${target.id} ${drill ? "drill" : outageKindOf(kind)} ${subject ?? ""}`;

type Events = [HistoryEvent, ...HistoryEvent[]];

/** Events of one outage, or of a target whose state changed back and forth, newest first. */
export type Entry = { events: Events; isLatest: boolean };

/** Whether two events belong to one outage. One without an outage is alone. */
const isSameOutage = (one: HistoryEvent, other: HistoryEvent): boolean =>
  one.outage_id !== null && one.outage_id === other.outage_id;

/** Divides a run into its outages. */
const byOutage = (run: Events): Events[] => {
  const outages: Events[] = [];
  for (const event of run) {
    const last = outages.at(-1);
    if (last && isSameOutage(last[0], event)) last.push(event);
    else outages.push([event]);
  }
  return outages;
};

/**
 * Folds the events of each outage into one entry in the place of the newest, and so what happened to a target repeatedly,
 * each time within an hour. `events` are the newest first. `isLatest`: nothing newer is known of the same state or figure.
 */
export const foldEvents = (events: readonly HistoryEvent[]): Entry[] => {
  const open = new Map<string, Events>();
  const runs: Events[] = [];
  const latest = new Set<HistoryEvent>();
  for (const event of events) {
    const series = seriesOf(event);
    const run = open.get(series);
    if (!run) latest.add(event);
    const next = run?.at(-1);
    if (run && next && (isSameOutage(next, event) || Date.parse(next.at) - Date.parse(event.at) <= GAP))
      run.push(event);
    else {
      const started: Events = [event];
      open.set(series, started);
      runs.push(started);
    }
  }
  return runs
    .flatMap((run) => (run.length < LEAST ? byOutage(run) : [run]))
    .map((run) => ({ events: run, isLatest: latest.has(run[0]) }))
    .toSorted((one, other) => other.events[0].id - one.events[0].id);
};

/** Why nothing was sent about the events of an entry: the reason of its beginning; null where something was. */
export const unsentOf = ({ events }: Entry): UnsentReason | null =>
  events.every(({ deliveries }) => deliveries.length === 0) ? (events.at(-1)?.unsent_reason ?? "unknown") : null;
