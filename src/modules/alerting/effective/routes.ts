import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import type { Viewer } from "../../../db/owner";
import { describe, ok } from "../../../server/answers";
import type { idParam } from "../../../server/schema";
import type { TargetType } from "../../../shared/notifications";
import { signedIn } from "../../accounts/guard";
import { findName } from "../drill/service";
import { SINGLE_RULES } from "../rules/present";
import { readSetting } from "../rules/service";
import { EffectiveAlerts, readEffective, versionField } from "./service";

const success = true as const;

const TEXTS = {
  monitor: { noun: "monitor", get: "getMonitorAlerts" },
  agent: { noun: "server", get: "getAgentAlerts" },
} as const;

const readAlerts = async <Type extends TargetType>(deps: Deps, viewer: Viewer, target: { type: Type; id: number }) => {
  await findName(deps, viewer, target);
  const [alerts] = await readEffective(deps, viewer, [target]);
  return { alerts: alerts as EffectiveAlerts, ...(await readSetting(deps, viewer, target)) };
};

/** The call that shows how the alerts of a target are sent, with the rule to change that. */
export const alertsRoutes = <Type extends TargetType>(deps: Deps, type: Type, params: ReturnType<typeof idParam>) => {
  const { noun, get } = TEXTS[type];
  return new Elysia()
    .use(signedIn(deps))
    .guard({ params })
    .get(
      "/:id/alerts",
      async ({ user, params: { id } }) => ({ success, ...(await readAlerts(deps, user, { type, id })) }),
      {
        detail: describe({
          id: get,
          summary: `Get how the alerts of a ${noun} are sent`,
          description: `Who is notified when, by the settings as they are now, or why no one is. \`rule\` has the settings of the ${noun} itself, which count if \`overrideGlobal\` is set; \`critical\` counts in both cases. Of your own ${noun}s only.`,
          access: "user",
          answer: {
            description: "The effective settings and those of its own.",
            schema: ok({ alerts: EffectiveAlerts, rule: SINGLE_RULES[type], version: versionField }),
          },
        }),
      },
    );
};
