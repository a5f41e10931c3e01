import { Elysia, t } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, ok } from "../../../server/answers";
import { field, idParam, whole } from "../../../server/schema";
import { TEAM_LIMITS } from "../../../shared/accounts/teams";
import { signedIn } from "../../accounts/guard";
import { Follows, readFollows, saveFollows } from "./service";

const success = true as const;

const followsModel = t.Object({
  channels: field(
    t.Array(whole(1, Number.MAX_SAFE_INTEGER), { maxItems: TEAM_LIMITS.ownChannels }),
    "The ids of your own channels; none to get no alerts any more.",
    [2],
  ),
});

/** Calls about the own channels of the caller that get the alerts of their teams. */
export const followRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/follows" })
    .use(signedIn(deps))
    .get("/", async ({ user }) => ({ success, data: await readFollows(deps, user) }), {
      detail: describe({
        id: "getFollows",
        summary: "Get which teams your own channels follow",
        description: "Your own channels also get the alerts of these teams.",
        access: "user",
        answer: { description: "Your channels, and the teams.", schema: ok({ data: Follows }) },
      }),
    })
    .put(
      "/:id",
      async ({ user, params, body }) => {
        await saveFollows(deps, user, params.id, body.channels);
        return { success };
      },
      {
        params: idParam("The team's id."),
        body: followsModel,
        detail: describe({
          id: "saveFollows",
          summary: "Send alerts of a team to your own channels",
          description: "Of another team that you are a member of, and as long as you are.",
          access: "user",
          answer: { description: "The choice was saved.", schema: ok() },
        }),
      },
    );
