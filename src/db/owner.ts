import { type Column, eq, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../core/deps";
import { AppError } from "../core/errors";
import { TEAM_ROLES } from "../shared/accounts/teams";
import { type members, teams, users } from "./schema";
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
  /** An API key that is limited to `teamId`: its user's other teams do not count. */
  limited?: boolean;
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

/** The name that a team goes by, where its user is joined if it is a personal one. */
export const teamName = sql<string>`coalesce(${teams.name}, ${users.username}, '')`;

/** Whom a row belongs to, as far as a viewer has to be told. */
export type Belonging = {
  /** The username of its maker, for viewers who are not in its team, as administrators may be. */
  owner?: string;
  /** Its team, for viewers who see several of theirs at once; their personal team is left out. */
  team?: { id: number; name: string };
};

const readOwners = async ({ db }: Pick<Deps, "db">, rows: readonly Owner[]): Promise<Map<number, string>> => {
  if (rows.length === 0) return new Map();
  const ids = [...new Set(rows.map(({ userId }) => userId))];
  const named = await db.select({ id: users.id, username: users.username }).from(users).where(isOneOf(users.id, ids));
  return new Map(named.map(({ id, username }) => [id, username]));
};

const readTeams = async (
  { db }: Pick<Deps, "db">,
  viewer: Viewer,
  rows: readonly Owner[],
): Promise<Map<number, { id: number; name: string }>> => {
  if (viewer.teams.size < 2 || rows.length === 0) return new Map();
  const ids = [...new Set(rows.map(({ teamId }) => teamId))];
  const named = await db
    .select({ id: teams.id, name: teamName, personalOf: users.id })
    .from(teams)
    .leftJoin(users, ownedBy(users, teams.id))
    .where(isOneOf(teams.id, ids));
  return new Map(named.filter(({ personalOf }) => personalOf !== viewer.id).map(({ id, name }) => [id, { id, name }]));
};

/** Reads whom rows that a viewer sees belong to. The result has no field for most rows of a viewer with one team. */
export const readBelongings = async (
  deps: Pick<Deps, "db">,
  viewer: Viewer,
  rows: readonly Owner[],
): Promise<(row: Owner) => Belonging> => {
  const isShared = ({ teamId }: Owner) => viewer.teams.has(teamId);
  const owners = await readOwners(
    deps,
    rows.filter((row) => !isShared(row)),
  );
  const shared = await readTeams(deps, viewer, rows.filter(isShared));
  return (row) => {
    const [owner, team] = [owners.get(row.userId), shared.get(row.teamId)];
    if (!isShared(row)) return owner === undefined ? {} : { owner };
    return team ? { team } : {};
  };
};
