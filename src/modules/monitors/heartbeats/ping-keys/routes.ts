import { Elysia, t } from "elysia";
import type { Deps } from "../../../../core/deps";
import { describe, list, ok } from "../../../../server/answers";
import { field, idParam } from "../../../../server/schema";
import { requireEditor, signedIn } from "../../../accounts/guard";
import { pingKeyField } from "./model";
import { createPingKey, deletePingKey, listPingKeys, PingKey } from "./service";

const success = true as const;

const pingKeyModel = t.Object({
  key: t.Optional(
    field(
      pingKeyField,
      "The ping key of a project of healthchecks, so that its ping URLs go on with another host; a random one by default.",
      "Jx0Kq2mWv8sT1aBcD4eF5g",
    ),
  ),
});

/** The ping keys of a team. Like ping URLs, they are hidden from callers who may only read. */
export const pingKeyRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/ping-keys", tags: ["Heartbeats"] })
    .use(signedIn(deps))
    .derive(requireEditor)
    .get("/", async ({ user }) => ({ success, keys: await listPingKeys(deps, user.teamId) }), {
      detail: describe({
        id: "listPingKeys",
        summary: "List ping keys",
        description: "Those of the team, oldest first.",
        access: "user",
        answer: { description: "The keys.", schema: ok({ keys: list(PingKey) }) },
        refusals: ["read_only_key"],
      }),
    })
    .post(
      "/",
      async ({ user, body, status }) => {
        const key = await createPingKey(deps, user, body.key);
        return status(201, { success, key });
      },
      {
        body: pingKeyModel,
        detail: describe({
          id: "createPingKey",
          summary: "Create a ping key",
          description:
            "With a ping key, `/ping/KEY/SLUG` reaches the heartbeat of the team with this slug, and `?create=1` creates it. A key that the team has stays as it is.",
          access: "user",
          answer: { status: 201, description: "The key exists.", schema: ok({ key: PingKey }) },
          refusals: ["ping_key_taken", "too_many_ping_keys"],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ user, params }) => {
        await deletePingKey(deps, user, params.id);
        return { success };
      },
      {
        params: idParam("The key's id."),
        detail: describe({
          id: "deletePingKey",
          summary: "Revoke a ping key",
          description: "Pings with it are answered 404 from now on. The heartbeats stay.",
          access: "user",
          answer: { description: "The key was revoked.", schema: ok() },
        }),
      },
    );
