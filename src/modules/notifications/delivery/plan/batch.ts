/** The first stage of planning: the events that are not planned yet, with all that decides whom they are sent to. */
import { and, asc, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { alertPolicies, channels, events, notificationRules, outages, users } from "../../../../db/schema";
import { isOneOf, withValues } from "../../../../db/sql";
import type { AlertPolicy } from "../../../../shared/alert-policy";
import {
  isClosing,
  isLasting,
  isOfPart,
  mayFlap,
  type NotificationRule,
  outageKindOf,
} from "../../../../shared/notifications";
import { BUILT_IN_ID, builtInChannel } from "../../channels/registry";
import { effective } from "../../rules/service";
import { policyOf } from "./policy";

/** Events planned in one transaction. */
const BATCH_SIZE = 500;

type Event = typeof events.$inferSelect;
type Outage = typeof outages.$inferSelect;
/** A channel as planning reads it. */
export type Recipient = Pick<typeof channels.$inferSelect, "id" | "name" | "type" | "enabled">;

/** Whom the alerts of a target are sent to. */
type Addressing = {
  /** The notification rule that applies to the target. */
  rule: NotificationRule;
  /** The policy of the rule. */
  policy: AlertPolicy;
  /** Whether quiet hours do not apply to the target. */
  critical: boolean;
  /** A channel by its id; null when the owner has none of this id, or may no longer use it. */
  channelOf: (id: number) => Recipient | null;
};

/** An event that is to be planned. */
export type PlannedEvent = Addressing & {
  event: Event;
  /** The outage that it opens or ends; null when that was deleted, and for drills. */
  outage: Outage | null;
  /** Whether the same report changed other parts of its server. */
  hasSiblings?: boolean;
};

type Target = Pick<Event, "userId" | "targetType" | "targetId">;
type Owned = { target: Target; role: "admin" | "user" };

const keyOf = ({ userId, targetType }: Target, targetId: number) => `${userId} ${targetType} ${targetId}`;

/** Reads the rules, policies and channels of the owners of these targets. Returns how each target is addressed. */
export const readAddressing = async (
  { db, config }: Pick<Deps, "db" | "config">,
  owned: readonly Owned[],
): Promise<Addressing[]> => {
  const owners = [...new Set(owned.map(({ target }) => target.userId))];
  const rules = await db.select().from(notificationRules).where(isOneOf(notificationRules.userId, owners));
  const stored = await db.select().from(channels).where(isOneOf(channels.userId, owners));
  const named = await db.select().from(alertPolicies).where(isOneOf(alertPolicies.userId, owners));
  const ruleByTarget = new Map(rules.map((rule) => [keyOf(rule, rule.targetId), rule]));
  const channelById = new Map(stored.map((channel) => [`${channel.userId} ${channel.id}`, channel]));
  const policies = new Map(named.map((policy) => [policy.id, policy]));
  return owned.map(({ target, role }) => {
    const specific = ruleByTarget.get(keyOf(target, target.targetId));
    const rule = effective(ruleByTarget.get(keyOf(target, 0)), specific);
    return {
      rule,
      policy: policyOf(rule, policies, config),
      critical: specific?.critical ?? false,
      channelOf: (id) =>
        (id === BUILT_IN_ID ? builtInChannel(config, role) : channelById.get(`${target.userId} ${id}`)) ?? null,
    };
  });
};

const SUBJECT = {
  event_id: "bigint",
  target_type: "text",
  target_id: "bigint",
  kind: "text",
  subject: "text",
  at: "bigint",
  closing: "boolean",
  lasting: "boolean",
} as const;

/** The outages that these events open or end, by the event's id. */
const readOutages = async ({ db }: Pick<Deps, "db">, batch: readonly Event[]): Promise<Map<number, Outage>> => {
  const subjects = batch.map(({ id, targetType, targetId, kind, subject, at }) => [
    id,
    targetType,
    targetId,
    outageKindOf(kind),
    subject,
    at,
    isClosing(kind),
    isLasting(outageKindOf(kind)),
  ]);
  // An outage that a closing event ends has its time as its end, unless the clock was set back. That of a certificate
  // goes on with each threshold, and so do those of a plan.
  const found = await db.rows(sql`${withValues("v", SUBJECT, subjects)} select v.event_id, (
      select o.id from ${outages} as o where o.target_type = v.target_type and o.target_id = v.target_id and o.kind = v.kind
        and o.subject = v.subject and (v.closing or o.started_at = v.at or (v.lasting and o.started_at < v.at))
      order by case when v.closing and o.ended_at = v.at then 0 else 1 end, o.id desc limit 1) as outage_id from v`);
  const ids = found.flatMap(({ outage_id }) => (outage_id === null ? [] : [Number(outage_id)]));
  const rows = await db.select().from(outages).where(isOneOf(outages.id, ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    found.flatMap(({ event_id, outage_id }) => {
      const outage = byId.get(Number(outage_id));
      return outage ? [[Number(event_id), outage] as const] : [];
    }),
  );
};

/**
 * Events of which one decides about the next: those of the state of a target, of each of its figures, and of each of its
 * parts. Those of the figures of one kind are unstable together.
 */
const sequenceOf = ({ targetType, targetId, kind, subject, drill }: Event) =>
  `${targetType} ${targetId} ${outageKindOf(kind)} ${drill} ${mayFlap(outageKindOf(kind)) ? "" : subject}`;

/** Events of parts that one report changed. */
const reportOf = ({ targetType, targetId, at }: Event) => `${targetType} ${targetId} ${at}`;

/**
 * Reads events that are not planned: of each target and kind of outage the first one, because its deliveries decide about
 * those of the next. A held event is left out until its time, or the end of its outage. `more` is whether others wait.
 */
export const readBatch = async (deps: Deps): Promise<{ batch: PlannedEvent[]; more: boolean }> => {
  const { db, clock } = deps;
  const isOver = sql`exists (select 1 from ${outages} as o where o.id = ${events.outageId} and o.ended_at is not null)`;
  const isReleased = or(isNull(events.holdUntil), lte(events.holdUntil, clock.now()), isOver);
  const unplanned = await db
    .select({ event: events, role: users.role })
    .from(events)
    .innerJoin(users, eq(users.id, events.userId))
    .where(and(isNull(events.plannedAt), isReleased))
    .orderBy(asc(events.id))
    .limit(BATCH_SIZE);
  const first = [...Map.groupBy(unplanned, ({ event }) => sequenceOf(event)).values()].flatMap(([one]) => one ?? []);
  if (first.length === 0) return { batch: [], more: false };
  const outageOf = await readOutages(
    deps,
    first.flatMap(({ event }) => (event.drill ? [] : [event])),
  );
  const addressing = await readAddressing(
    deps,
    first.map(({ event, role }) => ({ target: event, role })),
  );
  const siblings = Map.groupBy(
    first.filter(({ event }) => isOfPart(outageKindOf(event.kind))),
    ({ event }) => reportOf(event),
  );
  const batch = first.map(({ event }, index) => ({
    ...(addressing[index] as Addressing),
    event,
    hasSiblings: (siblings.get(reportOf(event))?.length ?? 0) > 1 && isOfPart(outageKindOf(event.kind)),
    outage: outageOf.get(event.id) ?? null,
  }));
  return { batch, more: unplanned.length === BATCH_SIZE || first.length < unplanned.length };
};
