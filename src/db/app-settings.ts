import { eq } from "drizzle-orm";
import type { Database } from "./database";
import { settings } from "./schema";

type Key = "jwt_secret" | "installation_id" | "seen_url" | "registration" | "setup_code" | "moving" | "days_summed";

export const readSetting = async (db: Database, key: Key): Promise<string | undefined> =>
  (await db.select().from(settings).where(eq(settings.key, key)))[0]?.value;

export const writeSetting = async (db: Database, key: Key, value: string): Promise<void> => {
  await db.insert(settings).values({ key, value }).onConflictDoUpdate({ target: settings.key, set: { value } });
};

/** The stored value, or this one if there was none: instances that start together agree on the first. */
export const settleSetting = async (db: Database, key: Key, value: string): Promise<string> => {
  await db.insert(settings).values({ key, value }).onConflictDoNothing();
  return (await readSetting(db, key)) ?? value;
};
