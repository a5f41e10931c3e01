/**
 * The feed of the dashboard: the latest events, folded. Changes of a target in one respect, such as going down, recovering and
 * going down again, are one entry while the next change follows within two hours.
 */
import type { Static } from "@sinclair/typebox";
import { and, asc, desc, ne, or } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { type Belonging, ofUser, readBelongings, type Viewer, visibleTo } from "../../db/owner";
import { deliveries, events, type OutageEvent, outageEventColumns } from "../../db/schema";
import { isOneOf } from "../../db/sql";
import { isoTime } from "../../lib/time";
import {
  belongingFields,
  boolean,
  checkErrorCode,
  component,
  errorDetail,
  HubGap,
  id,
  integer,
  list,
  nullable,
  number,
  oneOf,
  text,
  time,
} from "../../server/answers";
import { HOUR, SECOND } from "../../shared/limits";
import { type EventKind, isClosing, OUTAGE_KINDS, outageKindOf, REPORT_EVENT } from "../../shared/notifications";
import { partFields, presentPart } from "./facts";
import { NO_TARGET } from "./messages/message";

/** Events that are read, entries that are made of them, and channels that an entry names. */
const [EVENTS, ENTRIES, CHANNELS] = [100, 10, 5];
/** A further outage within this time of the previous one belongs to the same entry. */
const FOLDED = 2 * HOUR;

export const FeedEntry = component("FeedEntry", {
  id: id("The id of its latest event.", 21),
  target_type: oneOf("The kind of target.", ["monitor", "agent"]),
  target_id: integer("The target's id; 0 for the hub itself, of the kinds `unwatched` and `backup`.", 3),
  target_name: text("Its name at the time.", "Payments API"),
  ...belongingFields,
  kind: oneOf("What happened, as in the list of outages.", OUTAGE_KINDS),
  drill: boolean("Whether it was sent on request, to try a policy: nothing has happened then.", false),
  state: oneOf("Whether the latest event began or ended it.", ["begun", "ended"]),
  at: time("When the latest event happened."),
  first_at: time("When the first event of this entry happened.", "2026-01-15T09:20:00.000Z"),
  times: integer("How often it began.", 14),
  lasted: nullable(integer("How many seconds it lasted the last time it ended; null if it has not.", 180)),
  error_code: checkErrorCode("Why the monitor last went down; null for servers.", null),
  error_detail: nullable(errorDetail(503, "actual"), null),
  figure: nullable(
    number("The figure that last crossed its threshold: percent, °C, load per core, or days.", 96.5),
    null,
  ),
  mount: nullable(text("The mount point of the full disk.", "/var"), null),
  ...partFields,
  gap: nullable(HubGap, null),
  notified: list(
    text("A channel's name.", "On call"),
    "Channels that were notified, at most five; empty for targets of other users.",
  ),
  failed: integer("How many notifications were given up.", 0),
});

type EventRow = OutageEvent;

const stateOf = (kind: EventKind) => (isClosing(kind) ? "ended" : "begun");

/** Whether an event belongs to the entry that begins with the later event `next`. */
const continues = (earlier: EventRow, next: EventRow): boolean =>
  isClosing(next.kind) ? !isClosing(earlier.kind) : next.at - earlier.at <= FOLDED;

/** Groups events, newest first, by target, kind and subject. Each group is newest first, and so are the groups. */
const fold = (rows: readonly EventRow[]): EventRow[][] => {
  const groups: EventRow[][] = [];
  const open = new Map<string, EventRow[]>();
  for (const row of rows) {
    const subject = `${row.targetType} ${row.targetId} ${outageKindOf(row.kind)} ${row.subject} ${row.drill}`;
    const group = open.get(subject);
    const next = group?.at(-1);
    if (group && next && continues(row, next)) group.push(row);
    else {
      const begun = [row];
      groups.push(begun);
      open.set(subject, begun);
    }
  }
  return groups;
};

/** The gap of the hub that an event is about: it is over then. */
const gapOf = ({ at, since, facts }: EventRow) =>
  facts?.gap && since !== null ? { from: isoTime(since), to: isoTime(at), reason: facts.gap.reason } : null;

type Sent = { eventId: number; state: string; channelName: string };

const toEntry = (
  group: EventRow[],
  sent: Map<number, Sent[]>,
  belongingOf: (row: EventRow) => Belonging,
): Static<typeof FeedEntry> => {
  const [latest] = group as [EventRow];
  const belonging = belongingOf(latest);
  const begun = group.filter(({ kind }) => !isClosing(kind));
  const ended = group.find(({ kind }) => isClosing(kind));
  const cause = begun[0] ?? latest;
  const notices = group.flatMap(({ id }) => sent.get(id) ?? []);
  const names = notices.filter(({ state }) => state === "sent").map(({ channelName }) => channelName);
  return {
    id: latest.id,
    target_type: latest.targetType,
    target_id: latest.targetId,
    target_name: latest.targetName,
    ...belonging,
    kind: outageKindOf(latest.kind),
    drill: latest.drill,
    state: stateOf(latest.kind),
    at: isoTime(latest.at),
    first_at: isoTime(group.at(-1)?.at ?? latest.at),
    times: begun.length,
    lasted: ended?.since == null ? null : Math.round((ended.at - ended.since) / SECOND),
    error_code: cause.errorCode,
    error_detail: cause.errorDetail,
    figure: cause.figure,
    mount: cause.mount,
    ...presentPart(cause),
    gap: gapOf(latest),
    notified: belonging.owner === undefined ? [...new Set(names)].slice(0, CHANNELS) : [],
    failed: belonging.owner === undefined ? notices.filter(({ state }) => state === "failed").length : 0,
  };
};

/** The latest events that a viewer sees, folded, newest first. */
export const readFeed = async (deps: Pick<Deps, "db">, viewer: Viewer): Promise<Static<typeof FeedEntry>[]> => {
  const { db } = deps;
  // Each administrator has an event of their own about the hub.
  const isShown = or(ne(events.targetId, NO_TARGET), ofUser(events, viewer.id));
  const rows = await db
    .select(outageEventColumns)
    .from(events)
    .where(and(visibleTo(events, viewer), isShown, ne(events.kind, REPORT_EVENT)))
    .orderBy(desc(events.id))
    .limit(EVENTS);
  const groups = fold(rows).slice(0, ENTRIES);
  const listed = groups.flat();
  const sent = await db
    .select({ eventId: deliveries.eventId, state: deliveries.state, channelName: deliveries.channelName })
    .from(deliveries)
    .where(
      isOneOf(
        deliveries.eventId,
        listed.map(({ id }) => id),
      ),
    )
    .orderBy(asc(deliveries.id));
  const byEvent = Map.groupBy(sent, ({ eventId }) => eventId);
  const belonging = await readBelongings(deps, viewer, listed);
  return groups.map((group) => toEntry(group, byEvent, belonging));
};
