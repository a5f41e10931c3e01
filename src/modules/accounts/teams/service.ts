/** The teams of users. */
import type { Deps } from "../../../core/deps";
import { ofUser, type Viewer } from "../../../db/owner";
import { members } from "../../../db/schema";
import type { User } from "../account/service";

/** A user with what they see and may change. */
export type Member = User & Viewer;

/** A user with their teams. */
export const withTeams = async ({ db, config }: Pick<Deps, "db" | "config">, user: User): Promise<Member> => {
  const { teamId, role } = members;
  const rows = await db.select({ teamId, role }).from(members).where(ofUser(members, user.id));
  return {
    ...user,
    teams: new Map(rows.map((row) => [row.teamId, row.role])),
    seesAll: user.role === "admin" && config.adminSees === "all",
  };
};

/** The roles of a user in their teams, to find changes. */
export const rightsOf = ({ teams }: Viewer): string =>
  [...teams]
    .toSorted(([one], [other]) => one - other)
    .map(([teamId, role]) => `${teamId} ${role}`)
    .join();
