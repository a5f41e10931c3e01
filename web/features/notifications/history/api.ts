import {
  type EventKind,
  OUTCOMES,
  type Outcome,
  REPORT_EVENT,
  type TargetType,
} from "../../../../src/shared/notifications";
import { api, payload } from "../../../api";
import { hubNow } from "../../../lib/now";
import { resourceFamily } from "../../../lib/resource";

export type StoredEvent = Awaited<ReturnType<typeof readPage>>["events"][number];
/** An event about an outage, as all but reports are. */
export type HistoryEvent = StoredEvent & { kind: EventKind };
export const isOfOutage = (event: StoredEvent): event is HistoryEvent => event.kind !== REPORT_EVENT;
export type Delivery = HistoryEvent["deliveries"][number];

/** The events of all targets, of one type of target, or of one target, such as `monitor:3`. */
export type EventsOf = "all" | TargetType | `${TargetType}:${number}`;

/** Which events are listed; null: with any messages. */
export type HistoryFilter = { of: EventsOf; outcome: Outcome | null; channel: number | null };

/** The filter of an address; parts that are not understood are left out. */
export const toHistoryFilter = (search: URLSearchParams): HistoryFilter => {
  const of = search.get("of") ?? "";
  const channel = search.get("channel") ?? "";
  return {
    of: /^(monitor|agent)(:[1-9]\d{0,14})?$/.test(of) ? (of as EventsOf) : "all",
    outcome: OUTCOMES.find((one) => one === search.get("outcome")) ?? null,
    channel: /^\d{1,15}$/.test(channel) ? Number(channel) : null,
  };
};

/** A filter as a part of an address, which is also its key. */
export const searchOf = ({ of, outcome = null, channel = null }: Pick<HistoryFilter, "of"> & Partial<HistoryFilter>) =>
  new URLSearchParams({
    ...(of !== "all" && { of }),
    ...(outcome && { outcome }),
    ...(channel !== null && { channel: String(channel) }),
  }).toString();

/** Where a page of the history begins. */
type HistoryCursor = { before: number; as_of?: number };

const readPage = ({ of, outcome, channel }: HistoryFilter, cursor?: HistoryCursor) =>
  payload(
    api.notifications.history.get({
      query: {
        ...{ by: "outage", limit: 50 },
        ...(of !== "all" && { of }),
        ...(outcome && { outcome }),
        ...(channel !== null && { channel }),
        ...cursor,
      },
    }),
  );

/** Each call looks at a part of the history. At most this many calls search for events to show. */
const MOST_CALLS = 10;

/** The events of the 50 latest outages, or of the 50 before a cursor. */
export const readHistory = async (filter: HistoryFilter, cursor?: HistoryCursor) => {
  let page = await readPage(filter, cursor);
  for (let call = 1; call < MOST_CALLS && page.events.length === 0 && page.next !== null; call++)
    page = await readPage(filter, { before: page.next, ...(page.as_of !== null && { as_of: page.as_of }) });
  return page;
};

/** How long after its creation the first attempt of a delivery is expected, in ms. */
const firstAttemptWithin = 30_000;

/** Whether a delivery was created a moment ago and has not been attempted yet. */
const awaitsAttempt = ({ state, attempts, created_at }: Pick<Delivery, "state" | "attempts" | "created_at">) =>
  state === "pending" && attempts === 0 && hubNow() - Date.parse(created_at) < firstAttemptWithin;

/** The newest events, by the filter's part of an address. */
export const historyAtom = resourceFamily((key: string) => readHistory(toHistoryFilter(new URLSearchParams(key))), {
  pollFast: ({ events }) => events.some(({ deliveries }) => deliveries.some(awaitsAttempt)),
});
