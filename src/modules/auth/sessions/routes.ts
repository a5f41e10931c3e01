import { Elysia, t } from "elysia";
import type { Deps } from "../../../core/deps";
import { requireSession, signedIn } from "../guard";
import { recordUserAction } from "../security-log";
import { endSession, endSessionsOf, listSessions } from "./service";

const success = true as const;

/** A user's own sessions. An API key neither lists nor ends them. */
export const sessionRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/auth" })
    .use(signedIn(deps))
    .derive(requireSession)
    .post("/logout", async ({ user, sessionId, request, server }) => {
      await endSession(deps, user.id, sessionId);
      await recordUserAction(deps, { user, request, server }, "signed_out");
      return { success };
    })
    .get("/sessions", async ({ user, sessionId }) => ({
      success,
      sessions: await listSessions(deps, user.id, sessionId),
    }))
    .delete(
      "/sessions",
      async ({ user, sessionId, query, request, server }) => {
        const ended = await endSessionsOf(deps.db, user.id, query.all === "1" ? undefined : sessionId);
        if (ended.length > 0)
          await recordUserAction(deps, { user, request, server }, "sessions_ended", String(ended.length));
        return { success, ended: ended.length };
      },
      { query: t.Object({ all: t.Optional(t.String({ maxLength: 1 })) }) },
    )
    .delete("/sessions/:id", async ({ user, params, request, server }) => {
      await endSession(deps, user.id, params.id);
      await recordUserAction(deps, { user, request, server }, "sessions_ended", "1");
      return { success };
    });
