import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, list, ok } from "../../../server/answers";
import { idParam } from "../../../server/schema";
import { MAX_THRESHOLDS } from "../../../shared/agents/thresholds";
import { signedIn } from "../../accounts/guard";
import { listQuery, Threshold, thresholdModel } from "./model";
import { createThreshold, deleteThreshold, listThresholds, listThresholdsOf, updateThreshold } from "./service";

const success = true as const;
const answer = ok({ threshold: Threshold });

/** The calls about a user's own thresholds of servers. */
export const thresholdRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/thresholds", tags: ["Alerts"] })
    .use(signedIn(deps))
    .get(
      "/",
      async ({ user, query: { agent } }) => ({
        success,
        thresholds: agent === undefined ? await listThresholds(deps, user) : await listThresholdsOf(deps, user, agent),
      }),
      {
        query: listQuery,
        detail: describe({
          id: "listThresholds",
          summary: "List thresholds",
          description: `Your own, besides those of the notification rules; at most ${MAX_THRESHOLDS}. The one for a server counts before those for its tags, and these before the one for all; among equals, one that names its mount point or sensor, and the lowest.`,
          access: "user",
          answer: { description: "The thresholds.", schema: ok({ thresholds: list(Threshold) }) },
          refusals: ["not_found"],
        }),
      },
    )
    .post(
      "/",
      async ({ user, body, status }) => status(201, { success, threshold: await createThreshold(deps, user, body) }),
      {
        body: thresholdModel,
        detail: describe({
          id: "createThreshold",
          summary: "Create a threshold",
          description:
            "For CPU, memory and disks it replaces that of the notification rule. Alerts go where those of the server go.",
          access: "user",
          answer: { status: 201, description: "The threshold was created.", schema: answer },
          refusals: ["not_found", "threshold_exists", "too_many_thresholds"],
        }),
      },
    )
    .guard({ params: idParam("The threshold's id.") })
    .put(
      "/:id",
      async ({ user, params, body }) => ({ success, threshold: await updateThreshold(deps, user, params.id, body) }),
      {
        body: thresholdModel,
        detail: describe({
          id: "updateThreshold",
          summary: "Update a threshold",
          description: "All fields are replaced: one that is left out has its default again.",
          access: "user",
          answer: { description: "The threshold was updated.", schema: answer },
          refusals: ["threshold_exists"],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ user, params }) => {
        await deleteThreshold(deps, user, params.id);
        return { success };
      },
      {
        detail: describe({
          id: "deleteThreshold",
          summary: "Delete a threshold",
          description: "An alert by it ends without a message.",
          access: "user",
          answer: { description: "The threshold was deleted.", schema: ok() },
        }),
      },
    );
