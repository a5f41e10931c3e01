/**
 * Drills: the messages of an outage of a monitor or server, sent on request through its real policy. A drill has an opening and a closing event, which are planned and delivered like others (delivery/plan/next.ts) and
 * change nothing else: neither the state of the target nor its outages, uptime or mute.
 */
import type { Static } from "@sinclair/typebox";
import { and, eq, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound, rateLimited } from "../../../core/errors";
import { madeBy, type Viewer } from "../../../db/owner";
import { events, users } from "../../../db/schema";
import { lock, lockAlerts } from "../../../db/sql";
import { integer, list, nullable, object, oneOf, text } from "../../../server/answers";
import { MINUTE, SECOND } from "../../../shared/limits";
import { type EventKind, isClosing, type TargetType } from "../../../shared/notifications";
import type { UnsentReason } from "../../../shared/outages/unsent-reasons";
import { channelTypes } from "../channels/registry";
import { selects } from "../delivery/plan/decide";
import { next } from "../delivery/plan/next";
import { readAddressing } from "../delivery/plan/read";
import { NOTHING_STORED, type Planned, type Subject } from "../delivery/plan/state";
import { reasonOfSettings } from "../delivery/plan/unsent";
import { viewOf } from "../targets";

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
export type Message = Static<typeof DrillMessage>;

/** Why a drill would send nothing. */
export const DRILL_PROBLEMS = ["alerts_off", "no_recipients"] as const;
type Problem = (typeof DRILL_PROBLEMS)[number];

type Store = Pick<Deps, "db" | "config" | "clock">;
export type Target = { type: TargetType; id: number };

/** A target of the viewer's own: messages go to their channels. @throws {AppError} not_found */
export const findName = async (store: Store, viewer: Viewer, { type, id }: Target): Promise<string> => {
  const name = await viewOf(type).readOwn(store, id, viewer.teamId);
  if (name === undefined) throw notFound(type === "monitor" ? "Monitor" : "Agent");
  return name;
};

/**
 * The events of a drill of each of the viewer's targets as they would be planned, without being stored: its opening and its
 * closing event. The id 0 stands for all targets of a type without a rule of their own.
 */
export const readSubjects = async (
  store: Pick<Store, "db" | "config">,
  viewer: Viewer,
  targets: readonly Target[],
): Promise<[opening: Subject, closing: Subject][]> => {
  const owned = targets.map(({ type, id }) => ({ teamId: viewer.teamId, targetType: type, targetId: id }));
  const addressing = await readAddressing(
    store,
    owned.map((target) => ({ target, role: viewer.role })),
  );
  return addressing.map((addressed, index) => {
    const target = owned[index] as (typeof owned)[number];
    const subjectOf = (kind: EventKind): Subject => {
      const event = { ...target, id: 0, kind, drill: true } as Subject["event"];
      return { ...addressed, event, outage: null };
    };
    const [begin, end] = EDGES[target.targetType];
    return [subjectOf(begin), subjectOf(end)];
  });
};

type Sent = Planned & { subject: Subject };

/** The messages with this place in the order of a drill, as one with all of their channels. */
const toMessage = (sent: readonly Sent[]): Message => {
  const [{ subject, purpose, sequence }] = sent as [Sent];
  const { policy, event } = subject;
  const isReminder = purpose === "reminder";
  const begin = sequence === 0 ? "begin" : "step";
  return {
    kind: isClosing(event.kind) ? "end" : isReminder ? "reminder" : begin,
    after_minutes: isClosing(event.kind)
      ? null
      : isReminder
        ? policy.repeatMinutes
        : (policy.steps[sequence]?.afterMinutes ?? 0),
    channels: sent.map(({ channel: { id, name, type } }) => ({ id, name, type })),
  };
};

/** The messages of a drill, in order. */
export const messagesOf = (subjects: readonly Subject[], now: number): Message[] => {
  const sent = subjects.flatMap((subject) =>
    (next(subject, NOTHING_STORED, now)?.deliveries ?? []).map((planned): Sent => ({ ...planned, subject })),
  );
  const place = ({ subject: { event }, purpose, sequence }: Sent) => `${event.kind} ${purpose} ${sequence}`;
  return [...Map.groupBy(sent, place).values()].map(toMessage);
};

/**
 * What a drill of a target would send, in order, and why it would send nothing.
 * @throws {AppError} not_found
 */
export const previewDrill = async (
  store: Store,
  viewer: Viewer,
  target: Target,
): Promise<{ problem: Problem | null; reason: UnsentReason | null; messages: Message[] }> => {
  await findName(store, viewer, target);
  const subjects = (await readSubjects(store, viewer, [target])).flat();
  const messages = messagesOf(subjects, store.clock.now());
  if (messages.length > 0) return { problem: null, reason: null, messages };
  const [opening] = subjects as [Subject];
  const reason = reasonOfSettings(
    opening,
    opening.policy.steps.flatMap(({ channels }) => channels),
  );
  const isOff = ({ event, rule, policy }: Subject): boolean =>
    !rule.enabled || (policy.steps.some(({ channels }) => channels.length > 0) && !selects(rule, event));
  return { problem: subjects.some(isOff) ? "alerts_off" : "no_recipients", reason, messages };
};

/** Milliseconds until the next drill of a target may begin; not above 0 if it may now. */
const pauseLeft = async ({ db, clock }: Store, { type, id }: Target): Promise<number> => {
  const ofTarget = and(eq(events.targetType, type), eq(events.targetId, id), eq(events.drill, true));
  const [row] = await db
    .select({ at: sql<number | null>`max(${events.at})` })
    .from(events)
    .where(ofTarget);
  return row?.at == null ? 0 : Number(row.at) + PAUSE - clock.now();
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
  return store.db.transact(async (tx) => {
    await lock(tx, lockAlerts);
    const within = { ...store, db: tx };
    const name = await findName(within, viewer, target);
    const { problem, messages } = await previewDrill(within, viewer, target);
    if (problem) throw new AppError(problem);
    const left = await pauseLeft(within, target);
    if (left > 0) throw rateLimited(Math.max(1, Math.ceil(left / SECOND)));
    const rows = EDGES[target.type].map((kind) => ({
      ...{ ...madeBy(viewer), kind, targetType: target.type, targetId: target.id, targetName: name },
      ...{ at: store.clock.now(), drill: true },
    }));
    await tx.update(users).set({ drilledAt: store.clock.now() }).where(eq(users.id, viewer.id));
    const stored = await tx.insert(events).values(rows).returning({ id: events.id });
    return { events: stored.map(({ id }) => id), messages };
  });
};
