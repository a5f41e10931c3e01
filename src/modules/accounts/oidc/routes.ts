import { Elysia, t } from "elysia";
import { assertNotRefused, claimAttempt, limitKey, networkLimits } from "../../../cluster/rate-limit";
import type { Deps } from "../../../core/deps";
import { AppError, notFound } from "../../../core/errors";
import { describe, nullable, ok, text } from "../../../server/answers";
import { field } from "../../../server/schema";
import { clientAddress, networksOf, type PeerSource } from "../client-address";
import { requireSession, signedIn, tokenSigner } from "../guard";
import { signedInModel } from "../model";
import { assertProved } from "../proof/service";
import { recordSecurityEvent, recordUserAction } from "../security-log";
import { completeSignIn } from "../sign-in/complete";
import { SignedInElsewhere } from "../sign-in/routes";
import { accountOf, Identity, linkIdentity, readIdentity, removeIdentities } from "./identities";
import type { Issuer } from "./issuer";
import { beginSignIn, endSignIn, proofsOf } from "./proofs";

const success = true as const;

const Begun = ok({
  url: text("The address at the issuer.", "https://auth.example.com/authorize?client_id=wakeful"),
  ticket: text(
    "Proves to the callback that the same browser began the sign-in, within 10 minutes.",
    "0.1767225600000.…",
  ),
});

const returnedModel = t.Object({
  ticket: field(t.String({ maxLength: 200 }), "The ticket of the start.", "0.1767225600000.…"),
  query: field(
    t.String({ maxLength: 8192 }),
    "The query of the address that the issuer led back to, without the question mark.",
    "code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj",
  ),
});

/** @throws {AppError} not_found where no issuer is set up */
const assertSetUp = ({ config }: Deps): void => {
  if (!config.oidc.issuer) throw notFound("An issuer");
};

/** Counts sign-ins that begin on a network. @throws {AppError} rate_limited */
const claimStart = async (deps: Deps, request: Request, server: PeerSource): Promise<void> => {
  const { all } = networksOf(clientAddress(deps, request, server));
  const limits = networkLimits(all, 200, (network) => limitKey("oidc", network));
  assertNotRefused(deps, limits);
  await claimAttempt(deps, limits);
};

const begin = async (deps: Deps, issuer: Issuer, userId: number) => {
  const ticket = beginSignIn(deps, userId);
  return { success, url: await issuer.authorizationUrl(proofsOf(deps, ticket)), ticket };
};

/** Signs in at the issuer of OIDC_ISSUER. */
export const oidcRoutes = (deps: Deps, issuer: Issuer) =>
  new Elysia({ prefix: "/oidc" })
    .use(tokenSigner(deps))
    .onBeforeHandle(() => assertSetUp(deps))
    .post(
      "/start",
      async ({ request, server }) => {
        await claimStart(deps, request, server);
        return begin(deps, issuer, 0);
      },
      {
        detail: describe({
          id: "startOidc",
          summary: "Begin a sign-in at the issuer",
          description:
            "Answers where the browser continues. The issuer leads it back to /login/oidc with a query, which the callback takes together with the ticket.",
          access: "public",
          answer: { description: "The sign-in has begun.", schema: Begun },
          refusals: ["not_found", "oidc_unreachable", "rate_limited"],
        }),
      },
    )
    .post(
      "/callback",
      async ({ body, session, request, server }) => {
        const address = clientAddress(deps, request, server);
        if ((await endSignIn(deps, body.ticket)) !== 0) throw new AppError("oidc_expired");
        const detail = deps.config.oidc.name;
        const failed = async (error: unknown): Promise<never> => {
          await recordSecurityEvent(deps, { kind: "sign_in_failed", username: "", address, detail });
          throw error;
        };
        const { user: person, signOutUrl } = await issuer
          .complete(body.query, proofsOf(deps, body.ticket))
          .catch(failed);
        const user = await accountOf(deps, person, address);
        const context = { request, address, sign: session.sign };
        return {
          ...(await completeSignIn(deps, context, user, { ...body, by: detail })),
          ...(signOutUrl && { sign_out_url: signOutUrl }),
        };
      },
      {
        body: t.Composite([returnedModel, signedInModel]),
        detail: describe({
          id: "finishOidc",
          summary: "Finish a sign-in at the issuer",
          description:
            "Starts a session of the account that is linked to the user of the issuer. It is created with OIDC_AUTO_CREATE. Groups change its role with OIDC_ADMIN_GROUP.",
          access: "public",
          answer: { description: "Signed in.", schema: SignedInElsewhere },
          refusals: [
            "oidc_expired",
            "oidc_failed",
            "oidc_unreachable",
            "no_account",
            "setup_code_required",
            "not_found",
          ],
        }),
      },
    );

/** The issuer's user who signs in to the account of the signed-in user. */
const identity = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .derive(requireSession)
    .get("/identity", async ({ user }) => ({ success, identity: await readIdentity(deps, user.id) }), {
      detail: describe({
        id: "getIdentity",
        summary: "Get the issuer's user who signs in to your account",
        description: "Null where none does.",
        access: "session",
        answer: { description: "The identity.", schema: ok({ identity: nullable(Identity) }) },
      }),
    })
    .delete(
      "/identity",
      async ({ user, request, server }) => {
        if (await removeIdentities(deps, user))
          await recordUserAction(deps, { user, request, server }, "identity_removed");
        return { success };
      },
      {
        detail: describe({
          id: "removeIdentity",
          summary: "Unlink your account from the issuer",
          description: "You sign in with your password from now on, so the account needs one.",
          access: "session",
          answer: { description: "The account is not linked.", schema: ok() },
          refusals: ["password_required"],
        }),
      },
    );

const linking = (deps: Deps, issuer: Issuer) =>
  new Elysia()
    .use(signedIn(deps))
    .derive(requireSession)
    .onBeforeHandle(() => assertSetUp(deps))
    .post(
      "/link/start",
      async ({ user, provedAt, request, server }) => {
        // A stolen session must not be enough to sign in for good.
        assertProved(deps, provedAt);
        await claimStart(deps, request, server);
        return begin(deps, issuer, user.id);
      },
      {
        detail: describe({
          id: "startOidcLink",
          summary: "Begin to link your account to the issuer",
          description:
            "As for a sign-in, but the callback is /api/auth/oidc/link/callback. Needs a proof of the last 10 minutes.",
          access: "session",
          answer: { description: "The browser continues at the issuer.", schema: Begun },
          refusals: ["not_found", "proof_required", "oidc_unreachable", "rate_limited"],
        }),
      },
    )
    .post(
      "/link/callback",
      async ({ user, body, request, server }) => {
        if ((await endSignIn(deps, body.ticket)) !== user.id) throw new AppError("oidc_expired");
        const { user: person } = await issuer.complete(body.query, proofsOf(deps, body.ticket));
        await linkIdentity(deps, user.id, person);
        await recordUserAction(deps, { user, request, server }, "identity_linked", person.username);
        return { success };
      },
      {
        body: returnedModel,
        detail: describe({
          id: "finishOidcLink",
          summary: "Link your account to the issuer",
          description: "From now on the user of the issuer who has just signed in there signs in to your account.",
          access: "session",
          answer: { description: "The account is linked.", schema: ok() },
          refusals: ["oidc_expired", "oidc_failed", "oidc_unreachable", "identity_taken", "not_found"],
        }),
      },
    );

/** Links the account of the signed-in user to a user of the issuer. */
export const identityRoutes = (deps: Deps, issuer: Issuer) =>
  new Elysia({ prefix: "/oidc" }).use(identity(deps)).use(linking(deps, issuer));
