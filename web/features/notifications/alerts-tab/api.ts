import type { EffectiveAlerts } from "../../../../src/modules/alerting/effective/service";
import type { TargetType } from "../../../../src/shared/notifications";
import { api, payload } from "../../../api";
import { resourceFamily } from "../../../lib/resource";
import type { Setting } from "../rules/drafts";
import { MEND_PATHS, mendPlaceOf } from "../unsent-reason";

export type { EffectiveAlerts };

type Target = { type: TargetType; id: number };

/** How the alerts of a target are sent, its own rule, and the version of that. */
type AlertsAnswer = { alerts: EffectiveAlerts; rule: Setting; version: string };

export const readAlerts = async ({ type, id }: Target): Promise<AlertsAnswer> => {
  const { alerts, rule, version } =
    type === "monitor"
      ? await payload(api.monitors({ id }).alerts.get())
      : await payload(api.agents({ id }).alerts.get());
  return { alerts, rule: rule as Setting, version };
};

/** The alerts of one target, by the key of its dependencies. */
export const alertsAtom = resourceFamily((key: `${TargetType} ${number}`) => {
  const [type, id] = key.split(" ");
  return readAlerts({ type: type as TargetType, id: Number(id) });
});

/** Where the reason is mended why no one is notified; undefined where that is the target's own page. */
export const mendPlace = ({ silent_reason: reason, follows_default }: EffectiveAlerts) => {
  const place = reason && mendPlaceOf(reason);
  if (!place) return undefined;
  if (reason === "no_channels") return { text: reason, path: `${MEND_PATHS.channels}&add` } as const;
  if (place === "channels") return { text: place, path: MEND_PATHS.channels } as const;
  if (place === "own" && !follows_default) return undefined;
  return { text: reason === "no_rule" ? reason : "rule", path: MEND_PATHS.rules } as const;
};
