/** What users sign in with besides a password. */
import { kit } from "../columns";
import { users } from "./accounts";

/** Authenticator apps: second factors of sign-ins. */
export const authenticators = kit.table("authenticators", {
  userId: kit
    .long()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** The secret of its codes, sealed by a key derived from JWT_SECRET. */
  secret: kit.text().notNull(),
  /** The step of the last code that was accepted, so that each works once. */
  lastStep: kit.long().notNull(),
  createdAt: kit.long().notNull(),
});

/** Passkeys (WebAuthn credentials): second factors, which can also sign in alone. */
export const passkeys = kit.table(
  "passkeys",
  {
    id: kit.id(),
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: kit.text().notNull(),
    /** Base64url. */
    credentialId: kit.text().notNull(),
    /** SubjectPublicKeyInfo as base64url. */
    publicKey: kit.text().notNull(),
    /** The host name that browsers offer it at: the id of the relying party. */
    host: kit.text().notNull(),
    /** The number of signatures, by the authenticator; always 0 from authenticators without a counter. */
    counter: kit.long().notNull(),
    transports: kit.json<string[]>().notNull(),
    /** Whether it is synchronized or backed up. */
    backedUp: kit.flag().notNull(),
    createdAt: kit.long().notNull(),
    lastUsedAt: kit.long(),
  },
  (t) => [
    kit.unique("passkeys_credential_id_unique").on(t.credentialId),
    kit.index("passkeys_user_id_index").on(t.userId),
  ],
);

/** Codes that replace a second factor once. */
export const recoveryCodes = kit.table(
  "recovery_codes",
  {
    /** SHA-256. The code itself is shown once and not stored. */
    hash: kit.text().primaryKey(),
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
  },
  (t) => [kit.index("recovery_codes_user_id_index").on(t.userId)],
);

/** Users of an OpenID Connect issuer, who sign in to these accounts. */
export const identities = kit.table(
  "identities",
  {
    issuer: kit.text().notNull(),
    /** Identifies the user at the issuer; it stays when their name changes. */
    subject: kit.text().notNull(),
    userId: kit
      .long()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: kit.long().notNull(),
    lastSignInAt: kit.long().notNull(),
  },
  (t) => [
    kit.primaryKey({ columns: [t.issuer, t.subject] }),
    kit.unique("identities_user_id_issuer_unique").on(t.userId, t.issuer),
  ],
);
