import { eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { ownedBy, teamName } from "../../../db/owner";
import { teams, users } from "../../../db/schema";

/** The name that a team goes by. */
export const readTeamName = async ({ db }: Pick<Deps, "db">, teamId: number): Promise<string> => {
  const [row] = await db
    .select({ name: teamName })
    .from(teams)
    .leftJoin(users, ownedBy(users, teams.id))
    .where(eq(teams.id, teamId));
  return row?.name ?? "";
};
