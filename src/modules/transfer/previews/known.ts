/** Earlier imports: the objects of sources with their targets here. */
import { and, eq, isNull, notInArray } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { hashSecret } from "../../../core/secrets";
import type { Database } from "../../../db/database";
import { insertMany } from "../../../db/insert-many";
import { type Owner, ownedBy } from "../../../db/owner";
import {
  agents,
  alertPolicies,
  channels,
  imports,
  incidents,
  maintenanceWindows,
  monitors,
  statusPages,
  thresholds,
} from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import type { Draft, Item } from "../sources/source";

type Row = typeof imports.$inferSelect;
export type Known = Pick<Row, "targetId" | "digest" | "historyUntil" | "targetType">;

const ofSource = (teamId: number, { source, sourceId }: Pick<Draft, "source" | "sourceId">) =>
  and(ownedBy(imports, teamId), eq(imports.source, source), eq(imports.sourceId, sourceId));

const existing = async (
  { db }: Pick<Deps, "db">,
  type: Row["targetType"],
  ids: readonly number[],
): Promise<Set<number>> => {
  if (ids.length === 0) return new Set();
  if (type === "windows") {
    const { id, formerOf } = maintenanceWindows;
    const rows = await db
      .select({ id })
      .from(maintenanceWindows)
      .where(and(isOneOf(id, ids), isNull(formerOf)));
    return new Set(rows.map((row) => row.id));
  }
  const others = { agents, thresholds, pages: statusPages, incidents };
  const table = { monitors, channels, policies: alertPolicies, ...others }[type as "monitors"];
  if (!table) return new Set(ids);
  const rows = await db.select({ id: table.id }).from(table).where(isOneOf(table.id, ids));
  return new Set(rows.map(({ id }) => id));
};

/** The objects that were imported from this source and still exist, by their id at the source. */
export const readKnown = async (deps: Pick<Deps, "db">, teamId: number, draft: Draft): Promise<Map<string, Known>> => {
  const rows = await deps.db.select().from(imports).where(ofSource(teamId, draft));
  const known = new Map<string, Known>();
  for (const [type, own] of Map.groupBy(rows, ({ targetType }) => targetType)) {
    const there = await existing(
      deps,
      type,
      own.map(({ targetId }) => targetId),
    );
    for (const row of own) if (there.has(row.targetId)) known.set(row.externalId, row);
  }
  return known;
};

/** Deletes the memory of monitors of a user that do not exist any more. */
export const purgeKnown = async ({ db }: Pick<Deps, "db">, teamId: number): Promise<void> => {
  const isMonitor = and(ownedBy(imports, teamId), eq(imports.targetType, "monitors"));
  await db
    .delete(imports)
    .where(and(isMonitor, notInArray(imports.targetId, db.select({ id: monitors.id }).from(monitors))));
};

/** Equal for objects that are read alike. Secrets are part of it, so it can't be reversed by trying the rest. */
export const digestOf = ({ content }: Pick<Item, "content">): string =>
  hashSecret(JSON.stringify(content)).slice(0, 22);

/** Stores what objects became, in the transaction that creates it. */
export const writeKnown = async (
  tx: Database,
  owner: Owner,
  draft: Pick<Draft, "source" | "sourceId">,
  { entries, now }: { entries: readonly { item: Item; targetId: number }[]; now: number },
): Promise<void> => {
  const ids = entries.map(({ item }) => item.externalId);
  if (ids.length === 0) return;
  await tx.delete(imports).where(and(ofSource(owner.teamId, draft), isOneOf(imports.externalId, ids)));
  await insertMany(
    tx,
    imports,
    entries.map(({ item, targetId }) => ({
      ...owner,
      source: draft.source,
      sourceId: draft.sourceId,
      externalId: item.externalId,
      targetType: item.part as Row["targetType"],
      targetId,
      digest: digestOf(item),
      importedAt: now,
      historyUntil: null,
    })),
  );
};

/** Stores until when the history of a monitor is from its source. */
export const writeHistoryUntil = async (
  tx: Database,
  teamId: number,
  { monitorId, until }: { monitorId: number; until: number },
): Promise<void> => {
  await tx
    .update(imports)
    .set({ historyUntil: until })
    .where(and(ownedBy(imports, teamId), eq(imports.targetType, "monitors"), eq(imports.targetId, monitorId)));
};
