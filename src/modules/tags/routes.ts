import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { describe, list, ok } from "../../server/answers";
import { idParam } from "../../server/schema";
import { signedIn } from "../accounts/guard";
import { tagModel } from "./model";
import { deleteTag, listTags, OwnTag, updateTag } from "./service";

const success = true as const;

/** Renames a user's tag where others name it. */
type Rename = (deps: Deps, teamId: number, names: { before: string; after: string }) => Promise<void>;

/** The calls about the caller's own tags. Monitors and servers get them by their own calls. */
export const tagRoutes = (deps: Deps, rename: Rename) =>
  new Elysia({ prefix: "/api/tags", tags: ["Monitors"] })
    .use(signedIn(deps))
    .get("/", async ({ user }) => ({ success, tags: await listTags(deps, user.teamId) }), {
      detail: describe({
        id: "listTags",
        summary: "List tags",
        description: "Your own, by name; at most 100. A tag is created when a monitor or server first gets it.",
        access: "user",
        answer: { description: "The tags.", schema: ok({ tags: list(OwnTag) }) },
      }),
    })
    .guard({ params: idParam("The tag's id.") })
    .put(
      "/:id",
      async ({ user, params, body }) => {
        await rename(deps, user.teamId, await updateTag(deps, user, params.id, body));
        return { success, tags: await listTags(deps, user.teamId) };
      },
      {
        body: tagModel,
        detail: describe({
          id: "updateTag",
          summary: "Rename or recolour a tag",
          description: "Everything that has the tag has it under its new name. Fields that are left out stay.",
          access: "user",
          answer: { description: "All tags after the change.", schema: ok({ tags: list(OwnTag) }) },
          refusals: ["tag_exists"],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ user, params }) => {
        await deleteTag(deps, user, params.id);
        return { success };
      },
      {
        detail: describe({
          id: "deleteTag",
          summary: "Delete a tag",
          description: "Monitors and servers that have it stay, without the tag.",
          access: "user",
          answer: { description: "The tag was deleted.", schema: ok() },
        }),
      },
    );
