import { and, eq, lt } from "drizzle-orm";
import { assertNotRefused, claimAttempt, releaseAttempt } from "../../../cluster/rate-limit";
import type { Deps } from "../../../core/deps";
import { AppError, type ErrorCode, validation } from "../../../core/errors";
import { hashCode, unseal } from "../../../core/secrets";
import { ofUser } from "../../../db/owner";
import { authenticators, recoveryCodes } from "../../../db/schema";
import type { SecurityEventKind } from "../../../shared/security-events";
import type { User } from "../account/service";
import { networksOf } from "../client-address";
import { recordSecurityEvent } from "../security-log";
import { factorLimit } from "../sign-in/limits";
import { isTrustedClient } from "../sign-in/sign-in";
import type { Assertion } from "./passkeys/model";
import { acceptPasskey, type Ceremony, findPasskey } from "./passkeys/service";
import { relyingPartyOf } from "./passkeys/webauthn";
import { FACTORS, type Factor, findAuthenticator, purposeOf } from "./service";
import { judgeCode } from "./totp";

/** The code of one of a user's second factors, or what their passkey has signed. */
type SentFactor = { totp?: string; recovery?: string; passkey?: Assertion };

/** A call with a factor, and the ceremony whose challenge a passkey has signed. */
type Call = { request: Request; address: string; ceremony: Ceremony };

/** The events of refusals other than a wrong factor. */
const REFUSED_BY: Partial<Record<ErrorCode, SecurityEventKind>> = {
  rate_limited: "sign_in_refused",
  passkey_copied: "passkey_refused",
};

/** @throws {AppError} wrong_code, code_used, clock_off */
const acceptTotp = async (deps: Deps, { id }: User, code: string): Promise<void> => {
  const { db, clock, log, jwtSecret } = deps;
  const app = await findAuthenticator(deps, id);
  const secret = app && unseal(jwtSecret, purposeOf(id), app.secret);
  if (app && !secret) log.warn("an authenticator app can't be used, because JWT_SECRET was changed", { user_id: id });
  if (!app || !secret) throw new AppError("wrong_code");
  const judged = judgeCode(secret, code, { now: clock.now(), lastStep: app.lastStep });
  if (typeof judged === "string") throw new AppError(judged);
  // Of two calls with one code at the same moment, one finds it unused.
  const used = await db
    .update(authenticators)
    .set({ lastStep: judged.step })
    .where(and(ofUser(authenticators, id), lt(authenticators.lastStep, judged.step)))
    .returning({ userId: authenticators.userId });
  if (used.length === 0) throw new AppError("code_used");
};

/** @throws {AppError} wrong_code */
const acceptRecovery = async ({ db }: Deps, { id }: User, code: string): Promise<void> => {
  const used = await db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.hash, hashCode(code)), ofUser(recoveryCodes, id)))
    .returning({ userId: recoveryCodes.userId });
  if (used.length === 0) throw new AppError("wrong_code");
};

/** @throws {AppError} wrong_passkey, passkey_copied */
const acceptOwnPasskey = async (deps: Deps, { id }: User, sent: Assertion, { request, ceremony }: Call) => {
  const passkey = await findPasskey(deps, sent);
  if (passkey.userId !== id) throw new AppError("wrong_passkey");
  await acceptPasskey(deps, passkey, sent, { party: relyingPartyOf(deps, request), ceremony });
};

const accept = async (deps: Deps, user: User, { totp, recovery, passkey }: SentFactor, call: Call): Promise<void> => {
  if (totp !== undefined) await acceptTotp(deps, user, totp);
  if (recovery !== undefined) await acceptRecovery(deps, user, recovery);
  if (passkey !== undefined) await acceptOwnPasskey(deps, user, passkey, call);
};

/** The one factor that was sent. @throws {AppError} validation */
const sentFactor = (sent: SentFactor, allowed: readonly Factor[]): Factor => {
  const [one, ...others] = FACTORS.filter((factor) => sent[factor] !== undefined);
  if (one && others.length === 0 && allowed.includes(one)) return one;
  const message = `${allowed[0]}: send one of ${allowed.join(", ")}`;
  throw validation([{ path: allowed[0] ?? "", message }]);
};

/**
 * Asserts that a user has one of their second factors, uses up its code and returns which one it was. Refusals are recorded in the
 * security log.
 * @throws {AppError} wrong_code, code_used, clock_off, wrong_passkey, passkey_copied, rate_limited, validation
 */
export const assertFactor = async (
  deps: Deps,
  user: User,
  { sent, allowed = FACTORS, ...call }: Call & { sent: SentFactor; allowed?: readonly Factor[] },
): Promise<Factor> => {
  const factor = sentFactor(sent, allowed);
  const { address } = call;
  const { narrowest } = networksOf(address);
  const isKnown = await isTrustedClient(deps, narrowest, user.usernameKey);
  const limit = factorLimit(user.id, isKnown ? narrowest : null);
  try {
    assertNotRefused(deps, [limit]);
    await claimAttempt(deps, [limit]);
    await accept(deps, user, sent, call);
  } catch (error) {
    if (error instanceof AppError) {
      const kind = REFUSED_BY[error.code as ErrorCode] ?? "second_factor_failed";
      await recordSecurityEvent(deps, { kind, userId: user.id, username: user.username, address, detail: factor });
    }
    throw error;
  }
  await releaseAttempt(deps, limit, []);
  return factor;
};
