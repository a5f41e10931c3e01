import { type Column, eq, type SQL } from "drizzle-orm";
import type { Deps } from "../core/deps";
import { type members, users } from "./schema";
import { isOneOf } from "./sql";

/** Each role has the rights of those before it. */
type TeamRole = (typeof members.$inferSelect)["role"];

/** The user who makes a call. */
export type Viewer = {
  id: number;
  role: "admin" | "user";
  /** The team that the call is about, and that what it makes belongs to: the personal one, or another of theirs. */
  teamId: number;
  /** The role in each of their teams. */
  teams: ReadonlyMap<number, TeamRole>;
  /** Whether they see the rows of all teams, as administrators do unless ADMIN_SEES=teams. */
  seesAll: boolean;
};

/** Who made a row, and the team that it belongs to. */
export type Owner = { userId: number; teamId: number };

/** The owner of rows that a user makes. */
export const madeBy = ({ id, teamId }: Pick<Viewer, "id" | "teamId">): Owner => ({ userId: id, teamId });

/** The owner of a row, for rows that belong to it. */
export const ownerOf = ({ userId, teamId }: Owner): Owner => ({ userId, teamId });

/** A viewer who sees one team alone, as holders of a link do. */
export const viewerOf = ({ userId, teamId }: Owner, role: Viewer["role"] = "user", seesAll = false): Viewer => ({
  ...{ id: userId, role, teamId, seesAll },
  teams: new Map([[teamId, "owner"]]),
});

/** Sees everything, for the hub itself and its operator. */
export const EVERYTHING = viewerOf({ userId: 0, teamId: 0 }, "admin", true);

/** A table whose rows belong to teams. */
type OwnedTable = { teamId: Column };

/** The condition that a row belongs to this team. */
export const ownedBy = (table: OwnedTable, teamId: number | Column): SQL => eq(table.teamId, teamId);

/** The teams whose rows a viewer sees; undefined for all. */
export const teamsOf = ({ teams, seesAll }: Viewer): readonly number[] | undefined =>
  seesAll ? undefined : [...teams.keys()];

/** The condition that a viewer may see a row. */
export const visibleTo = (table: OwnedTable, viewer: Viewer): SQL | undefined => {
  const [first, ...others] = teamsOf(viewer) ?? [];
  if (first === undefined) return viewer.seesAll ? undefined : isOneOf(table.teamId, []);
  // Most users have one team, and an index is searched for it.
  return others.length === 0 ? ownedBy(table, first) : isOneOf(table.teamId, [first, ...others]);
};

/** The condition that a row belongs to a team of a viewer: for administrators too, who may see others. */
export const memberOf = (table: OwnedTable, viewer: Viewer): SQL | undefined =>
  visibleTo(table, { ...viewer, seesAll: false });

/** The condition that a row is a user's own, whatever team it is about: a session, a key. */
export const ofUser = (table: { userId: Column }, userId: number | Column): SQL => eq(table.userId, userId);

/**
 * Reads the usernames of the owners of rows that a viewer sees without being a member of their team, as administrators do.
 * Returns the name for such a row; undefined for others.
 */
export const readOwnerNames = async (
  { db }: Pick<Deps, "db">,
  viewer: Viewer,
  rows: readonly Owner[],
): Promise<(row: Owner) => string | undefined> => {
  const isForeign = ({ teamId }: Owner) => !viewer.teams.has(teamId);
  const ids = [...new Set(rows.filter(isForeign).map(({ userId }) => userId))];
  if (ids.length === 0) return () => undefined;
  const named = await db.select({ id: users.id, username: users.username }).from(users).where(isOneOf(users.id, ids));
  const names = new Map(named.map(({ id, username }) => [id, username]));
  return (row) => (isForeign(row) ? names.get(row.userId) : undefined);
};
