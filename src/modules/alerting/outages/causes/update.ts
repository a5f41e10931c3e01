/**
 * The probable cause of a monitor's outage, from stored data: its server (servers.ts), or else other monitors of the owner
 * that went down at about the same time (shared.ts). It is searched when an outage begins or a server goes offline, and again
 * before a message is written, because more data may be there by then. Only a better cause replaces an earlier one.
 */
import { sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { describeError } from "../../../../core/errors";
import { events, type OutageEvent, outages } from "../../../../db/schema";
import { isOneOf, lockAlerts, skipLocked, withValues } from "../../../../db/sql";
import { MINUTE } from "../../../../shared/limits";
import type { OutageCause } from "../../../../shared/notifications";
import { type Place, viewOf } from "../../targets";
import { publishOutages } from "../live";
import { type OpenOutage, readOpen, readOpenOf } from "./open";
import { findServerCauses } from "./servers";
import { APART, findSharedCauses } from "./shared";

type Store = Pick<Deps, "db" | "clock" | "live" | "log">;

/** What went down before the last report of a server that is offline now may still be its. */
const BEFORE_SILENCE = 5 * MINUTE;

/** The probable causes of these outages, which are compared with each other, by id. Outages without a cause are left out. */
const findCauses = async (deps: Store, openOutages: readonly OpenOutage[]): Promise<Map<number, OutageCause>> => {
  const byServer = await findServerCauses(deps, openOutages);
  const rest = openOutages.filter(({ id }) => !byServer.has(id));
  const countOn = (places: readonly Place[]) => viewOf("monitor").countOn(deps, places);
  return new Map([...byServer, ...(await findSharedCauses(rest, openOutages, countOn))]);
};

/** The kinds of causes; the first explain the most. */
const ORDER: Record<OutageCause["kind"], number> = {
  agent_silent: 0,
  agent_rebooted: 0,
  agent_disk_full: 0,
  shared_address: 1,
  shared_host: 2,
  shared_domain: 3,
};

const othersOf = (cause: OutageCause): number => ("others" in cause ? cause.others : Number.POSITIVE_INFINITY);

/** Whether a cause is to replace the known one: a server explains more than what is shared, and many more than few. */
const isBetter = (cause: OutageCause, before: OutageCause | null): boolean => {
  if (before === null) return true;
  if (othersOf(cause) !== othersOf(before)) return othersOf(cause) > othersOf(before);
  return ORDER[cause.kind] < ORDER[before.kind] || ("agentId" in cause && !Bun.deepEquals(cause, before));
};

const store = async (deps: Store, read: readonly OpenOutage[], causes: ReadonlyMap<number, OutageCause>) => {
  const better = read.flatMap(({ id, targetId, cause }) => {
    const now = causes.get(id);
    return now && isBetter(now, cause) ? [{ id, targetId, cause: now }] : [];
  });
  if (better.length === 0) return;
  const rows = better.map(({ id, cause }) => [id, cause]);
  await deps.db.atomically(() => [
    ...lockAlerts,
    // An outage that a check is writing is skipped, because the check would wait; it is evaluated again later. The outages
    // are found first, one by one by their index: otherwise SQLite compares all of them with each value.
    sql`${withValues("found", { id: "bigint", cause: "json" }, rows)}, free as materialized (
        select o.id, found.cause from found cross join ${outages} as o
        where o.id = found.id and o.ended_at is null${skipLocked})
      update ${outages} set cause = free.cause from free where ${outages.id} = free.id`,
  ]);
  await publishOutages(
    deps,
    "monitor",
    better.map(({ targetId }) => targetId),
  );
};

/** A cause is a help to the reader: alerts go on without it. */
const attempt = async ({ log }: Pick<Deps, "log">, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    log.warn("causes of outages could not be found", { error: describeError(error) });
  }
};

type Opening = Pick<OutageEvent, "teamId" | "kind" | "targetId" | "at" | "since">;

/**
 * Looks for the causes of the outages that these events open, and of others of the same owners that they may explain: one
 * more that is down changes what is known of those before, and a server that goes offline explains what runs on it.
 */
export const updateCauses = (deps: Store, events: readonly Opening[]): Promise<void> =>
  attempt(deps, async () => {
    const opening = events.filter(({ kind }) => kind === "down" || kind === "offline");
    if (opening.length === 0) return;
    const owners = [...new Set(opening.map(({ teamId }) => teamId))];
    const begins = opening.map(({ kind, at, since }) =>
      kind === "down" ? at - APART : (since ?? at) - BEFORE_SILENCE,
    );
    const latest = await readOpenOf(deps, owners, Math.min(...begins));
    const openTargets = new Set(latest.map(({ targetId }) => targetId));
    const missing = opening.flatMap(({ kind, targetId }) =>
      kind === "down" && !openTargets.has(targetId) ? [targetId] : [],
    );
    const rest = missing.length > 0 ? await readOpen(deps, isOneOf(outages.targetId, missing)) : [];
    const read = [...rest, ...latest];
    await store(deps, read, await findCauses(deps, read));
  });

/**
 * Searches again for a server that explains the outages of these events, before messages about them are written: it may have
 * gone offline since. Shared causes are found when the other outages are planned.
 */
export const refreshCauses = (deps: Store, eventIds: readonly number[]): Promise<void> =>
  attempt(deps, async () => {
    if (eventIds.length === 0) return;
    const opened = sql`select ${events.outageId} from ${events} where ${isOneOf(events.id, eventIds)}`;
    const read = await readOpen(deps, sql`${outages.id} in (${opened})`);
    const open = read.filter(({ cause }) => cause === null || !("agentId" in cause));
    if (open.length > 0) await store(deps, open, await findServerCauses(deps, open));
  });
