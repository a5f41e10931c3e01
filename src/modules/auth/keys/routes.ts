import { Elysia } from "elysia";
import type { Deps } from "../../../deps";
import { idParams } from "../../../wire";
import { refuseKeys, signedIn } from "../guard";
import { keyModel } from "./model";
import { createKey, deleteKey, listKeys } from "./service";

const success = true as const;

/** A user's own API keys. A key manages none: whoever finds one could keep the door open with another. */
export const keyRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/keys" })
    .use(signedIn(deps))
    .derive(refuseKeys)
    .get("/", async ({ user }) => ({ success, keys: await listKeys(deps, user.id) }))
    .post("/", async ({ user, body, status }) => status(201, { success, ...(await createKey(deps, user.id, body)) }), {
      body: keyModel,
    })
    .delete(
      "/:id",
      async ({ user, params }) => {
        await deleteKey(deps, user.id, params.id);
        return { success };
      },
      { params: idParams },
    );
