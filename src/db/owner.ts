import { type Column, eq, type SQL } from "drizzle-orm";

/** The user who makes a call. */
export type Viewer = { id: number; role: "admin" | "user" };

/** A table whose rows belong to users. */
type OwnedTable = { userId: Column };

/** The condition that a row belongs to this user. It holds for administrators too: use it for what each user has alone. */
export const ownedBy = (table: OwnedTable, userId: number): SQL => eq(table.userId, userId);

/** The condition that a viewer may see and change a row: their own, and every user's for an administrator. */
export const visibleTo = (table: OwnedTable, viewer: Viewer): SQL | undefined =>
  viewer.role === "admin" ? undefined : ownedBy(table, viewer.id);
