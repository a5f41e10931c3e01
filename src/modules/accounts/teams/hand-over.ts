/** Another member of a team takes over the rows of a user who leaves. */
import { and, inArray, is, Table } from "drizzle-orm";
import { AppError } from "../../../core/errors";
import type { Database, Queries, Statement } from "../../../db/database";
import { ofUser, ownedBy } from "../../../db/owner";
import * as schema from "../../../db/schema";
import { members, teams } from "../../../db/schema";
import { lock, lockRowsLightly } from "../../../db/sql";

type MadeTable = typeof schema.monitors;

/** Tables about a user, also where they name a team. */
const OWN: unknown[] = [members, schema.apiKeys];

/** The tables whose rows belong to a team and name the user who made them. */
const made = Object.values(schema).filter(
  (value): value is MadeTable => is(value, Table) && "userId" in value && "teamId" in value && !OWN.includes(value),
);

/** The statements that make another user the maker of all rows of a user in a team: their role decides what these may reach. */
const handOver = (tx: Queries, { teamId, from, to }: { teamId: number; from: number; to: number }): Statement[] =>
  made.map((table) =>
    tx
      .update(table)
      .set({ userId: to })
      .where(and(ownedBy(table, teamId), ofUser(table, from))),
  );

/**
 * Hands the rows of a user in teams with other members over to an owner, within a transaction that deletes the user. Returns
 * the teams without other members.
 * @throws {AppError} last_owner
 */
export const handOverAll = async (tx: Database, userId: number): Promise<number[]> => {
  const own = tx.select({ teamId: members.teamId }).from(members).where(ofUser(members, userId));
  await lock(tx, lockRowsLightly(teams, teams.id, inArray(teams.id, own)));
  const rows = await tx.select().from(members).where(inArray(members.teamId, own)).orderBy(members.userId);
  const alone: number[] = [];
  for (const [teamId, all] of Map.groupBy(rows, (row) => row.teamId)) {
    const others = all.filter((member) => member.userId !== userId);
    const heir = others.find(({ role }) => role === "owner");
    if (others.length > 0 && !heir) throw new AppError("last_owner");
    if (heir) await tx.atomically((build) => handOver(build, { teamId, from: userId, to: heir.userId }));
    else alone.push(teamId);
  }
  return alone;
};
