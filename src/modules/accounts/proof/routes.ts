import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { isoTime } from "../../../lib/time";
import { describe, ok, time } from "../../../server/answers";
import { clientAddress } from "../client-address";
import { type Ceremony, RequestOptions, requestPasskey, requireParty } from "../factors/passkeys/service";
import { relyingPartyOf } from "../factors/passkeys/webauthn";
import { assertFactor } from "../factors/verify";
import { requireSession, signedIn, tokenSigner } from "../guard";
import { proofModel } from "../model";
import { renewedToken, renewSession } from "../sessions/service";
import { assertOwnPassword, FRESH } from "./service";

const ceremonyOf = (sessionId: string): Ceremony => ["proof", sessionId];

/** Proves again who the user of a session is. */
export const proofRoutes = (deps: Deps) =>
  new Elysia()
    .use(tokenSigner(deps))
    .use(signedIn(deps))
    .derive(requireSession)
    .post(
      "/proof/options",
      async ({ user, sessionId, request }) => {
        const party = requireParty(relyingPartyOf(deps, request));
        const options = await requestPasskey(deps, { party, ceremony: ceremonyOf(sessionId), user });
        return { success: true as const, options };
      },
      {
        detail: describe({
          id: "beginProof",
          summary: "Begin to prove that it is you with a passkey",
          description: "Answers the options of `navigator.credentials.get`, for your passkeys of this address.",
          access: "session",
          answer: { description: "The options.", schema: ok({ options: RequestOptions }) },
          refusals: ["passkeys_unavailable"],
        }),
      },
    )
    .post(
      "/proof",
      async ({ user, sessionId, body: { password, ...sent }, session, request, server }) => {
        const address = clientAddress(deps, request, server);
        if (password !== undefined) await assertOwnPassword(deps, { user, request, server }, password);
        else
          await assertFactor(deps, user, {
            ...{ sent, request, address, ceremony: ceremonyOf(sessionId) },
            allowed: ["passkey", "totp"],
          });
        const provedAt = deps.clock.now();
        const token = await session.sign(await renewSession(deps, user, sessionId, { provedAt }));
        return { success: true as const, until: isoTime(provedAt + FRESH), token };
      },
      {
        body: proofModel,
        detail: describe({
          id: "proveIdentity",
          summary: "Prove that it is you",
          description:
            "With your password or a second factor. For 10 minutes after it, and after a sign-in, the session may create keys, manage users, end other sessions and change second factors; otherwise those calls answer `proof_required`. Go on with `token`: the session has a new one.",
          access: "session",
          answer: {
            description: "The session may make these calls from now on.",
            schema: ok({ until: time("Until when."), token: renewedToken }),
          },
          refusals: [
            "wrong_password",
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
