import { kit } from "../columns";
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
    kit.index("heartbeats_deadline_at_index").on(t.deadlineAt),
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
