import { eq, type SQL, sql } from "drizzle-orm";
import { users } from "../../db/schema";
import { lockRowsLightly } from "../../db/sql";

/** What to begin with where an administrator may be lost: of two who demote each other at once one comes second. */
export const lockAdministrators = (): SQL[] => lockRowsLightly(users, users.id, eq(users.role, "admin"));

/** Whether there is more than one administrator. */
export const anotherAdministrator = sql`(select count(*) from ${users} as a where a.role = 'admin') > 1`;
