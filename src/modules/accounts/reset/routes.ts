import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, ok, text } from "../../../server/answers";
import { clientAddress } from "../client-address";
import { forgotModel, resetModel } from "../model";
import { recordSecurityEvent } from "../security-log";
import { requestReset, resetPassword } from "./service";

/** Sets a forgotten password by a link that is sent by mail. */
export const resetRoutes = (deps: Deps) =>
  new Elysia()
    .post(
      "/forgot",
      async ({ body, request, server }) => {
        await requestReset(deps, body.email, clientAddress(deps, request, server));
        return { success: true as const, message: "If an account has this address, a link is on its way." };
      },
      {
        body: forgotModel,
        detail: describe({
          id: "forgotPassword",
          summary: "Request a link to set a new password",
          description:
            "Mails a link to the account with this address. The answer is the same where there is none. Needs SMTP_URL and PUBLIC_URL.",
          access: "public",
          answer: {
            description: "The request was taken.",
            schema: ok({
              message: text("A confirmation.", "If an account has this address, a link is on its way."),
            }),
          },
          refusals: ["mail_not_set_up", "rate_limited"],
        }),
      },
    )
    .post(
      "/reset",
      async ({ body, request, server }) => {
        const address = clientAddress(deps, request, server);
        const user = await resetPassword(deps, body, address);
        const { id: userId, username } = user;
        await recordSecurityEvent(deps, { kind: "password_reset", userId, username, address, detail: username });
        return { success: true as const, message: "The password is changed. All sessions have ended." };
      },
      {
        body: resetModel,
        detail: describe({
          id: "resetPassword",
          summary: "Set a new password by a link",
          description: "The link works once, within 30 minutes. All sessions of the user end.",
          access: "public",
          answer: {
            description: "The password was changed.",
            schema: ok({ message: text("A confirmation.", "The password is changed. All sessions have ended.") }),
          },
          refusals: ["reset_link_invalid", "weak_password", "rate_limited"],
        }),
      },
    );
