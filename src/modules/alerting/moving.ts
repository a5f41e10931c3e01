/** What moves with a target or a channel to another team, and what links it with things of its present team. */
import { and, type Column, eq, isNotNull, or, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import type { Queries, Statement } from "../../db/database";
import { type Owner, ownedBy } from "../../db/owner";
import {
  alertPolicies,
  channelFollows,
  channels,
  events,
  flappingTargets,
  maintenanceHolds,
  messageTemplates,
  mutes,
  notificationRules,
  outages,
} from "../../db/schema";
import { isOneOf, lockAlerts } from "../../db/sql";
import { purgeDependencies, readDependencies, type Target } from "./dependencies/service";
import { targetName } from "./targets";

type Store = Pick<Deps, "db">;

type TargetTable = { targetType: Column; targetId: Column };

const isOf = (table: TargetTable, { type, id }: Target) => and(eq(table.targetType, type), eq(table.targetId, id));

const readRule = async ({ db }: Store, target: Target) =>
  (await db.select().from(notificationRules).where(isOf(notificationRules, target)))[0];

/** The channels, the policy and the dependencies of a target, by name. */
export const readTargetLinks = async (store: Store, target: Target) => {
  const { db } = store;
  const rule = await readRule(store, target);
  const own = rule ? await db.select().from(channels).where(isOneOf(channels.id, rule.channels)) : [];
  const policy = rule?.policyId ? await db.select().from(alertPolicies).where(eq(alertPolicies.id, rule.policyId)) : [];
  const { parents, children } = await readDependencies(store, target);
  const named = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);
  return { channel: named(own), policy: named(policy), dependency: named([...parents, ...children]) };
};

/** The rules and policies that send to a channel, by the name of the target or of the policy; the rules for all have none. */
export const readChannelLinks = async ({ db }: Store, { id, teamId }: { id: number; teamId: number }) => {
  const name = targetName(notificationRules.targetType, notificationRules.targetId);
  const rules = await db
    .select({ name, channels: notificationRules.channels })
    .from(notificationRules)
    .where(ownedBy(notificationRules, teamId));
  const policies = await db.select().from(alertPolicies).where(ownedBy(alertPolicies, teamId));
  return {
    rule: rules.filter((rule) => rule.channels.includes(id)).map((rule) => rule.name ?? ""),
    policy: policies.filter(({ steps }) => steps.some((step) => step.channels.includes(id))).map((one) => one.name),
  };
};

/**
 * The statements that move what alerting stores of a target to another owner. Its rule counts no more where it has channels or
 * a policy of its own, which stay: the rule for all of its new team does.
 */
export const moveTargetAlerts = (tx: Queries, target: Target, owner: Owner): Statement[] => [
  ...lockAlerts,
  purgeDependencies(tx, target.type, sql`(${target.id})`),
  ...[events, outages, flappingTargets, mutes, maintenanceHolds].map((table) =>
    tx.update(table).set(owner).where(isOf(table, target)),
  ),
  tx
    .update(notificationRules)
    .set({ enabled: false, overrideGlobal: false, channels: [], policyId: null })
    .where(
      and(
        isOf(notificationRules, target),
        or(isNotNull(notificationRules.policyId), sql`cast(${notificationRules.channels} as text) <> '[]'`),
      ),
    ),
  tx.update(notificationRules).set(owner).where(isOf(notificationRules, target)),
];

/** The statements that move a channel with its templates to another owner. */
export const moveChannelRows = (tx: Queries, id: number, owner: Owner): Statement[] => [
  ...lockAlerts,
  tx.update(messageTemplates).set(owner).where(eq(messageTemplates.channelId, id)),
  tx.delete(channelFollows).where(eq(channelFollows.channelId, id)),
  tx.update(channels).set(owner).where(eq(channels.id, id)),
];
