import { Elysia } from "elysia";
import type { Deps } from "../../../../core/deps";
import { describe, ok } from "../../../../server/answers";
import { idParam } from "../../../../server/schema";
import { requireProof, requireSession, signedIn, tokenSigner } from "../../guard";
import { newPasskeyModel, passkeyNameModel } from "../../model";
import { renewedToken } from "../../sessions/service";
import { codesOfFirst, completeChange } from "../changes";
import { addPasskey, removePasskey } from "../service";
import { type Ceremony, CreationOptions, offerPasskey, Passkey, renamePasskey, requireParty } from "./service";
import { relyingPartyOf } from "./webauthn";

const success = true as const;
const params = idParam("The passkey's id.");
const creation = (sessionId: string): Ceremony => ["creation", sessionId];

/** A user's own passkeys, which `GET /api/auth/factors` lists. */
export const passkeyRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/passkeys" })
    .use(tokenSigner(deps))
    .use(signedIn(deps))
    .derive(requireSession)
    .derive(requireProof(deps))
    .post(
      "/options",
      async ({ user, sessionId, request }) => {
        const party = requireParty(relyingPartyOf(deps, request));
        return { success, options: await offerPasskey(deps, party, user, creation(sessionId)) };
      },
      {
        detail: describe({
          id: "beginPasskey",
          summary: "Begin to add a passkey",
          description:
            "Answers the options of `navigator.credentials.create`. Passkeys are bound to the host of PUBLIC_URL, or to that of the page where it is not set, and need https, except on localhost.",
          access: "session",
          answer: { description: "The options.", schema: ok({ options: CreationOptions }) },
          refusals: ["proof_required", "passkeys_unavailable"],
        }),
      },
    )
    .post(
      "/",
      async ({ user, sessionId, body: { name, credential }, session, request, server, status }) => {
        const party = requireParty(relyingPartyOf(deps, request));
        const { passkey, recovery_codes } = await addPasskey(deps, user, {
          ...{ name, credential, party },
          ceremony: creation(sessionId),
        });
        const token = await completeChange(
          deps,
          { user, sessionId, session, request, server },
          "passkey_added",
          passkey.name,
        );
        return status(201, { success, passkey, recovery_codes, token });
      },
      {
        body: newPasskeyModel,
        detail: describe({
          id: "addPasskey",
          summary: "Add a passkey",
          description:
            "From now on, a sign-in with the password asks for a second factor, and the passkey can also sign in alone. A user has at most 10.",
          access: "session",
          answer: {
            status: 201,
            description: "The passkey was added.",
            schema: ok({ passkey: Passkey, recovery_codes: codesOfFirst, token: renewedToken }),
          },
          refusals: ["proof_required", "passkeys_unavailable", "wrong_passkey", "too_many_passkeys"],
        }),
      },
    )
    .put(
      "/:id",
      async ({ user, params: { id }, body: { name } }) => ({
        success,
        passkey: await renamePasskey(deps, user.id, id, name),
      }),
      {
        params,
        body: passkeyNameModel,
        detail: describe({
          id: "renamePasskey",
          summary: "Rename a passkey",
          description: "The name is for its user only: the device keeps its own.",
          access: "session",
          answer: { description: "The passkey has this name now.", schema: ok({ passkey: Passkey }) },
          refusals: ["proof_required", "not_found"],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ user, sessionId, params: { id }, session, request, server }) => {
        const name = await removePasskey(deps, user, id);
        const token = await completeChange(
          deps,
          { user, sessionId, session, request, server },
          "passkey_removed",
          name,
        );
        return { success, token };
      },
      {
        params,
        detail: describe({
          id: "removePasskey",
          summary: "Remove a passkey",
          description: "The recovery codes end with the last second factor.",
          access: "session",
          answer: { description: "The passkey was removed.", schema: ok({ token: renewedToken }) },
          refusals: ["proof_required", "not_found"],
        }),
      },
    );
