import { type Column, eq, type SQL } from "drizzle-orm";
import type { Deps } from "../core/deps";
import { AppError } from "../core/errors";
import { TEAM_ROLES } from "../shared/accounts/teams";
import { type members, users } from "./schema";
import { isOneOf } from "./sql";

export type TeamRole = (typeof members.$inferSelect)["role"];

/**
 * What a call does to a row of a team. `respond` acknowledges outages and mutes for up to an hour; `manage` changes members and
 * the team itself.
 */
export type Action = "read" | "respond" | "edit" | "manage";

/** The role that each action needs. */
const NEEDED: Record<Action, TeamRole> = { read: "viewer", respond: "viewer", edit: "editor", manage: "owner" };

/** The user, the API key (null in a session) and the address of a call. */
export type Origin = { username: string; key: string | null; address: string };

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
  /** An API key without the scope `write`, which sees no secrets. */
  reads?: boolean;
  /** For the log of changes; absent where the hub acts for them. */
  origin?: Origin;
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

/** Whether a viewer may do this to a row. Administrators have every right to what they see. */
export const can = ({ teams, seesAll }: Viewer, action: Action, { teamId }: { teamId: number }): boolean => {
  const role = seesAll ? "owner" : teams.get(teamId);
  return role !== undefined && TEAM_ROLES.indexOf(role) >= TEAM_ROLES.indexOf(NEEDED[action]);
};

/** Whether a viewer may read the secrets of a row: with the right to change it, and not with a read-only API key. */
export const seesSecrets = (viewer: Viewer, row: { teamId: number }): boolean =>
  !viewer.reads && can(viewer, "edit", row);

/** @throws {AppError} role_insufficient */
export const requireRight = (viewer: Viewer, action: Action, row: { teamId: number }): void => {
  if (!can(viewer, action, row)) throw new AppError("role_insufficient");
};

/** A viewer who sees only what they may do this to. */
export const within = (viewer: Viewer, action: Action): Viewer => ({
  ...viewer,
  teams: new Map([...viewer.teams].filter(([teamId]) => can(viewer, action, { teamId }))),
});

/** The condition that a row belongs to a team of a viewer: for administrators too, who may see others. */
export const memberOf = (table: OwnedTable, viewer: Viewer): SQL | undefined =>
  visibleTo(table, { ...viewer, seesAll: false });

/** The condition that a row, such as a session or a key, belongs to a user and not to a team. */
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
