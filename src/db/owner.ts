import { type Column, eq, type SQL } from "drizzle-orm";
import type { Deps } from "../core/deps";
import { users } from "./schema";
import { isOneOf } from "./sql";

/** The user who makes a call. */
export type Viewer = { id: number; role: "admin" | "user" };

/** A user who makes something, with their personal team. */
export type Maker = Viewer & { teamId: number };

/** Who made a row, and the team that it belongs to. */
export type Owner = { userId: number; teamId: number };

/** The owner of rows that a user makes. */
export const madeBy = ({ id, teamId }: Pick<Maker, "id" | "teamId">): Owner => ({ userId: id, teamId });

/** The owner of a row, for rows that belong to it. */
export const ownerOf = ({ userId, teamId }: Owner): Owner => ({ userId, teamId });

/** A table whose rows belong to users. */
type OwnedTable = { userId: Column };

/** The condition that a row belongs to this user. It holds for administrators too: use it for what each user has alone. */
export const ownedBy = (table: OwnedTable, userId: number | Column): SQL => eq(table.userId, userId);

/** The condition that a viewer may see and change a row: their own, and every user's for an administrator. */
export const visibleTo = (table: OwnedTable, viewer: Viewer): SQL | undefined =>
  viewer.role === "admin" ? undefined : ownedBy(table, viewer.id);

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
