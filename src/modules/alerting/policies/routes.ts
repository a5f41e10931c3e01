import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, id, integer, list, object, ok } from "../../../server/answers";
import { idParam } from "../../../server/schema";
import { signedIn } from "../../accounts/guard";
import { policyModel } from "./model";
import { createPolicy, deletePolicy, listPolicies, Policy, updatePolicy } from "./service";

const success = true as const;

/** The calls that read, save and delete the caller's own alert policies. */
export const policyRoutes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .get("/policies", async ({ user }) => ({ success, policies: await listPolicies(deps, user) }), {
      detail: describe({
        id: "listPolicies",
        summary: "List alert policies",
        description: "Your own. A policy says who is notified when, how often again, and at which hours not.",
        access: "user",
        answer: { description: "The policies.", schema: ok({ policies: list(Policy) }) },
      }),
    })
    .post(
      "/policies",
      async ({ user, body, status }) => status(201, { success, data: { id: await createPolicy(deps, user, body) } }),
      {
        body: policyModel,
        detail: describe({
          id: "createPolicy",
          summary: "Create an alert policy",
          description: "It takes effect once notification settings name it as their `policy_id`.",
          access: "user",
          answer: {
            status: 201,
            description: "The policy was created.",
            schema: ok({ data: object({ id: id("The policy's id.", 4) }) }),
          },
          refusals: ["conflict"],
        }),
      },
    )
    .guard({ params: idParam("The policy's id.") })
    .put(
      "/policies/:id",
      async ({ user, params, body }) => {
        await updatePolicy(deps, user, params.id, body);
        return { success };
      },
      {
        body: policyModel,
        detail: describe({
          id: "updatePolicy",
          summary: "Update an alert policy",
          description: "Outages that are open go on with the steps that are not sent yet.",
          access: "user",
          answer: { description: "The policy was updated.", schema: ok() },
          refusals: ["rule_changed"],
        }),
      },
    )
    .delete(
      "/policies/:id",
      async ({ user, params }) => ({ success, used_by: await deletePolicy(deps, user, params.id) }),
      {
        detail: describe({
          id: "deletePolicy",
          summary: "Delete an alert policy",
          description: "Notification settings that use it go back to their channels.",
          access: "user",
          answer: {
            description: "The policy was deleted.",
            schema: ok({ used_by: integer("How many notification settings used it.", 2) }),
          },
        }),
      },
    );
