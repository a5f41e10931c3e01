/** What planning reads: events that are not planned, and steps and reminders that are due, each with what decides about it. */
import { and, asc, eq, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import {
  alertPolicies,
  channels,
  deliveries,
  escalations,
  events,
  flappingTargets,
  mutes,
  notificationRules,
  outageEventColumns,
  outages,
  users,
} from "../../../../db/schema";
import { isOneOf, withValues } from "../../../../db/sql";
import type { AlertPolicy } from "../../../../shared/alert-policy";
import {
  eventKindsOf,
  isClosing,
  isOfPart,
  mayFlap,
  type NotificationRule,
  outageKindOf,
} from "../../../../shared/notifications";
import { BUILT_IN_ID, builtInChannel } from "../../channels/registry";
import { readFollowers } from "../../follows/service";
import { findHeldEvents, findResting } from "../../maintenance/holds";
import { findMutedEvents } from "../../mutes/muted-events";
import { channelsOf, effective } from "../../rules/service";
import { readFlapping } from "./flapping";
import { readDependencies } from "./holds";
import {
  type Addressing,
  type Event,
  isUntried,
  NOTHING_STORED,
  type PriorDelivery,
  type Recipient,
  type State,
  type Subject,
} from "./state";

/** Events planned in one transaction. */
const BATCH_SIZE = 500;
/** Escalations taken in one transaction. */
const DUE_SIZE = 200;

/** A subject with its state. */
export type Open = { subject: Subject; state: State };

type Target = Pick<Event, "teamId" | "targetType" | "targetId">;
type Owned = { target: Target; role: "admin" | "user" };
type PolicyRow = typeof alertPolicies.$inferSelect;

/** The policy of a rule that names one; otherwise its channels, at once and without reminders. */
const policyOf = (
  rule: NotificationRule,
  policies: ReadonlyMap<number, PolicyRow>,
  { alertGroupSeconds }: Deps["config"],
): AlertPolicy => {
  const named = rule.policyId === null ? undefined : policies.get(rule.policyId);
  if (named) return named;
  const steps = [{ afterMinutes: 0, channels: channelsOf(rule) }];
  return { steps, repeatMinutes: 0, repeatMax: 0, quiet: null, groupSeconds: alertGroupSeconds };
};

const keyOf = ({ teamId, targetType }: Target, targetId: number) => `${teamId} ${targetType} ${targetId}`;

/** A policy whose first step also has these channels. */
const withFollowers = (policy: AlertPolicy, followers: readonly number[]): AlertPolicy => {
  const [first, ...others] = policy.steps;
  if (followers.length === 0 || !first) return policy;
  return { ...policy, steps: [{ ...first, channels: [...new Set([...first.channels, ...followers])] }, ...others] };
};

/**
 * Reads the rules, policies and channels of the owners of these targets, and the own channels of members that follow them.
 * Returns how each target is addressed.
 */
export const readAddressing = async (
  { db, config }: Pick<Deps, "db" | "config">,
  owned: readonly Owned[],
): Promise<Addressing[]> => {
  const owners = [...new Set(owned.map(({ target }) => target.teamId))];
  // An owner may have thousands of rules; the id 0 is the rule for all.
  const ids = [0, ...new Set(owned.map(({ target }) => target.targetId))];
  const rules = await db
    .select()
    .from(notificationRules)
    .where(and(isOneOf(notificationRules.teamId, owners), isOneOf(notificationRules.targetId, ids)));
  const stored = await db.select().from(channels).where(isOneOf(channels.teamId, owners));
  const named = await db.select().from(alertPolicies).where(isOneOf(alertPolicies.teamId, owners));
  const ruleByTarget = new Map(rules.map((rule) => [keyOf(rule, rule.targetId), rule]));
  const channelById = new Map<string, Recipient>(stored.map((channel) => [`${channel.teamId} ${channel.id}`, channel]));
  const policies = new Map(named.map((policy) => [policy.id, policy]));
  const following = await readFollowers({ db }, owners);
  for (const { teamId, channel } of following) channelById.set(`${teamId} ${channel.id}`, channel);
  const followersOf = Map.groupBy(following, ({ teamId }) => teamId);
  const withChannels = new Set([...stored, ...following].map(({ teamId }) => teamId));
  return owned.map(({ target, role }) => {
    const specific = ruleByTarget.get(keyOf(target, target.targetId));
    const global = ruleByTarget.get(keyOf(target, 0));
    const rule = effective(global, specific);
    const followers = (followersOf.get(target.teamId) ?? []).map(({ channel }) => channel.id);
    return {
      rule,
      policy: withFollowers(policyOf(rule, policies, config), followers),
      critical: specific?.critical ?? false,
      origin: rule.overrideGlobal ? "own" : global ? "default" : "none",
      hasChannels: withChannels.has(target.teamId) || builtInChannel(config, role) !== null,
      channelOf: (id) =>
        (id === BUILT_IN_ID ? builtInChannel(config, role) : channelById.get(`${target.teamId} ${id}`)) ?? null,
    };
  });
};

/**
 * Key of events that have to be planned in order: a target's state, each of its figures, and each of its parts are sequences
 * of their own. Figures of one kind are unstable together.
 */
const sequenceOf = ({ targetType, targetId, kind, subject, drill }: Event) =>
  `${targetType} ${targetId} ${outageKindOf(kind)} ${drill} ${mayFlap(outageKindOf(kind)) ? "" : subject}`;

/** Events of parts that one report changed. */
const reportOf = ({ targetType, targetId, at }: Event) => `${targetType} ${targetId} ${at}`;

/** Events to plan: the first of each target and kind of outage, because its deliveries decide about the next. */
const readFirst = async ({ db }: Pick<Deps, "db">, condition: SQL | undefined) => {
  const rows = await db
    .select({ event: outageEventColumns, role: users.role, outage: outages })
    .from(events)
    .innerJoin(users, eq(users.id, events.userId))
    .leftJoin(outages, eq(outages.id, events.outageId))
    .where(condition)
    .orderBy(asc(events.id))
    .limit(BATCH_SIZE);
  return [...Map.groupBy(rows, ({ event }) => sequenceOf(event)).values()].flatMap(([first]) => first ?? []);
};

/** Unplanned events. A held event is left out until its time, or the end of its outage. */
export const readUnplanned = ({ db, clock }: Pick<Deps, "db" | "clock">) => {
  const isReleased = or(isNull(events.waitUntil), lte(events.waitUntil, clock.now()), isNotNull(outages.endedAt));
  return readFirst({ db }, and(isNull(events.plannedAt), isReleased));
};

/** Events that were held or planned, to plan them now if next.ts decides so. */
export const readAgain = async ({ db }: Pick<Deps, "db">, ids: readonly number[]) =>
  ids.length > 0 ? readFirst({ db }, isOneOf(events.id, ids)) : [];

const readDeliveries = async ({ db }: Pick<Deps, "db">, eventIds: readonly number[]) => {
  const { id, eventId, channelId, purpose, sequence, state, errorCode, attempts, claimedBy } = deliveries;
  const rows = await db
    .select({ id, eventId, channelId, purpose, sequence, state, errorCode, attempts, claimedBy })
    .from(deliveries)
    .where(isOneOf(eventId, eventIds))
    .orderBy(asc(id));
  const prior = rows.map((row) => ({ ...row, isUntried: isUntried(row) }));
  const byEvent = Map.groupBy(prior, (row) => row.eventId);
  return (event: number): PriorDelivery[] => byEvent.get(event) ?? [];
};

const CLOSING = {
  event_id: "bigint",
  team_id: "bigint",
  target_type: "text",
  target_id: "bigint",
  kind: "text",
  subject: "text",
} as const;

/** The deliveries of the last opening event of the same kind before each closing event, by the id of the closing event. */
const readPrior = async (deps: Pick<Deps, "db">, batch: readonly Event[]): Promise<Map<number, PriorDelivery[]>> => {
  const closing = batch.filter(({ kind }) => isClosing(kind));
  if (closing.length === 0) return new Map();
  const values = closing.map(({ id, teamId, targetType, targetId, kind, subject }) => [
    id,
    teamId,
    targetType,
    targetId,
    eventKindsOf(outageKindOf(kind)).opening,
    subject,
  ]);
  const rows = await deps.db.rows(sql`${withValues("v", CLOSING, values)} select v.event_id, (
    select max(e.id) from ${events} as e where e.target_type = v.target_type and e.target_id = v.target_id
      and e.kind = v.kind and e.subject = v.subject and e.team_id = v.team_id and e.id < v.event_id
        and not e.drill) as opening_id from v`);
  const ids = rows.flatMap(({ event_id, opening_id }) =>
    opening_id === null ? [] : [[Number(event_id), Number(opening_id)] as const],
  );
  const deliveriesOf = await readDeliveries(
    deps,
    ids.map(([, openingId]) => openingId),
  );
  return new Map(ids.map(([id, openingId]) => [id, deliveriesOf(openingId)]));
};

type Store = Pick<Deps, "db" | "config" | "clock">;

type Unplanned = Awaited<ReturnType<typeof readUnplanned>>;

/** Reads what decides about these events. Deletes the mutes that they end, and holds those in maintenance. */
export const readEvents = async (deps: Store, unplanned: Unplanned, now: number): Promise<Open[]> => {
  const real = unplanned.flatMap(({ event }) => (event.drill ? [] : [event]));
  const addressing = await readAddressing(
    deps,
    unplanned.map(({ event, role }) => ({ target: event, role })),
  );
  const subjects = unplanned.map(({ event, outage }, index) => ({
    ...(addressing[index] as Addressing),
    event,
    outage,
  }));
  const siblings = Map.groupBy(
    unplanned.filter(({ event }) => isOfPart(outageKindOf(event.kind))),
    ({ event }) => reportOf(event),
  );
  const muted = await findMutedEvents(deps, real);
  const held = await findHeldEvents(deps, real, now);
  const dependenciesOf = await readDependencies(deps, subjects);
  const flappingOf = await readFlapping(deps, subjects);
  const priorOf = await readPrior(deps, real);
  return subjects.map((subject) => {
    const { event } = subject;
    const state = {
      isMuted: muted.has(event.id),
      isInMaintenance: held.has(event.id),
      hasSiblings: isOfPart(outageKindOf(event.kind)) && (siblings.get(reportOf(event))?.length ?? 0) > 1,
      dependencies: dependenciesOf(event),
      flapping: flappingOf(event),
      prior: priorOf.get(event.id) ?? null,
      escalation: null,
    };
    return { subject, state };
  });
};

/** Reads the steps and reminders that are due. */
export const readDue = async (deps: Pick<Deps, "db" | "config">, now: number): Promise<Open[]> => {
  const sameTarget = (table: typeof mutes | typeof flappingTargets) =>
    and(eq(table.targetType, events.targetType), eq(table.targetId, events.targetId));
  const isUnstable = and(sameTarget(flappingTargets), eq(flappingTargets.kind, outages.kind));
  const due = await deps.db
    .select({
      row: escalations,
      event: outageEventColumns,
      outage: outages,
      role: users.role,
      mute: mutes,
      flapping: flappingTargets,
    })
    .from(escalations)
    .innerJoin(outages, eq(outages.id, escalations.outageId))
    .innerJoin(events, eq(events.id, escalations.eventId))
    .innerJoin(users, eq(users.id, events.userId))
    .leftJoin(mutes, sameTarget(mutes))
    .leftJoin(flappingTargets, isUnstable)
    .where(lte(escalations.nextAt, now))
    .orderBy(asc(escalations.nextAt), asc(escalations.outageId))
    .limit(DUE_SIZE);
  if (due.length === 0) return [];
  const addressing = await readAddressing(
    deps,
    due.map(({ event, role }) => ({ target: event, role })),
  );
  const priorOf = await readDeliveries(
    deps,
    due.map(({ event }) => event.id),
  );
  const isResting = await findResting(
    deps,
    due.map(({ event }) => event),
    now,
  );
  return due.map(({ row, event, outage, mute, flapping }, index) => {
    const state = {
      ...NOTHING_STORED,
      isMuted: mute !== null && (mute.endsAt === null || mute.endsAt > now),
      isInMaintenance: isResting(event),
      flapping: { ...NOTHING_STORED.flapping, row: flapping },
      prior: priorOf(event.id),
      escalation: row,
    };
    return { subject: { ...(addressing[index] as Addressing), event, outage }, state };
  });
};
