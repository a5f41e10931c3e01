import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { describe, ok, text } from "../../server/answers";
import { requireAdmin, requireSession, signedIn } from "../accounts/guard";
import { sendTestMail } from "../accounts/mail/send";
import { System } from "./model";
import { readSystem } from "./service";

/** The state of the hub itself, for administrators. `isHealthy` is what GET /health answers by. */
export const systemRoutes = (deps: Deps, isHealthy: () => Promise<boolean>) =>
  new Elysia({ prefix: "/api/system", tags: ["System"] })
    .use(signedIn(deps))
    .derive(requireAdmin)
    .get("/", () => readSystem(deps, isHealthy), {
      detail: describe({
        id: "getSystem",
        summary: "Get the state of the hub",
        description:
          "Its version, database, work, instances and settings, and what may need attention. For administrators. Secrets are only said to be set or not.",
        access: "admin",
        answer: { description: "The state. What is not known is null.", schema: System },
      }),
    });

/** Tries the mail server, for administrators who signed in. */
export const mailRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/system", tags: ["System"] })
    .use(signedIn(deps))
    .derive(requireAdmin)
    .derive(requireSession)
    .post("/mail/test", async ({ user }) => ({ success: true as const, message: await sendTestMail(deps, user) }), {
      detail: describe({
        id: "sendTestMail",
        summary: "Send a test mail",
        description: "To your own address, by the mail server of SMTP_URL.",
        access: "adminSession",
        answer: {
          description: "The mail server accepted it.",
          schema: ok({ message: text("What the mail server said.", "250 queued as 1") }),
        },
        refusals: ["mail_not_set_up", "no_email", "provider_refused"],
      }),
    });
