import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { describe, list, ok, oneOf, optional, text } from "../../../server/answers";
import { PublicUser } from "../account/service";
import { clientAddress } from "../client-address";
import { RequestOptions } from "../factors/passkeys/service";
import { relyingPartyOf } from "../factors/passkeys/webauthn";
import { FACTORS, factorsOf } from "../factors/service";
import { assertFactor } from "../factors/verify";
import { tokenSigner } from "../guard";
import { credentialsModel, secondFactorModel } from "../model";
import { recordSecurityEvent } from "../security-log";
import { spendTicket } from "../tickets";
import { askSecondFactor, completeSignIn, userOfTicket } from "./complete";
import { assertAllowed, type PasswordPolicy } from "./password-policy";
import { signIn } from "./sign-in";

/** Checks name and password as `signIn` does, and records a refusal. @throws {AppError} invalid_credentials, rate_limited */
const checkPassword = async (deps: Deps, attempt: Parameters<typeof signIn>[1]) => {
  const { username, address } = attempt;
  const user = await signIn(deps, attempt).catch(async (error) => {
    if (error instanceof AppError && error.code === "rate_limited")
      await recordSecurityEvent(deps, { kind: "sign_in_refused", username, address });
    throw error;
  });
  if (user) return user;
  await recordSecurityEvent(deps, { kind: "sign_in_failed", username, address });
  throw new AppError("invalid_credentials");
};

/** The answer to a completed sign-in. */
export const signedIn = {
  message: text("A confirmation.", "Signed in."),
  token: text("The session token, for the Authorization header.", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"),
  user: PublicUser,
};

/** The answer to a sign-in at an issuer or a proxy. */
export const SignedInElsewhere = ok({
  ...signedIn,
  sign_out_url: optional(
    text(
      "Where to continue after signing out, so that the session there ends, too.",
      "https://auth.example.com/logout",
    ),
  ),
});

/** Signs in by name and password, and by a second factor where the account has one. */
export const signInRoutes = (deps: Deps, passwordPolicy: PasswordPolicy) =>
  new Elysia()
    .use(tokenSigner(deps))
    .post(
      "/login",
      async ({ body, session, request, server }) => {
        const address = clientAddress(deps, request, server);
        const policy = await passwordPolicy();
        if (policy === "off") throw new AppError("password_login_off");
        const user = await checkPassword(deps, { ...body, address });
        assertAllowed(policy, user);
        if ((await factorsOf(deps, user)).length > 0)
          return askSecondFactor(deps, user, relyingPartyOf(deps, request), address);
        return completeSignIn(deps, { request, address, sign: session.sign }, user, body);
      },
      {
        body: credentialsModel,
        detail: describe({
          id: "login",
          summary: "Sign in",
          description:
            "Starts a session of seven days and answers its token. For an account with a second factor, it answers `second_factor` and a `ticket` in place of `token` and `user`: complete the sign-in with both by `POST /api/auth/second-factor`. After ten failures within 15 minutes for one username from one address, further attempts are refused for a while.",
          access: "public",
          answer: {
            description: "Signed in, or the password is right and a second factor is missing.",
            schema: ok({
              message: signedIn.message,
              token: optional(signedIn.token),
              user: optional(signedIn.user),
              second_factor: optional(
                list(
                  oneOf("A factor that completes the sign-in.", FACTORS),
                  "Empty where the user has only passkeys of another address.",
                ),
              ),
              ticket: optional(text("Stands for the password, for 5 minutes.", "1.1767225600000.…")),
              passkey_options: optional(RequestOptions),
            }),
          },
          refusals: ["invalid_credentials", "password_login_off", "rate_limited"],
        }),
      },
    )
    .post(
      "/second-factor",
      async ({ body, session, request, server }) => {
        const { ticket, ...sent } = body;
        const address = clientAddress(deps, request, server);
        const user = await userOfTicket(deps, ticket, address);
        const by = await assertFactor(deps, user, { sent, request, address, ceremony: ["second factor", ticket] });
        if (!(await spendTicket(deps, ticket))) throw new AppError("sign_in_expired");
        return completeSignIn(deps, { request, address, sign: session.sign }, user, { ...sent, by });
      },
      {
        body: secondFactorModel,
        detail: describe({
          id: "completeLogin",
          summary: "Sign in with a second factor",
          description:
            "Completes a sign-in that answered a ticket, from the same network and within 5 minutes. Send the ticket with one of the factors. A code works once. After five wrong ones within 15 minutes, further attempts are refused for a while.",
          access: "public",
          answer: { description: "Signed in.", schema: ok(signedIn) },
          refusals: [
            "sign_in_expired",
            "wrong_code",
            "code_used",
            "clock_off",
            "wrong_passkey",
            "passkey_copied",
            "rate_limited",
          ],
        }),
      },
    );
