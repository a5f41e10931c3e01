import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { isoTime } from "../../../lib/time";
import { describe, ok, time } from "../../../server/answers";
import { clientAddress } from "../client-address";
import { assertFactor } from "../factors/verify";
import { requireSession, signedIn } from "../guard";
import { proofModel } from "../model";
import { assertOwnPassword, FRESH, recordProof } from "./service";

/** Proves again who the user of a session is. */
export const proofRoutes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .derive(requireSession)
    .post(
      "/proof",
      async ({ user, sessionId, body: { password, ...sent }, request, server }) => {
        if (password !== undefined) await assertOwnPassword(deps, { user, request, server }, password);
        else
          await assertFactor(deps, user, {
            sent,
            address: clientAddress(deps, request, server),
            allowed: ["totp"],
          });
        await recordProof(deps, sessionId);
        return { success: true as const, until: isoTime(deps.clock.now() + FRESH) };
      },
      {
        body: proofModel,
        detail: describe({
          id: "proveIdentity",
          summary: "Prove that it is you",
          description:
            "With your password or a second factor. For 10 minutes after it, and after a sign-in, the session may create keys, manage users, end other sessions and change second factors; otherwise those calls answer `proof_required`.",
          access: "session",
          answer: {
            description: "The session may make these calls from now on.",
            schema: ok({ until: time("Until when.") }),
          },
          refusals: ["wrong_password", "wrong_code", "code_used", "clock_off", "rate_limited"],
        }),
      },
    );
