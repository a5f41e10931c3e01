/**
 * Drills: the messages of an outage of a monitor or server, sent on request through its real policy. A drill is two
 * events, one that begins and one that ends, which are planned and delivered like others (delivery/plan/drill.ts) and
 * change nothing else: neither the state of the target nor its outages, uptime or mute.
 */
import type { Static } from "@sinclair/typebox";
import { and, eq, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound, rateLimited } from "../../../core/errors";
import { ownedBy, type Viewer } from "../../../db/owner";
import { agents, events, monitors } from "../../../db/schema";
import { lockAlerts } from "../../../db/sql";
import { integer, list, nullable, object, oneOf, text } from "../../../server/answers";
import { MINUTE, SECOND } from "../../../shared/limits";
import { type EventKind, isClosing, type TargetType } from "../../../shared/notifications";
import { channelTypes } from "../channels/registry";
import { type PlannedEvent, readAddressing } from "../delivery/plan/batch";
import { draftDrill } from "../delivery/plan/drill";
import type { Draft } from "../delivery/plan/stage";
import { suppressors } from "../delivery/suppressors";

/** Milliseconds between two drills of one target. */
const PAUSE = MINUTE;

/** The events of a drill, in order. */
const EDGES: Record<TargetType, [begin: EventKind, end: EventKind]> = {
  monitor: ["down", "recovery"],
  agent: ["offline", "online"],
};

export const DrillMessage = object({
  kind: oneOf("The begin, a later step of the policy, a reminder, or the end.", ["begin", "step", "reminder", "end"]),
  after_minutes: nullable(
    integer("How long a real outage lasts when it is sent; null for its end. A drill sends everything at once.", 0),
  ),
  channels: list(
    object({
      id: integer("The channel's id; 0 is the built-in one.", 2),
      name: text("Its name.", "On call"),
      type: oneOf("Its kind.", channelTypes()),
    }),
    "The channels that it is sent to.",
  ),
});
type Message = Static<typeof DrillMessage>;

/** Why a drill would send nothing. */
export const DRILL_PROBLEMS = ["alerts_off", "no_recipients"] as const;
type Problem = (typeof DRILL_PROBLEMS)[number];

type Store = Pick<Deps, "db" | "config" | "clock">;
type Target = { type: TargetType; id: number };

/** A target of the viewer's own: messages go to their channels. @throws {AppError} not_found */
const findName = async ({ db }: Store, viewer: Viewer, { type, id }: Target): Promise<string> => {
  const table = type === "monitor" ? monitors : agents;
  const [row] = await db
    .select({ name: table.name })
    .from(table)
    .where(and(eq(table.id, id), ownedBy(table, viewer.id)));
  if (!row) throw notFound(type === "monitor" ? "Monitor" : "Agent");
  return row.name;
};

/** The events of a drill as they would be planned, without being stored. */
const planOf = async (store: Store, viewer: Viewer, { type, id }: Target): Promise<PlannedEvent[]> => {
  const target = { userId: viewer.id, targetType: type, targetId: id };
  const [addressing] = await readAddressing(store, [{ target, role: viewer.role }]);
  if (!addressing) return [];
  return EDGES[type].map((kind) => {
    const event = { ...target, id: 0, kind, drill: true } as PlannedEvent["event"];
    return { ...addressing, event, outage: null };
  });
};

/** Why a message is not sent; null when it is. */
const reasonOf = ({ planned: { event, rule }, channel }: Draft, now: number) => {
  const context = { rule, channel, muted: false, withheld: null, now };
  for (const { reason } of suppressors) {
    const found = reason(event, context);
    if (found) return found;
  }
  return null;
};

/** The messages with this place in the order of a drill, as one with all of their channels. */
const toMessage = (drafts: readonly Draft[]): Message => {
  const [{ planned, purpose, sequence }] = drafts as [Draft];
  const { policy, event } = planned;
  const isReminder = purpose === "reminder";
  const begin = sequence === 0 ? "begin" : "step";
  return {
    kind: isClosing(event.kind) ? "end" : isReminder ? "reminder" : begin,
    after_minutes: isClosing(event.kind)
      ? null
      : isReminder
        ? policy.repeatMinutes
        : (policy.steps[sequence]?.afterMinutes ?? 0),
    channels: drafts.flatMap(({ channel }) =>
      channel ? [{ id: channel.id, name: channel.name, type: channel.type }] : [],
    ),
  };
};

/**
 * What a drill of a target would send, in order, and why it would send nothing.
 * @throws {AppError} not_found
 */
export const previewDrill = async (
  store: Store,
  viewer: Viewer,
  target: Target,
): Promise<{ problem: Problem | null; messages: Message[] }> => {
  await findName(store, viewer, target);
  const now = store.clock.now();
  const planned = await planOf(store, viewer, target);
  const drafts = planned.flatMap(draftDrill).map((draft) => ({ draft, reason: reasonOf(draft, now) }));
  const sent = drafts.flatMap(({ draft, reason }) => (reason === null ? [draft] : []));
  const place = ({ planned: { event }, purpose, sequence }: Draft) => `${event.kind} ${purpose} ${sequence}`;
  const messages = [...Map.groupBy(sent, place).values()].map(toMessage);
  const isOff = drafts.some(({ reason }) => reason === "rule_disabled" || reason === "not_selected");
  const problem = planned[0]?.rule.enabled === false || isOff ? "alerts_off" : "no_recipients";
  return { problem: messages.length > 0 ? null : problem, messages };
};

/** Stores an event of a drill unless the last drill of its target was less than a pause ago. Gives its id. */
const insertEvent = (owner: Viewer, { type, id, name }: Target & { name: string }, kind: EventKind, now: number) => sql`
  insert into ${events} (user_id, kind, target_type, target_id, target_name, at, drill)
  select cast(${owner.id} as bigint), cast(${kind} as text), cast(${type} as text), cast(${id} as bigint), cast(${name} as text),
    cast(${now} as bigint), true
  where not exists (select 1 from ${events} as e where e.target_type = ${type} and e.target_id = ${id} and e.drill
    and e.at > ${now - PAUSE} and (e.at < ${now} or (e.at = ${now} and e.kind = ${kind})))
  returning id`;

/** The seconds until the next drill of a target may begin. */
const secondsLeft = async ({ db, clock }: Store, { type, id }: Target): Promise<number> => {
  const ofTarget = and(eq(events.targetType, type), eq(events.targetId, id), eq(events.drill, true));
  const [row] = await db
    .select({ at: sql<number>`max(${events.at})`.mapWith(Number) })
    .from(events)
    .where(ofTarget);
  return Math.max(1, Math.ceil(((row?.at ?? 0) + PAUSE - clock.now()) / SECOND));
};

/**
 * Starts a drill. Returns the ids of its events, whose deliveries the history of notifications has.
 * @throws {AppError} not_found, alerts_off, no_recipients, rate_limited
 */
export const startDrill = async (
  store: Store,
  viewer: Viewer,
  target: Target,
): Promise<{ events: number[]; messages: Message[] }> => {
  const name = await findName(store, viewer, target);
  const { problem, messages } = await previewDrill(store, viewer, target);
  if (problem) throw new AppError(problem);
  const now = store.clock.now();
  const results = await store.db.atomically(() => [
    ...lockAlerts,
    ...EDGES[target.type].map((kind) => insertEvent(viewer, { ...target, name }, kind, now)),
  ]);
  const ids = results
    .slice(lockAlerts.length)
    .flatMap((rows) => (rows as { id: number | string }[]).map(({ id }) => Number(id)));
  if (ids.length === 0) throw rateLimited(await secondsLeft(store, target));
  return { events: ids, messages };
};
