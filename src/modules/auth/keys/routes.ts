import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { idParams } from "../../../server/schema";
import { requireSession, signedIn } from "../guard";
import { recordUserAction } from "../security-log";
import { keyModel } from "./model";
import { createKey, deleteKey, listKeys } from "./service";

const success = true as const;

/** A user's own API keys. A key manages none: whoever finds one could keep the door open with another. */
export const keyRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/keys" })
    .use(signedIn(deps))
    .derive(requireSession)
    .get("/", async ({ user }) => ({ success, keys: await listKeys(deps, user.id) }))
    .post(
      "/",
      async ({ user, body, status, request, server }) => {
        const made = await createKey(deps, user.id, body);
        await recordUserAction(
          deps,
          { user, request, server },
          "key_created",
          `${made.data.name} (${made.data.scope})`,
        );
        return status(201, { success, ...made });
      },
      { body: keyModel },
    )
    .delete(
      "/:id",
      async ({ user, params, request, server }) => {
        const name = await deleteKey(deps, user.id, params.id);
        await recordUserAction(deps, { user, request, server }, "key_deleted", name);
        return { success };
      },
      { params: idParams },
    );
