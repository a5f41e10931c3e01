/**
 * What probably explains that a monitor is down, from what is stored: the server that it runs on (servers.ts), or else
 * others of the same owner that went down at about the same time (shared.ts). It is looked for when an outage begins or a
 * server goes offline, and once more before a message is written, because more is known by then. A cause that was found is
 * replaced by a better one only.
 */
import { sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import { events, outages } from "../../../db/schema";
import { isOneOf, lockAlerts, skipLocked, withValues } from "../../../db/sql";
import { MINUTE } from "../../../shared/limits";
import type { OutageCause } from "../../../shared/notifications";
import { publishOutages } from "../live";
import { type OpenOutage, readOpen, readOpenOf } from "./open";
import { findServerCauses } from "./servers";
import { APART, findSharedCauses } from "./shared";

type Store = Pick<Deps, "db" | "clock" | "live" | "log">;

/** What went down before the last report of a server that is offline now may still be its. */
const BEFORE_SILENCE = 5 * MINUTE;

/**
 * The probable causes of these outages, by their ids; those without one are left out. `others` are the open outages that
 * they are compared with, among which they may be.
 */
export const findCauses = async (
  deps: Pick<Deps, "db" | "clock">,
  found: readonly OpenOutage[],
  others?: readonly OpenOutage[],
): Promise<Map<number, OutageCause>> => {
  if (found.length === 0) return new Map();
  const byServer = await findServerCauses(deps, found);
  const rest = found.filter(({ id }) => !byServer.has(id));
  if (rest.length === 0) return byServer;
  const owners = [...new Set(rest.map(({ userId }) => userId))];
  const from = Math.min(...rest.map(({ startedAt }) => startedAt)) - APART;
  const compared = others ?? (await readOpenOf(deps, owners, from));
  return new Map([...byServer, ...findSharedCauses(rest, compared)]);
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
const isBetter = (found: OutageCause, known: OutageCause | null): boolean => {
  if (known === null) return true;
  if (othersOf(found) !== othersOf(known)) return othersOf(found) > othersOf(known);
  return ORDER[found.kind] < ORDER[known.kind] || ("agentId" in found && !Bun.deepEquals(found, known));
};

const store = async (deps: Store, read: readonly OpenOutage[], found: ReadonlyMap<number, OutageCause>) => {
  const better = read.flatMap(({ id, targetId, cause }) => {
    const now = found.get(id);
    return now && isBetter(now, cause) ? [{ id, targetId, cause: now }] : [];
  });
  if (better.length === 0) return;
  const rows = better.map(({ id, cause }) => [id, cause]);
  // An outage that a check writes at the same time is skipped: its check would wait, and it is looked at again.
  const free = sql`select o.id from ${outages} as o where ${isOneOf(
    sql`o.id`,
    better.map(({ id }) => id),
  )} and o.ended_at is null${skipLocked}`;
  await deps.db.atomically(() => [
    ...lockAlerts,
    sql`${withValues("found", { id: "bigint", cause: "json" }, rows)}, free as (${free})
      update ${outages} set cause = found.cause from found
      where ${outages.id} = found.id and ${outages.id} in (select free.id from free)`,
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

type Opening = Pick<typeof events.$inferSelect, "userId" | "kind" | "at" | "since">;

/**
 * Looks for the causes of the outages that these events open, and of others of the same owners that they may explain: one
 * more that is down changes what is known of those before, and a server that goes offline explains what runs on it.
 */
export const updateCauses = (deps: Store, events: readonly Opening[]): Promise<void> =>
  attempt(deps, async () => {
    const opening = events.filter(({ kind }) => kind === "down" || kind === "offline");
    if (opening.length === 0) return;
    const owners = [...new Set(opening.map(({ userId }) => userId))];
    const begins = opening.map(({ kind, at, since }) =>
      kind === "down" ? at - APART : (since ?? at) - BEFORE_SILENCE,
    );
    const read = await readOpenOf(deps, owners, Math.min(...begins));
    await store(deps, read, await findCauses(deps, read, read));
  });

/** Looks once more for the causes of the outages that these events have opened, before messages about them are written. */
export const refreshCauses = (deps: Store, eventIds: readonly number[]): Promise<void> =>
  attempt(deps, async () => {
    if (eventIds.length === 0) return;
    const opened = sql`select ${events.outageId} from ${events} where ${isOneOf(events.id, eventIds)}`;
    const read = await readOpen(deps, sql`${outages.id} in (${opened})`);
    await store(deps, read, await findCauses(deps, read));
  });
