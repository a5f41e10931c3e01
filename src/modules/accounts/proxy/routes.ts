import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { describe } from "../../../server/answers";
import { clientAddress } from "../client-address";
import { tokenSigner } from "../guard";
import { signedInModel } from "../model";
import { recordSecurityEvent } from "../security-log";
import { completeSignIn } from "../sign-in/complete";
import { SignedInElsewhere } from "../sign-in/routes";
import { accountOfHeader, namedUser, statedUser } from "./header";

/** Signs in the user whom a trusted proxy names. */
export const proxyRoutes = (deps: Deps) =>
  new Elysia().use(tokenSigner(deps)).post(
    "/header",
    async ({ body, session, request, server }) => {
      const address = clientAddress(deps, request, server);
      const username = namedUser(deps, request, server);
      if (username === "") {
        const stated = statedUser(deps, request);
        const detail = "AUTH_HEADER from a client that is no trusted proxy";
        if (stated) await recordSecurityEvent(deps, { kind: "sign_in_failed", username: stated, address, detail });
        throw new AppError("proxy_required");
      }
      const user = await accountOfHeader(deps, request, username, address);
      const context = { request, address, sign: session.sign };
      const { signOutUrl } = deps.config.authHeader;
      return {
        ...(await completeSignIn(deps, context, user, { ...body, by: "AUTH_HEADER" })),
        ...(signOutUrl && { sign_out_url: signOutUrl }),
      };
    },
    {
      body: signedInModel,
      detail: describe({
        id: "loginByProxy",
        summary: "Sign in as the user whom the proxy names",
        description:
          "With AUTH_HEADER: starts a session of the user in that header, which counts from TRUSTED_PROXIES only. The account is created at the first sign-in.",
        access: "public",
        answer: { description: "Signed in.", schema: SignedInElsewhere },
        refusals: ["proxy_required", "username_not_allowed", "username_taken"],
      }),
    },
  );
