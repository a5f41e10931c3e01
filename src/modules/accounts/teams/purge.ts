/** Deletes teams with everything they own. */
import type { Static } from "@sinclair/typebox";
import { and, eq, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import type { Database, Queries, Statement } from "../../../db/database";
import { pendingPurges, teams } from "../../../db/schema";
import { isOneOf, lockRows } from "../../../db/sql";
import { integer, object } from "../../../server/answers";
import { SECOND } from "../../../shared/limits";
import { type CountOwned, owned } from "../owned";

export const ownedFields = {
  monitors: integer("How many monitors.", 3),
  agents: integer("How many servers.", 1),
  channels: integer("How many channels.", 2),
};
const Owned = object(ownedFields);

/** Counts what is deleted together with teams. */
export const countOwned = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  teamIds: readonly number[],
): Promise<Static<typeof Owned>> => {
  const { monitors, servers, channels } = owned();
  const total = ({ count }: { count: CountOwned }) =>
    sql.join([sql`0`, ...teamIds.map((teamId) => count(teamId, clock.now()))], sql` + `);
  const [row] = await db.rows(
    sql`select ${total(monitors)} as monitors, ${total(servers)} as agents, ${total(channels)} as channels`,
  );
  return { monitors: Number(row?.monitors), agents: Number(row?.agents), channels: Number(row?.channels) };
};

/** Statements of a deletion that are no part of the teams: once the teams are locked, and before these are deleted. */
type Around = { locked?: (tx: Queries) => Statement[]; last?: (tx: Queries) => Statement[] };

/**
 * Deletes teams with everything they own, within a transaction. The history of their monitors and servers can be millions of
 * rows: it becomes unreachable, and `purgeDeletedHistory` deletes it.
 */
export const purgeTeams = async (
  tx: Database,
  ids: readonly number[],
  now: number,
  { locked, last }: Around = {},
): Promise<void> => {
  const selected = sql`select ${teams.id} from ${teams} where ${isOneOf(teams.id, ids)}`;
  const monitors = owned().monitors.purge(tx, selected, now);
  const servers = owned().servers.purge(tx, selected, now);
  await tx.atomically((queries) => [
    ...monitors.states,
    ...servers.states,
    // Locks the teams, so that a concurrent insert for them happens before or fails.
    ...lockRows(teams, teams.id, isOneOf(teams.id, ids)),
    ...(locked?.(queries) ?? []),
    ...monitors.rest,
    ...servers.rest,
    ...(last?.(queries) ?? []),
    queries.delete(teams).where(isOneOf(teams.id, ids)),
  ]);
};

/** A pause between two pieces lets other work run. */
const PAUSE = 2;

/**
 * Deletes the history of monitors and agents that were deleted with their team, in small pieces. The remainder is deleted
 * after the next start. Idempotent.
 */
export const purgeDeletedHistory = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> => {
  const now = clock.now();
  for (const { kind, id, since } of await db.select().from(pendingPurges)) {
    const { purgeHistory } = kind === "monitor" ? owned().monitors : owned().servers;
    for (const piece of purgeHistory(db, id, since, now)) {
      await piece;
      await clock.sleep(PAUSE);
    }
    await db.delete(pendingPurges).where(and(eq(pendingPurges.kind, kind), eq(pendingPurges.id, id)));
  }
};

/** How long a deletion waits for the history to be purged, which then continues in the background. */
const PURGE_TIMEOUT = 2 * SECOND;

/** Begins to purge the history of deleted teams. */
export const beginPurge = async (deps: Pick<Deps, "db" | "clock" | "log">): Promise<void> => {
  const purging = purgeDeletedHistory(deps).catch((error) =>
    deps.log.warn("purging deleted history failed, will continue later", { error: describeError(error) }),
  );
  await Promise.race([purging, deps.clock.sleep(PURGE_TIMEOUT)]);
};
