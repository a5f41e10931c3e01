import { Elysia, t } from "elysia";
import type { Deps } from "../../../core/deps";
import type { Owner, Viewer } from "../../../db/owner";
import { describe, ok } from "../../../server/answers";
import { field, type idParam, oneOf, whole } from "../../../server/schema";
import { MAX_PARENTS, TARGET_TYPES, type TargetType } from "../../../shared/notifications";
import { signedIn } from "../../accounts/guard";
import { readDependencies, related, saveDependencies } from "./service";

const success = true as const;

const parentModel = t.Object({
  type: field(oneOf(TARGET_TYPES), "What it is; an agent is a server.", "monitor"),
  id: field(whole(1, Number.MAX_SAFE_INTEGER), "Its id.", 4),
});

/** The parents of a target, as they are sent. */
export const parentsModel = t.Array(parentModel, {
  maxItems: MAX_PARENTS,
  error: `expected a list of at most ${MAX_PARENTS}`,
});

const dependenciesModel = t.Object({
  parents: field(
    parentsModel,
    "What it depends on: monitors and servers of the same owner. An empty list removes all.",
    [],
  ),
});

const TEXTS: Record<TargetType, { noun: string; get: string; save: string }> = {
  monitor: { noun: "monitor", get: "getMonitorDependencies", save: "saveMonitorDependencies" },
  agent: { noun: "server", get: "getAgentDependencies", save: "saveAgentDependencies" },
};

/**
 * The calls that read and replace what a target depends on. `ownerOf` gives the owner of a target that the viewer may
 * change, and throws not_found for others.
 */
export const dependencyRoutes = (
  deps: Deps,
  type: TargetType,
  params: ReturnType<typeof idParam>,
  ownerOf: (viewer: Viewer, id: number) => Promise<Owner>,
) => {
  const { noun, get, save } = TEXTS[type];
  return new Elysia()
    .use(signedIn(deps))
    .guard({ params })
    .get(
      "/:id/dependencies",
      async ({ user, params: { id } }) => {
        await ownerOf(user, id);
        return { success, ...(await readDependencies(deps, { type, id })) };
      },
      {
        detail: describe({
          id: get,
          summary: `Get what a ${noun} depends on`,
          description: `While one of these is down, no alert of the ${noun} itself is sent.`,
          access: "user",
          answer: { description: `What the ${noun} depends on, and what depends on it.`, schema: ok(related) },
        }),
      },
    )
    .put(
      "/:id/dependencies",
      async ({ user, params: { id }, body }) => {
        const owner = await ownerOf(user, id);
        await saveDependencies(deps, { type, id, owner }, body.parents, user);
        return { success, ...(await readDependencies(deps, { type, id })) };
      },
      {
        body: dependenciesModel,
        detail: describe({
          id: save,
          summary: `Set what a ${noun} depends on`,
          description: `Replaces the list. While one of these is down, or one that they depend on, an outage of the ${noun} is explained by it: the ${noun} is named in the alert of the other one, and none of its own is sent. When the other one is up again and the ${noun} is not, its own alert is sent.`,
          access: "user",
          answer: { description: "The list was replaced.", schema: ok(related) },
          refusals: ["dependency_cycle", "conflict"],
        }),
      },
    );
};
