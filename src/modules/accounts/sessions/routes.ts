import { Elysia, t } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, integer, list, ok } from "../../../server/answers";
import { field, textParam } from "../../../server/schema";
import { requireProof, requireSession, signedIn } from "../guard";
import { recordUserAction } from "../security-log";
import { endSession, endSessionsOf, ListedSession, listSessions } from "./service";

const success = true as const;
const endQuery = t.Object({
  all: t.Optional(field(t.String({ maxLength: 1 }), "`1` to end the session of this request as well.")),
});
const sessionParams = t.Object({ id: textParam("The session's id.", "2v5oVNGTCWlOM5y8TnX0Jw") });

const reading = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .derive(requireSession)
    .post(
      "/logout",
      async ({ user, sessionId, request, server }) => {
        await endSession(deps, user.id, sessionId);
        await recordUserAction(deps, { user, request, server }, "signed_out");
        return { success };
      },
      {
        detail: describe({
          id: "logout",
          summary: "Sign out",
          description: "Ends the session of this request. Its token is refused from now on.",
          access: "session",
          answer: { description: "The session has ended.", schema: ok() },
        }),
      },
    )
    .get(
      "/sessions",
      async ({ user, sessionId }) => ({ success, sessions: await listSessions(deps, user.id, sessionId) }),
      {
        detail: describe({
          id: "listSessions",
          summary: "List sessions",
          description: "Your own, the last used first. A user has at most 50: the oldest ends when another one starts.",
          access: "session",
          answer: { description: "The sessions.", schema: ok({ sessions: list(ListedSession) }) },
        }),
      },
    );

const ending = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .derive(requireSession)
    .derive(requireProof(deps))
    .delete(
      "/sessions",
      async ({ user, sessionId, query, request, server }) => {
        const ended = await endSessionsOf(deps.db, user.id, query.all === "1" ? undefined : sessionId);
        if (ended.length > 0)
          await recordUserAction(deps, { user, request, server }, "sessions_ended", String(ended.length));
        return { success, ended: ended.length };
      },
      {
        query: endQuery,
        detail: describe({
          id: "endSessions",
          summary: "End all other sessions",
          description: "Their tokens are refused from now on. API keys stay valid.",
          access: "session",
          answer: {
            description: "The sessions have ended.",
            schema: ok({ ended: integer("How many sessions ended.", 2) }),
          },
          refusals: ["proof_required"],
        }),
      },
    )
    .delete(
      "/sessions/:id",
      async ({ user, params, request, server }) => {
        await endSession(deps, user.id, params.id);
        await recordUserAction(deps, { user, request, server }, "sessions_ended", "1");
        return { success };
      },
      {
        params: sessionParams,
        detail: describe({
          id: "endSession",
          summary: "End a session",
          description: "One of your own sessions, this one or another.",
          access: "session",
          answer: { description: "The session has ended.", schema: ok() },
          refusals: ["proof_required"],
        }),
      },
    );

/** A user's own sessions. An API key neither lists nor ends them. */
export const sessionRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/auth", tags: ["Accounts"] }).use(reading(deps)).use(ending(deps));
