import { Elysia, t } from "elysia";
import type { Deps } from "../../core/deps";
import { describe, linksField, ok } from "../../server/answers";
import { field, idParam } from "../../server/schema";
import { requireSession, signedIn } from "../accounts/guard";
import { moveChannel, moveMonitor, moveServer, type ReadPage } from "./service";

const success = true as const;

const moveModel = t.Object({
  team: field(t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), "The id of the new team.", 2),
  drop: t.Optional(
    field(
      t.Boolean({ error: "expected true or false" }),
      "Whether it is moved although links with things of its present team end. Without it, they are answered with links_would_end.",
      true,
    ),
  ),
});

const answer = { description: "It was moved, and these links have ended.", schema: ok({ dropped: linksField }) };
const refusals = ["role_insufficient", "links_would_end", "quota_reached"] as const;

/** Moves monitors and servers between teams. */
const targets = (deps: Deps, readPage: ReadPage) => {
  const moving = { ...deps, readPage };
  return new Elysia()
    .use(signedIn(deps))
    .post(
      "/monitors/:id/move",
      async ({ user, params, body }) => ({
        success,
        dropped: await moveMonitor(moving, user, params.id, body),
      }),
      {
        params: idParam("The monitor's id."),
        body: moveModel,
        detail: describe({
          id: "moveMonitor",
          summary: "Move a monitor to another team",
          description:
            "With its history, for editors of both teams. Its tags, dependencies, and channels and policy of its own do not move; you count as its maker from then on.",
          access: "user",
          answer,
          refusals,
        }),
      },
    )
    .post(
      "/agents/:id/move",
      async ({ user, params, body }) => ({ success, dropped: await moveServer(moving, user, params.id, body) }),
      {
        params: idParam("The server's id."),
        body: moveModel,
        detail: describe({
          id: "moveServer",
          summary: "Move a server to another team",
          description:
            "With its history, as a monitor. Its agent goes on reporting; a machine that is registered again becomes a new server.",
          access: "user",
          answer,
          refusals,
        }),
      },
    );
};

/** Moves channels between teams. */
const channels = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .derive(requireSession)
    .post(
      "/channels/:id/move",
      async ({ user, params, body }) => ({ success, dropped: await moveChannel(deps, user, params.id, body) }),
      {
        params: idParam("The channel's id."),
        body: moveModel,
        detail: describe({
          id: "moveChannel",
          summary: "Move a channel to another team",
          description:
            "With its templates, for editors of both teams. Rules and policies of its present team skip it from then on, as a deleted one.",
          access: "session",
          answer,
          refusals,
        }),
      },
    );

export const moveRoutes = (deps: Deps, readPage: ReadPage) =>
  new Elysia({ prefix: "/api", tags: ["Teams"] }).use(targets(deps, readPage)).use(channels(deps));
