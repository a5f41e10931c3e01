import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, id, list, nullable, ok, oneOf } from "../../../server/answers";
import type { idParam } from "../../../server/schema";
import type { TargetType } from "../../../shared/notifications";
import { signedIn } from "../../accounts/guard";
import { presentUnsent, unsentFields } from "../history/unsent";
import { DRILL_PROBLEMS, DrillMessage, previewDrill, startDrill } from "./service";

const success = true as const;

const TEXTS: Record<TargetType, { noun: string; preview: string; start: string }> = {
  monitor: { noun: "monitor", preview: "previewMonitorDrill", start: "startMonitorDrill" },
  agent: { noun: "server", preview: "previewAgentDrill", start: "startAgentDrill" },
};

const messages = list(DrillMessage, "The messages in the order in which each channel gets them.");

/** The calls that show and start a drill of a target. */
export const drillRoutes = (deps: Deps, type: TargetType, params: ReturnType<typeof idParam>) => {
  const { noun, preview, start } = TEXTS[type];
  return new Elysia()
    .use(signedIn(deps))
    .guard({ params })
    .get(
      "/:id/drill",
      async ({ user, params: { id } }) => {
        const { reason, ...preview } = await previewDrill(deps, user, { type, id });
        return { success, ...preview, ...presentUnsent(reason) };
      },
      {
        detail: describe({
          id: preview,
          summary: `Get what a drill of a ${noun} sends`,
          description: `Of your own ${noun}s only.`,
          access: "user",
          answer: {
            description: "The messages, by the settings as they are now.",
            schema: ok({
              problem: nullable(oneOf("Why a drill would send nothing; null when it would.", DRILL_PROBLEMS), null),
              ...unsentFields,
              messages,
            }),
          },
        }),
      },
    )
    .post(
      "/:id/drill",
      async ({ user, params: { id } }) => ({ success, ...(await startDrill(deps, user, { type, id })) }),
      {
        detail: describe({
          id: start,
          summary: `Send a drill of a ${noun}`,
          description: `Sends what an outage of the ${noun} would send, through its real settings and at once: the alert, later steps, one reminder and the recovery, each marked as a drill. Nothing else changes, and the mute and quiet hours do not apply. The history of notifications has how each message ended, under the ids of the answer. Of your own ${noun}s only, and once a minute.`,
          access: "user",
          answer: {
            description: "The drill is on its way.",
            schema: ok({
              events: list(id("An event of the drill, in the order in which they are sent.", 21)),
              messages,
            }),
          },
          refusals: ["alerts_off", "no_recipients", "rate_limited"],
        }),
      },
    );
};
