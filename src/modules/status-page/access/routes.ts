import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { notFound } from "../../../core/errors";
import { isHttps } from "../../../lib/host";
import { describe, ok, text } from "../../../server/answers";
import { idParam } from "../../../server/schema";
import { requireSession, signedIn } from "../../accounts/guard";
import { canonicalSlug, slugQuery } from "../model";
import { pathOf } from "../pages/address";
import { enterBySession } from "./enter";
import { readGated } from "./gate";
import { createKey, revokeKey } from "./settings";

const success = true as const;

/** The call that gives the browser of a member access to a page for members. */
export const pageSessionRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/status/session", tags: ["Status page"] })
    .use(signedIn(deps))
    .derive(requireSession)
    .post(
      "/",
      async ({ user, sessionId, query, request, set }) => {
        const page = await readGated(deps, query.page);
        if (!page) throw notFound("Status page");
        const slug = query.page === undefined ? undefined : (canonicalSlug(query.page) ?? undefined);
        set.headers["set-cookie"] = enterBySession(deps, page, {
          ...{ user, sessionId, path: deps.config.basePath.slice(0, -1) + pathOf(slug) },
          isSecure: isHttps(request, deps.config.publicUrl),
        });
        return { success };
      },
      {
        query: slugQuery,
        detail: describe({
          id: "openStatusPage",
          summary: "Get access to a status page for members",
          description: "Sets a cookie for the address of the page, which is valid as long as the session.",
          access: "session",
          answer: { description: "The cookie is set.", schema: ok() },
          refusals: ["not_found"],
        }),
      },
    );

/** The calls about the key of a private page. */
export const pageKeyRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/pages", tags: ["Status page"] })
    .use(signedIn(deps))
    .guard({ params: idParam("The page's id.") })
    .post("/:id/key", async ({ user, params }) => ({ success, key: await createKey(deps, user, params.id) }), {
      detail: describe({
        id: "createPageKey",
        summary: "Create the key of a private status page",
        description:
          "For programs that read it: `?key=` at its data, feeds, calendar and badges. It replaces the previous key.",
        access: "user",
        answer: {
          description: "The key, which is not shown again.",
          schema: ok({ key: text("The key.", "page_6v…") }),
        },
      }),
    })
    .delete("/:id/key", ({ user, params }) => revokeKey(deps, user, params.id).then(() => ({ success })), {
      detail: describe({
        id: "revokePageKey",
        summary: "Revoke the key of a private status page",
        description: "Visitors with its password, and members of its team, keep their access.",
        access: "user",
        answer: { description: "Addresses with the key are refused.", schema: ok() },
      }),
    });
