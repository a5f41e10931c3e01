import { kit } from "../columns";
import { owner } from "./accounts";
import { monitors } from "./monitors";

/** State of each monitor of the kind heartbeat, which is not checked but waits for pings. */
export const heartbeats = kit.table(
  "heartbeats",
  {
    monitorId: kit
      .long()
      .primaryKey()
      .references(() => monitors.id, { onDelete: "cascade" }),
    /** The secret part of its ping URL, stored as it is, because its owner may copy it again. */
    token: kit.text().notNull(),
    /** The name that it has in ping URLs with a ping key of its team, out of its monitor's config; null for none. */
    slug: kit.text(),
    /** When it goes down unless a ping arrives; null while none is expected. */
    deadlineAt: kit.long(),
    /** The last ping of any kind, and the last successful one. */
    pingedAt: kit.long(),
    succeededAt: kit.long(),
    /** When the run in progress started, and its id; null while none runs. */
    startedAt: kit.long(),
    runId: kit.text(),
    /** Until then a missed deadline is no failure, because the job announced it. */
    mutedUntil: kit.long(),
    /** When the ping was expected that the hub may have missed; null once another one arrived or is missing. */
    unknownSince: kit.long(),
  },
  (t) => [
    kit.unique("heartbeats_token_unique").on(t.token),
    // Not unique: heartbeats of two teams may have the same, and one may be moved to the other's team.
    kit.index("heartbeats_slug_index").on(t.slug),
    kit.index("heartbeats_deadline_at_index").on(t.deadlineAt),
  ],
);

/** The keys of ping URLs that name a heartbeat of a team by its slug: /ping/KEY/SLUG. */
export const pingKeys = kit.table(
  "ping_keys",
  {
    id: kit.id(),
    ...owner(),
    /** Stored as it is, because its owner may copy it again. */
    key: kit.text().notNull(),
    createdAt: kit.long().notNull(),
  },
  (t) => [
    kit.unique("ping_keys_key_unique").on(t.key),
    kit.index("ping_keys_team_id_index").on(t.teamId),
    kit.index("ping_keys_user_id_index").on(t.userId),
  ],
);

/** When the state of a heartbeat was unknown because a ping may have been lost. The time that lasts is in `unknown_since`. */
export const lostPings = kit.table(
  "lost_pings",
  {
    monitorId: kit
      .long()
      .notNull()
      .references(() => monitors.id, { onDelete: "cascade" }),
    /** When the ping was expected. */
    startedAt: kit.long().notNull(),
    /** When the next one arrived or was missing, or the heartbeat was paused or changed. */
    endedAt: kit.long().notNull(),
  },
  (t) => [kit.primaryKey({ columns: [t.monitorId, t.startedAt] })],
);

/** The last pings of each heartbeat. */
export const pings = kit.table(
  "pings",
  {
    id: kit.id(),
    monitorId: kit
      .long()
      .notNull()
      .references(() => monitors.id, { onDelete: "cascade" }),
    at: kit.long().notNull(),
    kind: kit.text().$type<"success" | "start" | "fail" | "log">().notNull(),
    runId: kit.text(),
    /** Milliseconds since the start of its run; null without a start. */
    duration: kit.long(),
    exitStatus: kit.integer(),
    address: kit.text(),
    userAgent: kit.text(),
    /** The first bytes of the request's body, as text. */
    body: kit.text(),
  },
  (t) => [kit.index("pings_monitor_id_index").on(t.monitorId, t.id)],
);
