import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { isoTime } from "../../../lib/time";
import { describe, id, integer, list, ok, text, time } from "../../../server/answers";
import { idParam } from "../../../server/schema";
import { signedIn } from "../../accounts/guard";
import { offeredDownloads } from "../install/downloads";
import { tokenModel } from "./model";
import { EnrollmentToken, generateToken, listTokens, parseExpiry, revokeToken } from "./tokens";

const success = true as const;
const downloads = list(text("A file name.", "wakeful-linux-amd64"), "The agent programs under /downloads/, by name.");

const messageOf = (uses: number, until: string): string =>
  `This token is shown only now. ${uses === 1 ? "One machine" : `${uses} machines`} can enroll with it until ${until}.`;

/** The enrollment tokens of a team. */
export const tokenRoutes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .post(
      "/token/generate",
      async ({ user, body }) => {
        const { uses = 1, expires_at } = body ?? {};
        const { id, token, expiresAt } = await generateToken(deps, user, {
          uses,
          expiresAt: parseExpiry(deps, expires_at),
        });
        const until = isoTime(expiresAt);
        // Adding a machine requires the program, so its downloads are named.
        const downloads = offeredDownloads(deps.config);
        return { success, message: messageOf(uses, until), id, token, uses, expires_at: until, downloads };
      },
      {
        body: tokenModel,
        detail: describe({
          id: "generateToken",
          summary: "Create an enrollment token",
          description:
            "One machine can enroll with it within 24 hours, or as many as you choose until a time. It is shown only now.",
          access: "user",
          answer: {
            description: "The token was created.",
            schema: ok({
              message: text("A confirmation.", messageOf(50, "2026-01-16T12:20:00.000Z")),
              id: id("The token's id, to revoke it.", 3),
              token: text("The enrollment token.", "wkt_…"),
              uses: integer("How many machines may enroll with it.", 50),
              expires_at: time("When it expires.", "2026-01-16T12:20:00.000Z"),
              downloads,
            }),
          },
          refusals: ["quota_reached"],
        }),
      },
    )
    .get(
      "/tokens",
      async ({ user }) => ({
        success,
        tokens: await listTokens(deps, user.teamId),
        downloads: offeredDownloads(deps.config),
      }),
      {
        detail: describe({
          id: "listTokens",
          summary: "List enrollment tokens",
          description:
            "Your own that have not expired, newest first, with the servers that enrolled with each; at most 1,000. The tokens themselves are not stored.",
          access: "user",
          answer: { description: "The tokens.", schema: ok({ tokens: list(EnrollmentToken), downloads }) },
        }),
      },
    )
    .delete(
      "/tokens/:id",
      async ({ user, params }) => {
        await revokeToken(deps, user, params.id);
        return { success };
      },
      {
        params: idParam("The token's id."),
        detail: describe({
          id: "revokeToken",
          summary: "Revoke an enrollment token",
          description: "No machine can enroll with it any more. Servers that already did are kept.",
          access: "user",
          answer: { description: "The token was revoked.", schema: ok() },
        }),
      },
    );
