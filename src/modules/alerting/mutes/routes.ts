import { Elysia, t } from "elysia";
import type { Deps } from "../../../core/deps";
import type { Owner, Viewer } from "../../../db/owner";
import { describe, ok } from "../../../server/answers";
import { field, type idParam, whole } from "../../../server/schema";
import type { TargetType } from "../../../shared/notifications";
import { signedIn } from "../../accounts/guard";
import { MAX_DAYS, mutedField, muteTarget, unmuteTarget } from "./service";

const success = true as const;

const muteModel = t.Object(
  {
    until: t.Optional(
      field(
        t.Union(
          [
            t.String({
              pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})$",
              maxLength: 40,
            }),
            t.Null(),
          ],
          { error: "expected a time in ISO 8601 with its time zone" },
        ),
        `When it ends: a time in ISO 8601, at most ${MAX_DAYS} days from now. Without one the mute has no fixed end.`,
      ),
    ),
    minutes: t.Optional(
      field(
        whole(1, MAX_DAYS * 1440, " minutes"),
        "The minutes from now until it ends, for callers whose clock may be wrong.",
      ),
    ),
    until_recovery: t.Optional(
      field(t.Boolean({ error: "expected true or false" }), "Whether it ends when the target recovers.", true),
    ),
  },
  { mayBeMissing: true },
);

const TEXTS: Record<TargetType, { noun: string; mute: string; unmute: string }> = {
  monitor: { noun: "monitor", mute: "muteMonitor", unmute: "unmuteMonitor" },
  agent: { noun: "server", mute: "muteAgent", unmute: "unmuteAgent" },
};

/**
 * The calls that mute a target and end its mute. `ownerOf` gives the owner of a target that the viewer may change, and
 * throws not_found for others.
 */
export const muteRoutes = (
  deps: Deps,
  type: TargetType,
  params: ReturnType<typeof idParam>,
  ownerOf: (viewer: Viewer, id: number) => Promise<Owner>,
) => {
  const { noun, mute, unmute } = TEXTS[type];
  return new Elysia()
    .use(signedIn(deps))
    .guard({ params })
    .post(
      "/:id/mute",
      async ({ user, params: { id }, body }) => {
        const owner = await ownerOf(user, id);
        return { success, muted: await muteTarget(deps, user, { type, id, owner }, body) };
      },
      {
        body: muteModel,
        detail: describe({
          id: mute,
          summary: `Mute a ${noun}`,
          description: `Events of the ${noun} are recorded and not sent: until a time, until it recovers, whichever comes first, or until the mute is ended by a call. The recovery that ends a mute is sent. When a mute ends otherwise, an alert is sent if the ${noun} is in another state than before the mute.`,
          access: "user",
          answer: { description: `The ${noun} is muted.`, schema: ok({ muted: mutedField }) },
        }),
      },
    )
    .delete(
      "/:id/mute",
      async ({ user, params: { id } }) => {
        const owner = await ownerOf(user, id);
        await unmuteTarget(deps, user, { type, id, owner });
        return { success };
      },
      {
        detail: describe({
          id: unmute,
          summary: `Unmute a ${noun}`,
          description: `An alert is sent if the ${noun} is in another state than before the mute, and its next events are sent again.`,
          access: "user",
          answer: { description: `The ${noun} is not muted.`, schema: ok() },
        }),
      },
    );
};
