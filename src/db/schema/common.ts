import { kit } from "../columns";

/** Values that an installation generates for itself, such as the secret that signs sessions. */
export const appSettings = kit.table("app_settings", {
  key: kit.text().primaryKey(),
  value: kit.text().notNull(),
});

/** The hub processes on this database. One without a recent heartbeat is dead and its claims are void. */
export const instances = kit.table("instances", {
  id: kit.text().primaryKey(),
  seenAt: kit.long().notNull(),
  /** When it lost its view of all targets, such as its network; null while it watches. */
  blindSince: kit.long(),
});
