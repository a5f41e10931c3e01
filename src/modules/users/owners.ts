import type { Deps } from "../../core/deps";
import type { Viewer } from "../../db/owner";
import { users } from "../../db/schema";
import { isOneOf } from "../../db/sql";

const noNames: ReadonlyMap<number, string> = new Map();

/**
 * The usernames of `userIds` except the viewer, by id. Only administrators see data of other users, so
 * other viewers get no names.
 */
export const ownerNames = async (
  { db }: Pick<Deps, "db">,
  viewer: Viewer,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  if (viewer.role !== "admin") return noNames;
  const others = [...new Set(userIds)].filter((id) => id !== viewer.id);
  if (others.length === 0) return noNames;
  const rows = await db.select({ id: users.id, username: users.username }).from(users).where(isOneOf(users.id, others));
  return new Map(rows.map(({ id, username }) => [id, username]));
};
