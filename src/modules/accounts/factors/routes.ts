import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, ok, text } from "../../../server/answers";
import { requireProof, requireSession, signedIn, tokenSigner } from "../guard";
import { totpSetupModel } from "../model";
import { renewedToken } from "../sessions/service";
import { codesOfFirst, completeChange, recoveryCodes } from "./changes";
import { addTotp, Factors, offerTotp, readFactors, removeTotp, renewCodes } from "./service";

const success = true as const;

const reading = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .derive(requireSession)
    .get("/factors", async ({ user }) => ({ success, ...(await readFactors(deps, user)) }), {
      detail: describe({
        id: "getFactors",
        summary: "Get your second factors",
        description: "Without their secrets.",
        access: "session",
        answer: { description: "The second factors.", schema: ok(Factors.properties) },
      }),
    });

const changing = (deps: Deps) =>
  new Elysia()
    .use(tokenSigner(deps))
    .use(signedIn(deps))
    .derive(requireSession)
    .derive(requireProof(deps))
    .post("/totp", ({ user }) => ({ success, ...offerTotp(deps, user) }), {
      detail: describe({
        id: "beginTotp",
        summary: "Begin to add an authenticator app",
        description:
          "Answers a new secret for the app. The app counts once it has shown a right code: `PUT /api/auth/totp` with `setup`, within 15 minutes.",
        access: "session",
        answer: {
          description: "The secret.",
          schema: ok({
            secret: text("The secret as base32, for typing.", "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"),
            uri: text(
              "The same as an address, for a QR code.",
              "otpauth://totp/Wakeful:alice?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Wakeful",
            ),
            setup: text("Carries the secret to the call that adds the app.", "3q2-7w.1767225600000.…"),
          }),
        },
        refusals: ["proof_required"],
      }),
    })
    .put(
      "/totp",
      async ({ user, sessionId, body, session, request, server }) => {
        const recovery_codes = await addTotp(deps, user, body);
        const token = await completeChange(deps, { user, sessionId, session, request, server }, "totp_added");
        return { success, recovery_codes, token };
      },
      {
        body: totpSetupModel,
        detail: describe({
          id: "addTotp",
          summary: "Add an authenticator app",
          description:
            "From now on, a sign-in with the password asks for a code of the app. An app that was added before is replaced.",
          access: "session",
          answer: {
            description: "The app was added.",
            schema: ok({ recovery_codes: codesOfFirst, token: renewedToken }),
          },
          refusals: ["proof_required", "setup_expired", "wrong_code", "clock_off"],
        }),
      },
    )
    .delete(
      "/totp",
      async ({ user, sessionId, session, request, server }) => {
        await removeTotp(deps, user);
        const token = await completeChange(deps, { user, sessionId, session, request, server }, "totp_removed");
        return { success, token };
      },
      {
        detail: describe({
          id: "removeTotp",
          summary: "Remove the authenticator app",
          description: "The recovery codes end with the last second factor.",
          access: "session",
          answer: { description: "The app was removed.", schema: ok({ token: renewedToken }) },
          refusals: ["proof_required", "not_found"],
        }),
      },
    )
    .post(
      "/recovery-codes",
      async ({ user, sessionId, session, request, server }) => {
        const recovery_codes = await renewCodes(deps, user);
        const token = await completeChange(
          deps,
          { user, sessionId, session, request, server },
          "recovery_codes_renewed",
        );
        return { success, recovery_codes, token };
      },
      {
        detail: describe({
          id: "renewRecoveryCodes",
          summary: "Create new recovery codes",
          description: "Each replaces a second factor once. The earlier ones end.",
          access: "session",
          answer: {
            description: "The new codes.",
            schema: ok({ recovery_codes: recoveryCodes("Shown only now."), token: renewedToken }),
          },
          refusals: ["proof_required", "no_second_factor"],
        }),
      },
    );

/** A user's own second factors. */
export const factorRoutes = (deps: Deps) => new Elysia().use(reading(deps)).use(changing(deps));
