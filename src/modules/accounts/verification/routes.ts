import { Elysia, t } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, ok } from "../../../server/answers";
import { field } from "../../../server/schema";
import { clientAddress } from "../client-address";
import { requireSession, signedIn } from "../guard";
import { recordSecurityEvent } from "../security-log";
import { sendVerification, verifyEmail } from "./service";

const success = true as const;
const tokenModel = t.Object({
  token: field(t.String({ maxLength: 200 }), "What follows `#` in the link.", "1.1767225600000.…"),
});

/** Verifies an e-mail address by a link that is sent to it. */
export const verificationRoutes = (deps: Deps) =>
  new Elysia().post(
    "/verify-email",
    async ({ body, request, server }) => {
      const address = clientAddress(deps, request, server);
      const { id: userId, username, email, emailVerifiedAt } = await verifyEmail(deps, body.token, address);
      if (emailVerifiedAt === null)
        await recordSecurityEvent(deps, { kind: "email_verified", userId, username, address, detail: email ?? "" });
      return { success };
    },
    {
      body: tokenModel,
      detail: describe({
        id: "verifyEmail",
        summary: "Verify an email address by a link",
        description: "The link works for a day, while the account has the address that it was sent to.",
        access: "public",
        answer: { description: "The address is verified.", schema: ok() },
        refusals: ["reset_link_invalid", "rate_limited"],
      }),
    },
  );

/** Mails the link to the signed-in user. */
export const verificationMailRoutes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .derive(requireSession)
    .post(
      "/verify-email/send",
      async ({ user }) => {
        await sendVerification(deps, user);
        return { success };
      },
      {
        detail: describe({
          id: "sendEmailVerification",
          summary: "Request a link to verify your email address",
          description:
            "Mails a link to the address of your account, at most three times an hour; none to an address that is verified. Needs SMTP_URL and PUBLIC_URL.",
          access: "session",
          answer: { description: "The mail is on its way, unless the address is verified.", schema: ok() },
          refusals: ["mail_not_set_up", "no_email", "rate_limited"],
        }),
      },
    );
