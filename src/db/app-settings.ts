import { eq } from "drizzle-orm";
import type { Database } from "./database";
import { appSettings } from "./schema";

type Key =
  | "jwt_secret"
  | "installation_id"
  | "seen_url"
  | "registration"
  | "setup_code"
  | "moving"
  | "days_summed"
  | "stopped_at"
  | "backed_up_at"
  | "nightly_backup"
  | "database_sizes";

export const readSetting = async (db: Database, key: Key): Promise<string | undefined> =>
  (await db.select().from(appSettings).where(eq(appSettings.key, key)))[0]?.value;

export const writeSetting = async (db: Database, key: Key, value: string): Promise<void> => {
  await db.insert(appSettings).values({ key, value }).onConflictDoUpdate({ target: appSettings.key, set: { value } });
};

/** Returns the stored value, or stores this one if it is missing. Instances that start together agree on one value. */
export const getOrCreateSetting = async (db: Database, key: Key, value: string): Promise<string> => {
  await db.insert(appSettings).values({ key, value }).onConflictDoNothing();
  return (await readSetting(db, key)) ?? value;
};
