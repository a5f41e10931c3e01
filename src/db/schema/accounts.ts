import { sql } from "drizzle-orm";
import type { TeamRole } from "../../shared/accounts/teams";
import type { ChangeAction, ChangedFields, ChangedObject } from "../../shared/audit/changes";
import type { Language } from "../../shared/language";
import { kit } from "../columns";

/** Teams own everything but accounts. Each user has a personal team, which is deleted with the user. */
export const teams = kit.table("teams", {
  id: kit.id(),
  /** Null for a personal team that was given none: it goes by the name of its user. */
  name: kit.text(),
  createdAt: kit.long().notNull(),
});

export const users = kit.table(
  "users",
  {
    id: kit.id(),
    /** The personal team. */
    teamId: kit
      .long()
      .notNull()
      .references(() => teams.id),
    username: kit.text().notNull(),
    /** The name in lower case, which makes names unique regardless of case. */
    usernameKey: kit.text().notNull(),
    email: kit.text(),
    emailKey: kit.text(),
    /** When the user proved that the present e-mail address is theirs; null: not yet. */
    emailVerifiedAt: kit.long(),
    /** Empty for a user who signs in without a password. */
    passwordHash: kit.text().notNull(),
    role: kit.text().$type<"admin" | "user">().notNull(),
    /** The language of alerts; null for DEFAULT_LANGUAGE, until a request of the user states one. */
    language: kit.text().$type<Language>(),
    /** The IANA name of the time zone of times in alerts; null for UTC. */
    timeZone: kit.text(),
    /** Part of each session; incrementing it ends all sessions. */
    tokenVersion: kit.integer().notNull().default(0),
    createdAt: kit.long().notNull(),
    /** When a provider first accepted a test message of theirs, and when they last ran a drill; null: never. */
    channelTestedAt: kit.long(),
    drilledAt: kit.long(),
    /** When they hid the checklist of the first steps; null: not yet. */
    checklistHiddenAt: kit.long(),
  },
  (t) => [
    kit.unique("users_username_key_unique").on(t.usernameKey),
    kit.unique("users_email_key_unique").on(t.emailKey),
    kit.unique("users_team_id_unique").on(t.teamId),
  ],
);

/** The team that a row belongs to, and the user who made it. */
export const owner = () => ({
  userId: kit
    .long()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" }),
  teamId: kit
    .long()
    .notNull()
    .references(() => teams.id, { onDelete: "cascade" }),
});

/** The members of teams. The user of a personal team is always one of its owners. */
export const members = kit.table(
  "members",
  {
    ...owner(),
    role: kit.text().$type<TeamRole>().notNull(),
  },
  (t) => [kit.primaryKey({ columns: [t.teamId, t.userId] }), kit.index("members_user_id_index").on(t.userId)],
);

/** Invitations that wait to be accepted. Their tokens are signed and not stored, see modules/accounts/teams/invitations. */
export const invitations = kit.table(
  "invitations",
  {
    id: kit.id(),
    ...owner(),
    role: kit.text().$type<TeamRole>().notNull(),
    /** Where it is sent; null for a link that is passed on. */
    email: kit.text(),
    createdAt: kit.long().notNull(),
    expiresAt: kit.long().notNull(),
  },
  (t) => [
    kit.index("invitations_team_id_index").on(t.teamId),
    kit.index("invitations_user_id_index").on(t.userId),
    kit.index("invitations_expires_at_index").on(t.expiresAt),
  ],
);

/** Credentials of programs, each with some of the rights of its user. */
export const apiKeys = kit.table(
  "api_keys",
  {
    id: kit.id(),
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The team that the key is limited to; null for all teams of its user. */
    teamId: kit.long().references(() => teams.id, { onDelete: "cascade" }),
    name: kit.text().notNull(),
    /** Its scopes with spaces between, as in OAuth (RFC 6749, section 3.3). */
    scope: kit.text().notNull(),
    /** SHA-256. The key itself is shown once and not stored. */
    hash: kit.text().notNull(),
    createdAt: kit.long().notNull(),
    /** Null when it never expires. */
    expiresAt: kit.long(),
    /** With a resolution of one minute. */
    lastUsedAt: kit.long(),
  },
  (t) => [
    kit.unique("api_keys_hash_unique").on(t.hash),
    kit.index("api_keys_user_id_index").on(t.userId),
    kit.index("api_keys_team_id_index").on(t.teamId),
  ],
);

/** Signed-in sessions. A session token names its row, and ends with it. */
export const sessions = kit.table(
  "sessions",
  {
    /** 128 random bits. */
    id: kit.text().primaryKey(),
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The client's User-Agent header, shortened. */
    userAgent: kit.text().notNull(),
    address: kit.text().notNull(),
    createdAt: kit.long().notNull(),
    /** With a resolution of one minute. */
    lastSeenAt: kit.long().notNull(),
    expiresAt: kit.long().notNull(),
    /** When its user last proved that it is them, by signing in or later; null for a session of an earlier version. */
    provedAt: kit.long(),
    /** How often its token was replaced, and when last. Earlier tokens are refused. */
    renewals: kit.integer().notNull().default(0),
    renewedAt: kit.long(),
  },
  (t) => [kit.index("sessions_user_id_index").on(t.userId), kit.index("sessions_expires_at_index").on(t.expiresAt)],
);

/**
 * Security events and changes of objects, for RETENTION_AUDIT_DAYS. They outlive users and objects. Changes of keys, channels
 * and accounts are both; other changes are no security events.
 */
export const securityLog = kit.table(
  "security_log",
  {
    id: kit.id(),
    at: kit.long().notNull(),
    /** One of the kinds in shared/security-events.ts, or `change`. */
    kind: kit.text().notNull(),
    /** The user who acted; null for a caller without a session. Not a foreign key. */
    userId: kit.long(),
    /** The acting user's name, or the name that was tried. */
    username: kit.text().notNull(),
    address: kit.text().notNull(),
    /** Of a security event: the object of the action, such as the name of another user or of a key. */
    detail: kit.text().notNull(),
    /** Of a change: the team of the object, whose members see it; null: administrators only. */
    teamId: kit.long().references(() => teams.id, { onDelete: "set null" }),
    /** The name of the API key that was used. */
    key: kit.text(),
    /** Null: no object was changed. */
    action: kit.text().$type<ChangeAction>(),
    objectType: kit.text().$type<ChangedObject>(),
    objectId: kit.long(),
    objectName: kit.text(),
    fields: kit.json<ChangedFields>(),
    /** The first of the changes that one call made for the team; null for the first one, which has their number. */
    batch: kit.long(),
    objects: kit.integer(),
  },
  (t) => [
    kit.index("security_log_at_index").on(t.at),
    kit.index("security_log_team_id_index").on(t.teamId, t.at),
    kit.index("security_log_object_index").on(t.objectType, t.objectId, t.at),
    kit.index("security_log_object_type_index").on(t.objectType, t.at),
    kit.index("security_log_team_object_type_index").on(t.teamId, t.objectType, t.at),
    kit.index("security_log_username_index").on(t.username, t.at),
    kit.index("security_log_events_index").on(t.id).where(sql`kind <> 'change'`),
  ],
);

/** Mails of the hub to its users that wait to be sent. They are written when they are sent, so that no secret is stored. */
export const mails = kit.table(
  "mails",
  {
    id: kit.id(),
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: kit
      .text()
      .$type<
        | "password_reset"
        | "password_changed"
        | "invitation"
        | "factors_changed"
        | "factors_reset"
        | "email_verification"
        | "new_place"
      >()
      .notNull(),
    /** The invitation that is sent, to its own address. It may have been accepted or revoked since. */
    invitationId: kit.long(),
    /** The origin of a sign-in, for a mail about it. */
    detail: kit.json<{ address: string; userAgent: string }>(),
    createdAt: kit.long().notNull(),
    /** When it is sent, or tried again. */
    dueAt: kit.long().notNull(),
    attempts: kit.integer().notNull().default(0),
  },
  (t) => [kit.index("mails_due_at_index").on(t.dueAt), kit.index("mails_user_id_index").on(t.userId)],
);

/**
 * Clients that have signed in recently: they are exempt from the limits that unknown clients share. Also the networks and
 * browsers of users: a user gets a mail about a new one.
 */
export const trustedClients = kit.table(
  "trusted_clients",
  {
    /** SHA-256 of the address and the user's name, or of the user's id, network and browser. */
    hash: kit.text().primaryKey(),
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** With a resolution of one day. */
    seenAt: kit.long().notNull(),
  },
  (t) => [kit.index("trusted_clients_user_id_index").on(t.userId)],
);

/** Failed sign-ins within the current window, by address and name, by address, and by name. */
export const loginFailures = kit.table("login_failures", {
  key: kit.text().primaryKey(),
  failures: kit.integer().notNull(),
  since: kit.long().notNull(),
});
