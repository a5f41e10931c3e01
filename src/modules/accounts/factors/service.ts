import type { Static } from "@sinclair/typebox";
import { eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound } from "../../../core/errors";
import { hashCode, randomCode, seal } from "../../../core/secrets";
import type { Database } from "../../../db/database";
import { ofUser } from "../../../db/owner";
import { authenticators, recoveryCodes, users } from "../../../db/schema";
import { lock, lockRowsLightly } from "../../../db/sql";
import { isoTime } from "../../../lib/time";
import { boolean, integer, list, nullable, object, time } from "../../../server/answers";
import { MINUTE } from "../../../shared/limits";
import { NO_PASSWORD, type User } from "../account/service";
import { endSessionsOf } from "../sessions/service";
import { issueTicket, isValidTicket, subjectOf } from "../tickets";
import type { Attestation } from "./passkeys/model";
import {
  type Ceremony,
  countPasskeys,
  deletePasskey,
  deletePasskeys,
  hasPasskeyAt,
  insertPasskey,
  listPasskeys,
  Passkey,
  verifyNew,
} from "./passkeys/service";
import type { RelyingParty } from "./passkeys/webauthn";
import { judgeCode, randomTotpSecret, toBase32, totpUri } from "./totp";

type Store = Pick<Deps, "db">;
type Keys = Pick<Deps, "jwtSecret" | "clock">;

/** What completes a sign-in after the password. */
export const FACTORS = ["passkey", "totp", "recovery"] as const;
export type Factor = (typeof FACTORS)[number];

const RECOVERY_CODES = 10;
/** Groups of a recovery code: 125 random bits, so that a plain hash of it cannot be reversed. */
const GROUPS = 5;
/** How long the secret of an authenticator app waits for its first code. */
const SET_UP_LASTS = 15 * MINUTE;

/** The purpose of the key that seals the secret of an authenticator app: another one for each user. */
export const purposeOf = (userId: number) => `secret of the authenticator app of user ${userId}`;

export const Factors = object({
  totp: nullable(object({ created_at: time("When the app was added.") })),
  passkeys: list(Passkey, "At most 10, the oldest first."),
  recovery_codes: integer("How many recovery codes are left.", 10),
  required: boolean("Whether REQUIRE_2FA asks you for a passkey or an app.", false),
});

export const findAuthenticator = async ({ db }: Store, userId: number) =>
  (await db.select().from(authenticators).where(ofUser(authenticators, userId)))[0];

const countCodes = ({ db }: Store, userId: number) => db.$count(recoveryCodes, ofUser(recoveryCodes, userId));

/** The second factors of a user, as the API answers them. */
export const readFactors = async (
  deps: Store & Pick<Deps, "config">,
  user: Asked & Pick<User, "id">,
): Promise<Static<typeof Factors>> => {
  const app = await findAuthenticator(deps, user.id);
  return {
    totp: app ? { created_at: isoTime(app.createdAt) } : null,
    passkeys: await listPasskeys(deps, user.id),
    recovery_codes: await countCodes(deps, user.id),
    required: isRequired(deps.config, user),
  };
};

/** Whether a user has a second factor. Recovery codes are none: they end with the last one. */
const hasFactor = async (store: Store, userId: number): Promise<boolean> =>
  (await findAuthenticator(store, userId)) !== undefined || (await countPasskeys(store, userId)) > 0;

type Asked = Pick<User, "role" | "passwordHash">;

/** Whether REQUIRE_2FA asks this user for a second factor. Without a password, the issuer or the proxy that signs them in decides. */
const isRequired = ({ require2fa }: Deps["config"], { role, passwordHash }: Asked): boolean =>
  passwordHash !== NO_PASSWORD && (require2fa === "all" || (require2fa === "admins" && role === "admin"));

/** Whether a user has to add a second factor before anything else. */
export const lacksFactor = async (
  deps: Store & Pick<Deps, "config">,
  user: Asked & Pick<User, "id">,
): Promise<boolean> => isRequired(deps.config, user) && !(await hasFactor(deps, user.id));

/** What completes a sign-in of a user; empty for a user without a second factor. */
export const factorsOf = async (store: Store, { id }: Pick<User, "id">): Promise<Factor[]> => {
  const has: Record<Factor, boolean> = {
    passkey: (await countPasskeys(store, id)) > 0,
    totp: (await findAuthenticator(store, id)) !== undefined,
    recovery: (await countCodes(store, id)) > 0,
  };
  return FACTORS.filter((factor) => has[factor]);
};

/** The same at a site: passkeys that were made elsewhere can't be used there. */
export const usableFactors = async (store: Store, user: Pick<User, "id">, party: RelyingParty | null) => {
  const factors = await factorsOf(store, user);
  return (await hasPasskeyAt(store, user.id, party)) ? factors : factors.filter((factor) => factor !== "passkey");
};

/** Changes the second factors of a user, one change after the other. */
const change = <T>(db: Database, userId: number, body: (tx: Database) => Promise<T>): Promise<T> =>
  db.transact(async (tx) => {
    await lock(tx, lockRowsLightly(users, users.id, eq(users.id, userId)));
    return body(tx);
  });

type NewPasskey = { name: string; credential: Attestation; party: RelyingParty; ceremony: Ceremony };

/** Replaces the recovery codes of a user within a transaction, and returns the new ones. */
const replaceCodes = async (tx: Database, userId: number): Promise<string[]> => {
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomCode(GROUPS));
  await tx.delete(recoveryCodes).where(ofUser(recoveryCodes, userId));
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ hash: hashCode(code), userId })));
  return codes;
};

/** New recovery codes with the first factor; with a later one, those that are left stay valid. */
const codesOfFirst = async (tx: Database, userId: number): Promise<string[]> =>
  (await countCodes({ db: tx }, userId)) > 0 ? [] : replaceCodes(tx, userId);

/**
 * A new secret for an authenticator app. Nothing is stored before the app has shown a right code: `setup` carries the secret
 * until then.
 */
export const offerTotp = (deps: Keys & Pick<Deps, "config">, { id, username }: Pick<User, "id" | "username">) => {
  const secret = randomTotpSecret();
  const subject = Buffer.from(secret).toString("base64url");
  return {
    secret: toBase32(secret),
    uri: totpUri(secret, username, URL.parse(deps.config.publicUrl)?.host ?? ""),
    setup: issueTicket(deps, "authenticator app", { subject, bound: [id], lasts: SET_UP_LASTS }),
  };
};

/**
 * Adds an authenticator app that has shown a right code, in place of an earlier one. Returns recovery codes when the user has none.
 * @throws {AppError} setup_expired, wrong_code, clock_off
 */
export const addTotp = async (
  deps: Store & Keys,
  { id: userId }: Pick<User, "id">,
  { setup, code }: { setup: string; code: string },
): Promise<string[]> => {
  const { db, clock, jwtSecret } = deps;
  if (!isValidTicket(deps, "authenticator app", setup, [userId])) throw new AppError("setup_expired");
  const secret = Buffer.from(subjectOf(setup) ?? "", "base64url");
  const judged = judgeCode(secret, code, { now: clock.now(), lastStep: -1 });
  if (typeof judged === "string") throw new AppError(judged);
  const set = {
    secret: seal(jwtSecret, purposeOf(userId), secret),
    lastStep: judged.step,
    createdAt: clock.now(),
  };
  return change(db, userId, async (tx) => {
    await tx
      .insert(authenticators)
      .values({ userId, ...set })
      .onConflictDoUpdate({ target: authenticators.userId, set });
    return codesOfFirst(tx, userId);
  });
};

/** Deletes the recovery codes of a user who has no second factor any more. */
const deleteUselessCodes = async (tx: Database, userId: number): Promise<void> => {
  if (!(await hasFactor({ db: tx }, userId))) await tx.delete(recoveryCodes).where(ofUser(recoveryCodes, userId));
};

/**
 * Removes the authenticator app, and the recovery codes with the last factor.
 * @throws {AppError} not_found
 */
export const removeTotp = ({ db }: Store, { id }: Pick<User, "id">): Promise<void> =>
  change(db, id, async (tx) => {
    const removed = await tx.delete(authenticators).where(ofUser(authenticators, id)).returning();
    if (removed.length === 0) throw notFound("Authenticator app");
    await deleteUselessCodes(tx, id);
  });

/**
 * Adds a passkey that a browser has made. Returns recovery codes as well when the user has none.
 * @throws {AppError} wrong_passkey, too_many_passkeys
 */
export const addPasskey = async (
  deps: Store & Keys,
  { id: userId }: Pick<User, "id">,
  { name, credential, party, ceremony }: NewPasskey,
) => {
  const verified = await verifyNew(deps, party, credential, ceremony);
  return change(deps.db, userId, async (tx) => ({
    passkey: await insertPasskey(tx, userId, { name, ...verified }),
    recovery_codes: await codesOfFirst(tx, userId),
  }));
};

/**
 * Removes a passkey, and the recovery codes with the last factor. Returns its name.
 * @throws {AppError} not_found
 */
export const removePasskey = ({ db }: Store, { id: userId }: Pick<User, "id">, passkeyId: number): Promise<string> =>
  change(db, userId, async (tx) => {
    const name = await deletePasskey(tx, userId, passkeyId);
    await deleteUselessCodes(tx, userId);
    return name;
  });

/**
 * Replaces the recovery codes.
 * @throws {AppError} no_second_factor
 */
export const renewCodes = (store: Store, user: Pick<User, "id">): Promise<string[]> =>
  change(store.db, user.id, async (tx) => {
    if ((await factorsOf({ db: tx }, user)).length === 0) throw new AppError("no_second_factor");
    return replaceCodes(tx, user.id);
  });

/**
 * Removes all second factors of a user and ends their sessions.
 * @throws {AppError} not_found without any
 */
export const resetFactors = ({ db }: Store, { id }: Pick<User, "id">): Promise<void> =>
  change(db, id, async (tx) => {
    if ((await factorsOf({ db: tx }, { id })).length === 0) throw notFound("Second factor");
    await tx.delete(authenticators).where(ofUser(authenticators, id));
    await deletePasskeys(tx, id);
    await tx.delete(recoveryCodes).where(ofUser(recoveryCodes, id));
    await endSessionsOf(tx, id);
  });
