/** The teams of users, and what their roles allow. */
import type { Deps } from "../../../core/deps";
import { notFound } from "../../../core/errors";
import type { TeamRole, Viewer } from "../../../db/owner";
import { members, users } from "../../../db/schema";
import type { User } from "../account/service";

/** A user with what they see and may change. */
export type Member = User & Viewer;

/** The columns of a user, in one row for each of their memberships. */
export const memberColumns = { user: users, team: { id: members.teamId, role: members.role } };

/** A user with their teams. */
export const withTeams = (
  { config }: Pick<Deps, "config">,
  user: User,
  rows: readonly { team: { id: number; role: TeamRole } }[],
): Member => ({
  ...user,
  teams: new Map(rows.map(({ team }) => [team.id, team.role])),
  seesAll: user.role === "admin" && config.adminSees === "all",
});

/**
 * A user who sees one of their teams alone, and makes things for it.
 * @throws {AppError} not_found for other teams
 */
export const inTeam = (user: Member, teamId: number): Member => {
  const role = user.teams.get(teamId);
  if (!role) throw notFound("Team");
  return { ...user, teamId, teams: new Map([[teamId, user.seesAll ? "owner" : role]]), seesAll: false };
};

/** The roles of a user in their teams, to find changes. */
export const rightsOf = ({ teams }: Viewer): string =>
  [...teams]
    .toSorted(([one], [other]) => one - other)
    .map(([teamId, role]) => `${teamId} ${role}`)
    .join();
