/** Roles in teams by the groups that a user has at the issuer or the proxy. */
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import type { TeamGroup } from "../../../core/settings/sign-in";
import { ofUser } from "../../../db/owner";
import { members } from "../../../db/schema";
import { TEAM_ROLES, type TeamRole } from "../../../shared/accounts/teams";
import type { User } from "../account/service";
import type { Author } from "../audit/record";
import { addMember, endMembership, giveRole, recordMember } from "./members";
import { lockTeam } from "./membership";
import { readTeamName } from "./names";

type Store = Pick<Deps, "db" | "clock" | "config" | "log">;
/** A role in a team; null for users who are no members. */
type Role = TeamRole | null;

/** The role of a user in each team of OIDC_TEAMS or AUTH_HEADER_TEAMS: the highest that one of their groups has. */
const rolesOf = (teams: readonly TeamGroup[], groups: readonly string[]): Map<number, Role> => {
  const rank = (role: Role) => (role === null ? -1 : TEAM_ROLES.indexOf(role));
  const roles = new Map<number, Role>();
  for (const { group, teamId, role } of teams) {
    const before = roles.get(teamId) ?? null;
    roles.set(teamId, groups.includes(group) && rank(role) > rank(before) ? role : before);
  }
  return roles;
};

/**
 * Gives a user a role in a team, or ends the membership.
 * @throws {AppError} not_found, last_owner, personal_team, too_many_members, too_many_teams
 */
const setRole = (
  deps: Store,
  author: Author,
  user: { teamId: number; userId: number; username: string },
  role: Role,
): Promise<void> =>
  deps.db.transact(async (tx) => {
    const within = { ...deps, db: tx };
    const rows = await lockTeam(tx, user.teamId);
    const member = rows.find(({ userId }) => userId === user.userId);
    if (member && role) await giveRole(within, author, { rows, member }, role);
    else if (member) await endMembership(within, author, { rows, member });
    else if (role) {
      await addMember(tx, rows, user, role);
      const detail = `${await readTeamName(within, user.teamId)}, ${user.username}: – → ${role}`;
      const event = { kind: "member_changed", detail } as const;
      await recordMember(within, author, user, { action: "created", after: role, event });
    }
  });

/**
 * Makes a user a member of the teams that `teams` gives their groups, and of no others that it names. The last owner of a team
 * remains one. `by` is the issuer, or the header of the proxy.
 */
export const applyTeams = async (
  deps: Store,
  { id: userId, username }: User,
  groups: readonly string[],
  { teams, by, address }: { teams: readonly TeamGroup[]; by: string; address: string },
): Promise<void> => {
  if (teams.length === 0) return;
  const author = { id: null, origin: { username: by, key: null, address } };
  const rows = await deps.db.select().from(members).where(ofUser(members, userId));
  const current = new Map(rows.map(({ teamId, role }) => [teamId, role]));
  for (const [teamId, role] of rolesOf(teams, groups)) {
    if ((current.get(teamId) ?? null) === role) continue;
    try {
      await setRole(deps, author, { teamId, userId, username }, role);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      deps.log.warn("a role in a team stays, although the user's groups say otherwise", {
        ...{ username, team: teamId, reason: error.code },
      });
    }
  }
};
