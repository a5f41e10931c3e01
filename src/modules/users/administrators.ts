import { eq, type SQL, sql } from "drizzle-orm";
import { users } from "../../db/schema";
import { lockRowsLightly } from "../../db/sql";

/** Locks the administrators, so that two concurrent demotions run one after another. */
export const lockAdministrators = (): SQL[] => lockRowsLightly(users, users.id, eq(users.role, "admin"));

/** Whether there is more than one administrator. */
export const anotherAdministrator = sql`(select count(*) from ${users} as a where a.role = 'admin') > 1`;
