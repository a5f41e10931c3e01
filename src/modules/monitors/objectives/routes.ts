import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, list, nullable, ok } from "../../../server/answers";
import { idParam } from "../../../server/schema";
import { MAX_OBJECTIVES } from "../../../shared/outages/objectives";
import { signedIn } from "../../accounts/guard";
import { Budget, Objective, objectiveModel } from "./model";
import {
  listObjectives,
  readBudget,
  removeObjective,
  removeTagObjective,
  setObjective,
  setTagObjective,
} from "./service";

const success = true as const;
const all = ok({ objectives: list(Objective) });

/** The calls about uptime objectives of monitors and of tags. */
export const objectiveRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api", tags: ["Monitors"] })
    .use(signedIn(deps))
    .get("/objectives", async ({ user }) => ({ success, objectives: await listObjectives(deps, user) }), {
      detail: describe({
        id: "listObjectives",
        summary: "List uptime objectives",
        description: `Your own, of monitors and of tags; at most ${MAX_OBJECTIVES}. The objective of a monitor takes precedence over the objectives of its tags; of several tags, the highest objective applies.`,
        access: "user",
        answer: { description: "The objectives.", schema: all },
      }),
    })
    .use(monitorCalls(deps))
    .use(tagCalls(deps));

const monitorCalls = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .guard({ params: idParam("The monitor's id.") })
    .get(
      "/monitors/:id/objective",
      async ({ user, params }) => ({ success, objective: await readBudget(deps, user, params.id) }),
      {
        detail: describe({
          id: "getObjective",
          summary: "Get a monitor's uptime objective",
          description: "With its error budget: the downtime that it allows, and how fast that is used.",
          access: "user",
          answer: {
            description: "The objective that counts for the monitor; null without one.",
            schema: ok({ objective: nullable(Budget) }),
          },
        }),
      },
    )
    .put(
      "/monitors/:id/objective",
      async ({ user, params, body }) => {
        await setObjective(deps, user, params.id, body);
        return { success, objective: await readBudget(deps, user, params.id) };
      },
      {
        body: objectiveModel,
        detail: describe({
          id: "setObjective",
          summary: "Set a monitor's uptime objective",
          description: "It replaces the one before, and counts before those of the monitor's tags.",
          access: "user",
          answer: { description: "The objective was set.", schema: ok({ objective: nullable(Budget) }) },
          refusals: ["too_many_objectives"],
        }),
      },
    )
    .delete(
      "/monitors/:id/objective",
      async ({ user, params }) => {
        await removeObjective(deps, user, params.id);
        return { success };
      },
      {
        detail: describe({
          id: "removeObjective",
          summary: "Remove a monitor's uptime objective",
          description: "From then on those of its tags count.",
          access: "user",
          answer: { description: "The monitor has no objective of its own.", schema: ok() },
        }),
      },
    );

const tagCalls = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .guard({ params: idParam("The tag's id.") })
    .put(
      "/tags/:id/objective",
      async ({ user, params, body }) => {
        await setTagObjective(deps, user, params.id, body);
        return { success, objectives: await listObjectives(deps, user) };
      },
      {
        body: objectiveModel,
        detail: describe({
          id: "setTagObjective",
          summary: "Set the uptime objective of a tag",
          description: "Each monitor with the tag has it, unless it has one of its own.",
          access: "user",
          answer: { description: "All objectives after the change.", schema: all },
          refusals: ["too_many_objectives"],
        }),
      },
    )
    .delete(
      "/tags/:id/objective",
      async ({ user, params }) => {
        await removeTagObjective(deps, user, params.id);
        return { success };
      },
      {
        detail: describe({
          id: "removeTagObjective",
          summary: "Remove the uptime objective of a tag",
          description: "Monitors with objectives of their own keep them.",
          access: "user",
          answer: { description: "The tag has no objective.", schema: ok() },
        }),
      },
    );
