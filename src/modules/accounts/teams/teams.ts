import type { Static } from "@sinclair/typebox";
import { and, eq, ne, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound } from "../../../core/errors";
import type { Database } from "../../../db/database";
import { madeBy, ofUser, ownedBy, teamName, type Viewer } from "../../../db/owner";
import { members, teams, users } from "../../../db/schema";
import { isOneOf, lock, lockRowsLightly } from "../../../db/sql";
import { isoTime } from "../../../lib/time";
import { boolean, component, id, integer, oneOf, text, time } from "../../../server/answers";
import { TEAM_LIMITS, TEAM_ROLES, type TeamRole } from "../../../shared/accounts/teams";
import { recordChange } from "../audit/record";
import { lockAsOwner, roleIn } from "./membership";
import { readTeamName } from "./names";
import { beginPurge, purgeTeams } from "./purge";

type Store = Pick<Deps, "db">;

export const Team = component("Team", {
  id: id("The team's id.", 2),
  name: text("Its name; of a personal team that was given none, the name of its user.", "Shop"),
  personal: boolean("Whether it is your personal team, which every account has.", false),
  role: oneOf("Your role.", TEAM_ROLES, "owner"),
  members: integer("How many members it has.", 3),
  created_at: time("When it was created."),
});
type Team = Static<typeof Team>;

const selectTeams = ({ db }: Store) =>
  db
    .select({
      team: teams,
      name: teamName,
      personalOf: users.id,
      members: db.$count(members, ownedBy(members, teams.id)),
    })
    .from(teams)
    .leftJoin(users, ownedBy(users, teams.id));

const present = (
  { team, name, personalOf, members }: Awaited<ReturnType<typeof selectTeams>>[number],
  viewer: Viewer,
  role: TeamRole,
): Team => ({
  id: team.id,
  name,
  personal: personalOf === viewer.id,
  role,
  members: Number(members),
  created_at: isoTime(team.createdAt),
});

/** The teams of a viewer, the personal one first, then by name. */
export const listTeams = async (store: Store, viewer: Viewer): Promise<Team[]> => {
  const rows = await selectTeams(store).where(isOneOf(teams.id, [...viewer.teams.keys()]));
  return rows
    .map((row) => present(row, viewer, roleIn(viewer, row.team.id)))
    .sort((one, other) => Number(other.personal) - Number(one.personal) || one.name.localeCompare(other.name));
};

/** @throws {AppError} not_found, also for a team of others */
export const findTeam = async (store: Store, viewer: Viewer, teamId: number): Promise<Team> => {
  const role = roleIn(viewer, teamId);
  const [row] = await selectTeams(store).where(eq(teams.id, teamId));
  if (!row) throw notFound("Team");
  return present(row, viewer, role);
};

/**
 * Asserts within a transaction, until it ends, that a user may be in one more team.
 * @throws {AppError} too_many_teams
 */
export const requireRoomForTeam = async (tx: Database, userId: number): Promise<void> => {
  await lock(tx, lockRowsLightly(users, users.id, eq(users.id, userId)));
  if ((await tx.$count(members, ofUser(members, userId))) >= TEAM_LIMITS.teams)
    throw new AppError("too_many_teams", { limit: TEAM_LIMITS.teams });
};

/**
 * Creates a team, whose owner is the viewer. Returns its id. Users may own QUOTA_TEAMS of them besides the personal one.
 * @throws {AppError} too_many_teams
 */
export const createTeam = (
  deps: Pick<Deps, "db" | "clock" | "log" | "config">,
  viewer: Viewer,
  sent: string,
): Promise<number> =>
  deps.db.transact(async (tx) => {
    const { clock, config } = deps;
    const name = sent.trim();
    await requireRoomForTeam(tx, viewer.id);
    const personal = tx.select({ id: users.teamId }).from(users).where(eq(users.id, viewer.id));
    const ownTeams = and(ofUser(members, viewer.id), eq(members.role, "owner"), ne(members.teamId, sql`(${personal})`));
    if (viewer.role !== "admin" && (await tx.$count(members, ownTeams)) >= config.quotas.teams)
      throw new AppError("too_many_teams", { limit: config.quotas.teams });
    const [team] = await tx.insert(teams).values({ name, createdAt: clock.now() }).returning();
    const { id: teamId } = team as { id: number };
    await tx.insert(members).values({ ...madeBy({ id: viewer.id, teamId }), role: "owner" });
    await recordChange({ ...deps, db: tx }, viewer, {
      ...{ action: "created", object: { type: "team", id: teamId, name }, teamId },
      event: { kind: "team_created", detail: name },
    });
    return teamId;
  });

/** @throws {AppError} not_found, role_insufficient */
export const renameTeam = (
  deps: Pick<Deps, "db" | "clock" | "log">,
  viewer: Viewer,
  teamId: number,
  sent: string,
): Promise<void> =>
  deps.db.transact(async (tx) => {
    await lockAsOwner(tx, viewer, teamId);
    const name = sent.trim();
    const [before] = await tx.select({ name: teams.name }).from(teams).where(eq(teams.id, teamId));
    await tx.update(teams).set({ name }).where(eq(teams.id, teamId));
    await recordChange({ ...deps, db: tx }, viewer, {
      ...{ action: "changed", object: { type: "team", id: teamId, name }, teamId },
      ...{ before: { name: before?.name }, after: { name } },
    });
  });

/** Deletes a team with everything it owns. @throws {AppError} not_found, role_insufficient, personal_team */
export const deleteTeam = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  viewer: Viewer,
  teamId: number,
): Promise<void> => {
  await deps.db.transact(async (tx) => {
    const rows = await lockAsOwner(tx, viewer, teamId);
    if (rows.some(({ isPersonal }) => isPersonal)) throw new AppError("personal_team");
    const name = await readTeamName({ db: tx }, teamId);
    await purgeTeams(tx, [teamId], deps.clock.now());
    await recordChange({ ...deps, db: tx }, viewer, {
      ...{ action: "deleted", object: { type: "team", id: teamId, name }, teamId: null },
      event: { kind: "team_deleted", detail: name },
    });
  });
  await beginPurge(deps);
};
