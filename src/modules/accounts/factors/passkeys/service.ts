import type { Static } from "@sinclair/typebox";
import { and, asc, eq, lt } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { AppError, notFound } from "../../../../core/errors";
import { hashSecret } from "../../../../core/secrets";
import { ofUser } from "../../../../db/owner";
import { passkeys } from "../../../../db/schema";
import { isoTime, isoTimeOrNull } from "../../../../lib/time";
import { boolean, component, id, integer, list, nullable, object, oneOf, text, time } from "../../../../server/answers";
import { LIMITS, MINUTE } from "../../../../shared/limits";
import type { User } from "../../account/service";
import { issueTicket, isValidTicket, spendTicket } from "../../tickets";
import type { Assertion, Attestation } from "./model";
import { ALGORITHMS, type RelyingParty, verifyAssertion, verifyAttestation } from "./webauthn";

type Store = Pick<Deps, "db">;
type Keys = Pick<Deps, "jwtSecret" | "clock">;
type Row = typeof passkeys.$inferSelect;

/** The use of a challenge, and the session, ticket or network that may answer it. */
export type Ceremony = readonly [use: "creation" | "proof" | "second factor" | "sign-in", by: string];

/** How long a browser has to answer a challenge. */
const CHALLENGE_LASTS = 5 * MINUTE;

/** A challenge is a ticket, so that it is not stored, and ends once it was answered. */
const issueChallenge = (deps: Keys, ceremony: Ceremony): string =>
  Buffer.from(issueTicket(deps, "passkey", { subject: 0, bound: ceremony, lasts: CHALLENGE_LASTS })).toString(
    "base64url",
  );

const spendChallenge = async (deps: Keys & Store, challenge: string, ceremony: Ceremony): Promise<boolean> => {
  const ticket = Buffer.from(challenge, "base64url").toString("latin1");
  return isValidTicket(deps, "passkey", ticket, ceremony) && (await spendTicket(deps, ticket));
};

export const Passkey = component("Passkey", {
  id: id("The passkey's id."),
  name: text("What its user calls it.", "Laptop"),
  host: text("The host name that it was made at. Elsewhere it can't be used.", "watch.example.com"),
  created_at: time("When it was added."),
  last_used_at: nullable(time("When it was last used.")),
  transports: list(text("One of them.", "internal"), "How browsers reach its authenticator."),
  backed_up: boolean("Whether it is synchronized or backed up, so that it outlives the device.", true),
});

const presentPasskey = (row: Row): Static<typeof Passkey> => ({
  id: row.id,
  name: row.name,
  host: row.host,
  created_at: isoTime(row.createdAt),
  last_used_at: isoTimeOrNull(row.lastUsedAt),
  transports: row.transports,
  backed_up: row.backedUp,
});

/** The passkeys of a user, the oldest first. */
const readRows = ({ db }: Store, userId: number) =>
  db.select().from(passkeys).where(ofUser(passkeys, userId)).orderBy(asc(passkeys.id));

export const listPasskeys = async (store: Store, userId: number) => (await readRows(store, userId)).map(presentPasskey);

export const countPasskeys = ({ db }: Store, userId: number) => db.$count(passkeys, ofUser(passkeys, userId));

const inParty = (rows: Row[], party: RelyingParty | null) => rows.filter(({ host }) => host === party?.id);

/** Whether a user has a passkey for the site of a request. */
export const hasPasskeyAt = async (store: Store, userId: number, party: RelyingParty | null): Promise<boolean> =>
  inParty(await readRows(store, userId), party).length > 0;

/** Whether any user has a passkey, which the sign-in page then asks for. */
export const isPasskeyKnown = async ({ db }: Store): Promise<boolean> =>
  (await db.select({ id: passkeys.id }).from(passkeys).limit(1)).length > 0;

const Descriptor = object({
  type: oneOf("Always this.", ["public-key"]),
  id: text("The id of a credential, as base64url.", "3q2-7w"),
  transports: list(text("One of them.", "internal"), "How browsers reach it."),
});
const challenge = text("What is signed: once, within 5 minutes.", "MC4xNzY3MjI1NjAwMDAw");
const timeout = integer("Milliseconds until the challenge expires.", CHALLENGE_LASTS);

/** The options of `navigator.credentials.get`, as `PublicKeyCredential.parseRequestOptionsFromJSON` reads them. */
export const RequestOptions = component("PasskeyRequest", {
  challenge,
  rpId: text("The host name that passkeys are bound to.", "watch.example.com"),
  timeout,
  userVerification: oneOf("Whether the device asks for a PIN or a fingerprint.", ["required", "preferred"]),
  allowCredentials: list(Descriptor, "The user's passkeys; empty for a sign-in without a username."),
});

/** The options of `navigator.credentials.create`, as `PublicKeyCredential.parseCreationOptionsFromJSON` reads them. */
export const CreationOptions = component("PasskeyCreation", {
  challenge,
  timeout,
  rp: object({ id: text("The host name.", "watch.example.com"), name: text("The product.", "Wakeful") }),
  user: object({
    id: text("Stands for the user, as base64url.", "3q2-7w"),
    name: text("The username.", "alice"),
    displayName: text("The username.", "alice"),
  }),
  pubKeyCredParams: list(
    object({ type: oneOf("Always this.", ["public-key"]), alg: integer("A COSE algorithm.", -7) }),
    "The algorithms that are accepted.",
  ),
  excludeCredentials: list(Descriptor, "The user's passkeys, so that none is added twice."),
  authenticatorSelection: object({
    residentKey: oneOf("Asks for one that signs in without a username, too.", ["preferred"]),
    userVerification: oneOf("Asks for a PIN or a fingerprint, where there is one.", ["preferred"]),
  }),
  attestation: oneOf("Always this.", ["none"]),
});

const descriptorsOf = (rows: Row[]): Static<typeof Descriptor>[] =>
  rows.map(({ credentialId, transports }) => ({ type: "public-key", id: credentialId, transports }));

/** @throws {AppError} passkeys_unavailable */
export const requireParty = (party: RelyingParty | null): RelyingParty => {
  if (!party) throw new AppError("passkeys_unavailable");
  return party;
};

/** Asks for a signature by a passkey of a user, or by any passkey that signs in without a username. */
export const requestPasskey = async (
  deps: Store & Keys,
  { party, ceremony, user }: { party: RelyingParty; ceremony: Ceremony; user?: Pick<User, "id"> },
): Promise<Static<typeof RequestOptions>> => ({
  challenge: issueChallenge(deps, ceremony),
  rpId: party.id,
  timeout: CHALLENGE_LASTS,
  userVerification: user ? "preferred" : "required",
  allowCredentials: user ? descriptorsOf(inParty(await readRows(deps, user.id), party)) : [],
});

/** Asks for a new passkey. */
export const offerPasskey = async (
  deps: Store & Keys & Pick<Deps, "installationId">,
  party: RelyingParty,
  { id: userId, username }: Pick<User, "id" | "username">,
  ceremony: Ceremony,
): Promise<Static<typeof CreationOptions>> => ({
  challenge: issueChallenge(deps, ceremony),
  timeout: CHALLENGE_LASTS,
  rp: { id: party.id, name: "Wakeful" },
  // An authenticator replaces a passkey for the same host and user: another installation must not have the same ids.
  user: { id: hashSecret(`${deps.installationId}\n${userId}`), name: username, displayName: username },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
  excludeCredentials: descriptorsOf(inParty(await readRows(deps, userId), party)),
  authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  attestation: "none",
});

/**
 * Verifies a new passkey, and returns the row to insert.
 * @throws {AppError} wrong_passkey
 */
export const verifyNew = async (
  deps: Store & Keys,
  party: RelyingParty,
  credential: Attestation,
  ceremony: Ceremony,
) => {
  const verified = verifyAttestation(credential, party);
  if (!verified || !(await spendChallenge(deps, verified.challenge, ceremony))) throw new AppError("wrong_passkey");
  const { publicKey, transports = [] } = credential.response;
  const { counter, backedUp } = verified;
  const createdAt = deps.clock.now();
  return { credentialId: credential.id, host: party.id, publicKey, transports, counter, backedUp, createdAt };
};

/**
 * Inserts a verified passkey within a transaction.
 * @throws {AppError} too_many_passkeys, wrong_passkey if it is stored already
 */
export const insertPasskey = async (
  tx: Store["db"],
  userId: number,
  passkey: Awaited<ReturnType<typeof verifyNew>> & { name: string },
) => {
  if ((await countPasskeys({ db: tx }, userId)) >= LIMITS.passkeys)
    throw new AppError("too_many_passkeys", { limit: LIMITS.passkeys });
  const [row] = await tx
    .insert(passkeys)
    .values({ userId, ...passkey })
    .onConflictDoNothing()
    .returning();
  if (!row) throw new AppError("wrong_passkey");
  return presentPasskey(row);
};

const ownPasskey = (userId: number, passkeyId: number) => and(eq(passkeys.id, passkeyId), ofUser(passkeys, userId));

/** @throws {AppError} not_found */
export const renamePasskey = async ({ db }: Store, userId: number, passkeyId: number, name: string) => {
  const [row] = await db.update(passkeys).set({ name }).where(ownPasskey(userId, passkeyId)).returning();
  if (!row) throw notFound("Passkey");
  return presentPasskey(row);
};

/** @throws {AppError} not_found */
export const deletePasskey = async (tx: Store["db"], userId: number, passkeyId: number) => {
  const [row] = await tx.delete(passkeys).where(ownPasskey(userId, passkeyId)).returning();
  if (!row) throw notFound("Passkey");
  return row.name;
};

/** The statement that deletes all passkeys of a user. */
export const deletePasskeys = (tx: Store["db"], userId: number) => tx.delete(passkeys).where(ofUser(passkeys, userId));

/** @throws {AppError} wrong_passkey */
export const findPasskey = async ({ db }: Store, { id: credentialId }: Assertion): Promise<Row> => {
  const [row] = await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId));
  if (!row) throw new AppError("wrong_passkey");
  return row;
};

/**
 * Asserts that a passkey has signed the challenge of a ceremony, which is used up. Signing in by the passkey alone takes a user
 * whom the device has verified, too.
 * @throws {AppError} wrong_passkey, and passkey_copied when its counter goes back
 */
export const acceptPasskey = async (
  deps: Store & Keys,
  passkey: Row,
  sent: Assertion,
  { party, ceremony }: { party: RelyingParty | null; ceremony: Ceremony },
): Promise<void> => {
  const signed = party && verifyAssertion(sent, passkey.publicKey, party);
  const isEnough = signed?.userVerified || ceremony[0] !== "sign-in";
  if (!signed || !isEnough || !(await spendChallenge(deps, signed.challenge, ceremony)))
    throw new AppError("wrong_passkey");
  const { counter, backedUp } = signed;
  // Authenticators without a counter always send 0.
  const isLater = counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter);
  const used = await deps.db
    .update(passkeys)
    .set({ counter, backedUp, lastUsedAt: deps.clock.now() })
    .where(and(eq(passkeys.id, passkey.id), isLater))
    .returning({ id: passkeys.id });
  if (used.length === 0) throw new AppError("passkey_copied");
};
