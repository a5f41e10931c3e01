/**
 * What explains the outage of a target: the nearest open outage among what it depends on, directly or by others. It is
 * always derived from what is stored now, so that a restart and another instance change nothing.
 */
import { and, isNull, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { dependencies, outages } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { MINUTE, SECOND } from "../../../shared/limits";
import { type EventKind, isClosing, type TargetType } from "../../../shared/notifications";
import { targetName, viewOf } from "../targets";
import { keyOf, type Target } from "./service";

type Child = { teamId: number; targetType: TargetType; targetId: number };

/** The parents of a target, and the open outage that explains the target's; null if no outage does. */
type Explanation = { parents: Target[]; explainedBy: number | null };

/** The kinds of outages that explain others, and are explained. */
export const isDownOrOffline = sql`${outages.kind} in ('down', 'offline')`;

type OpenOutage = Pick<typeof outages.$inferSelect, "id" | "targetType" | "targetId" | "explainedBy">;

/** The outage at the end of the chain of explanations that begins with `outage`. */
const rootOf = (outage: OpenOutage, openById: ReadonlyMap<number, OpenOutage>): OpenOutage => {
  const seen = new Set<number>();
  let root = outage;
  while (root.explainedBy !== null && !seen.has(root.id)) {
    seen.add(root.id);
    const next = openById.get(root.explainedBy);
    if (!next) break;
    root = next;
  }
  return root;
};

/** Explanations of targets that depend on something, by the key of the target. */
export const readExplanations = async (
  { db }: Pick<Deps, "db">,
  children: readonly Child[],
): Promise<Map<string, Explanation>> => {
  if (children.length === 0) return new Map();
  const wanted = new Map(children.map((child) => [keyOf({ type: child.targetType, id: child.targetId }), child]));
  const ids = [...new Set(children.map(({ targetId }) => targetId))];
  const own = (await db.select().from(dependencies).where(isOneOf(dependencies.targetId, ids))).filter(
    ({ targetType, targetId }) => wanted.has(keyOf({ type: targetType, id: targetId })),
  );
  if (own.length === 0) return new Map();
  const owners = [...new Set(own.map(({ teamId }) => teamId))];
  const edges = await db.select().from(dependencies).where(isOneOf(dependencies.teamId, owners));
  const { id, targetType, targetId, explainedBy } = outages;
  const open = await db
    .select({ id, targetType, targetId, explainedBy })
    .from(outages)
    .where(and(isNull(outages.endedAt), isDownOrOffline, isOneOf(outages.teamId, owners)))
    .orderBy(outages.id);

  const openById = new Map(open.map((outage) => [outage.id, outage]));
  const childrenOf = Map.groupBy(edges, ({ parentType: type, parentId }) => keyOf({ type, id: parentId }));
  const explained = new Map<string, OpenOutage>();
  // From all open outages down at once, so that the nearest one explains, and of several the oldest.
  const reached = open.map((outage) => ({ key: keyOf({ type: outage.targetType, id: outage.targetId }), outage }));
  for (const { key, outage } of reached)
    for (const edge of childrenOf.get(key) ?? []) {
      const child = keyOf({ type: edge.targetType, id: edge.targetId });
      if (explained.has(child)) continue;
      explained.set(child, outage);
      reached.push({ key: child, outage });
    }
  const byChild = Map.groupBy(own, ({ targetType: type, targetId }) => keyOf({ type, id: targetId }));
  return new Map(
    [...byChild].map(([key, rows]) => {
      const parents = rows.map(({ parentType, parentId }) => ({ type: parentType, id: parentId }));
      const nearest = explained.get(key);
      const root = nearest && rootOf(nearest, openById);
      // While a dependency is reversed, the chain may lead back to the child itself.
      const isOwn = root && keyOf({ type: root.targetType, id: root.targetId }) === key;
      return [key, { parents, explainedBy: (isOwn ? nearest?.id : root?.id) ?? null }];
    }),
  );
};

/** How long to wait for a monitor's answer. A server answers with its next report, or by going offline. */
export const MONITOR_WAIT = 30 * SECOND;
/** The longest time that the answer of a server is awaited. */
export const AGENT_WAIT = 2 * MINUTE;
/** Servers count as offline a few seconds after their deadline. */
const SWEEP_MARGIN = 10 * SECOND;

/** When the state of a target was last known. */
export type Answer = {
  /** Of a target that gives no answer, or that is gone, a time in the future. */
  at: number;
  /** How long to wait for the next answer at most, in milliseconds. */
  wait: number;
};

const ANSWERED: Answer = { at: Number.POSITIVE_INFINITY, wait: 0 };

/** The last answers of targets, by key. */
export const readAnswers = async (
  store: Pick<Deps, "db" | "clock">,
  targets: readonly Target[],
): Promise<(target: Target) => Answer> => {
  const idsOf = (type: TargetType) => [...new Set(targets.flatMap((one) => (one.type === type ? [one.id] : [])))];
  const monitors = await viewOf("monitor").read(store, idsOf("monitor"));
  const servers = await viewOf("agent").read(store, idsOf("agent"));
  return ({ type, id }) => {
    if (type === "monitor") {
      const monitor = monitors.get(id);
      // A passive monitor can't be checked on demand.
      if (!monitor?.isActive || monitor.isPassive) return ANSWERED;
      return { at: monitor.lastCheckedAt ?? Number.NEGATIVE_INFINITY, wait: MONITOR_WAIT };
    }
    const { reportedAt = null, deadline = null } = servers.get(id) ?? {};
    if (reportedAt === null || deadline === null) return ANSWERED;
    const wait = Math.min(Math.max(deadline - store.clock.now(), 0) + SWEEP_MARGIN, AGENT_WAIT);
    return { at: reportedAt, wait };
  };
};

/** The most names that a message lists. */
const LISTED = 5;

/** The first names of the targets that an outage explains, and their number: the targets that are down, and at its end all. */
export const readExplained = async (
  { db }: Pick<Deps, "db">,
  { id, kind }: Pick<typeof outages.$inferSelect, "id" | "kind">,
  event: EventKind,
): Promise<{ names: string[]; total: number }> => {
  if (kind !== "down" && kind !== "offline") return { names: [], total: 0 };
  const isOpen = isClosing(event) ? sql`` : sql`and o.ended_at is null`;
  const rows =
    await db.rows(sql`select ${targetName(sql`t.target_type`, sql`t.target_id`)} as name, count(*) over () as total
    from (select distinct o.target_type, o.target_id from ${outages} as o where o.explained_by = ${id} ${isOpen}) as t
    order by 1 limit ${LISTED}`);
  return { names: rows.map(({ name }) => String(name)), total: Number(rows[0]?.total ?? 0) };
};
