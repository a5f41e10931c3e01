import { Elysia } from "elysia";
import { assertNotRefused, claimAttempt, type Limit, releaseAttempt } from "../../../../cluster/rate-limit";
import type { Deps } from "../../../../core/deps";
import { AppError } from "../../../../core/errors";
import { describe, ok } from "../../../../server/answers";
import { findUser, type User } from "../../account/service";
import { clientAddress, networksOf } from "../../client-address";
import type { Assertion } from "../../factors/passkeys/model";
import {
  acceptPasskey,
  type Ceremony,
  findPasskey,
  RequestOptions,
  requestPasskey,
  requireParty,
} from "../../factors/passkeys/service";
import { relyingPartyOf } from "../../factors/passkeys/webauthn";
import { tokenSigner } from "../../guard";
import { passkeySignInModel } from "../../model";
import { recordSecurityEvent } from "../../security-log";
import { completeSignIn } from "../complete";
import { passkeyLimits } from "../limits";
import { assertAllowed, type PasswordPolicy } from "../password-policy";
import { signedIn } from "../routes";

/** The challenge of a sign-in is answered from the network that asked for it: no user is known before. */
const ceremonyFor = (address: string): Ceremony => ["sign-in", networksOf(address).narrowest];

/**
 * The user who signs in by a passkey alone. A passkey that is not known is refused like a wrong signature.
 * @throws {AppError} wrong_passkey, passkey_copied
 */
const userOfPasskey = async (deps: Deps, request: Request, address: string, sent: Assertion): Promise<User> => {
  let username = "";
  try {
    const passkey = await findPasskey(deps, sent);
    const user = await findUser(deps, passkey.userId);
    if (!user) throw new AppError("wrong_passkey");
    username = user.username;
    const party = relyingPartyOf(deps, request);
    await acceptPasskey(deps, passkey, sent, { party, ceremony: ceremonyFor(address) });
    return user;
  } catch (error) {
    if (error instanceof AppError) {
      const kind = error.code === "passkey_copied" ? "passkey_refused" : "sign_in_failed";
      await recordSecurityEvent(deps, { kind, username, address, detail: "passkey" });
    }
    throw error;
  }
};

/** Counts an attempt as failed until it has succeeded. */
const limited = async <T>(deps: Deps, limits: Limit[], attempt: () => Promise<T>): Promise<T> => {
  const [narrowest, ...wider] = limits as [Limit, ...Limit[]];
  assertNotRefused(deps, limits);
  await claimAttempt(deps, limits);
  const result = await attempt();
  await releaseAttempt(deps, narrowest, wider);
  return result;
};

/** Signs in by a passkey, without a username and a password. */
export const passkeySignInRoutes = (deps: Deps, passwordPolicy: PasswordPolicy) =>
  new Elysia()
    .use(tokenSigner(deps))
    .post(
      "/passkey/options",
      async ({ request, server }) => {
        const party = requireParty(relyingPartyOf(deps, request));
        const ceremony = ceremonyFor(clientAddress(deps, request, server));
        return { success: true as const, options: await requestPasskey(deps, { party, ceremony }) };
      },
      {
        detail: describe({
          id: "beginPasskeyLogin",
          summary: "Begin to sign in with a passkey",
          description: "Answers the options of `navigator.credentials.get`, for any passkey of this address.",
          access: "public",
          answer: { description: "The options.", schema: ok({ options: RequestOptions }) },
          refusals: ["passkeys_unavailable"],
        }),
      },
    )
    .post(
      "/passkey",
      async ({ body: { passkey, ...stated }, session, request, server }) => {
        const address = clientAddress(deps, request, server);
        const user = await limited(deps, passkeyLimits(networksOf(address).all), () =>
          userOfPasskey(deps, request, address, passkey),
        );
        assertAllowed(await passwordPolicy(), user);
        return completeSignIn(deps, { request, address, sign: session.sign }, user, { ...stated, by: "passkey" });
      },
      {
        body: passkeySignInModel,
        detail: describe({
          id: "passkeyLogin",
          summary: "Sign in with a passkey",
          description:
            "In place of the password and of a second factor: the device has to verify its user, by a PIN or a fingerprint. From the network that asked for the options.",
          access: "public",
          answer: { description: "Signed in.", schema: ok(signedIn) },
          refusals: ["wrong_passkey", "passkey_copied", "password_login_off", "rate_limited"],
        }),
      },
    );
