/**
 * The alerts of a target by the settings as they are now. Planning decides both its messages, as in a drill, and the reason
 * for none.
 */
import type { Static } from "@sinclair/typebox";
import { and, gt, isNull, or } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { ownedBy, type Viewer } from "../../../db/owner";
import { alertPolicies, mutes } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { isoTimeOrNull } from "../../../lib/time";
import { boolean, component, id, integer, list, nullable, object, oneOf, text, time } from "../../../server/answers";
import { TARGET_TYPES } from "../../../shared/notifications";
import type { UnsentReason } from "../../../shared/outages/unsent-reasons";
import { quietEnd } from "../delivery/plan/quiet";
import type { Subject } from "../delivery/plan/state";
import { reasonOfSettings } from "../delivery/plan/unsent";
import { DrillMessage, messagesOf, readSubjects, type Target } from "../drill/service";
import { maintenanceField, presentMaintenance, readMaintenance } from "../maintenance/running";
import { mutedField, presentMute } from "../mutes/service";
import { presentQuiet, quietFields } from "../policies/service";
import { readSetting } from "../rules/service";

/** Why no channel is notified of an outage that begins now. */
const SILENT_REASONS = [
  "no_channels",
  "no_rule",
  "default_disabled",
  "rule_disabled",
  "default_no_recipients",
  "no_recipients",
  "not_selected",
  "channel_disabled",
  "channel_deleted",
  "muted",
  "maintenance",
] as const satisfies readonly UnsentReason[];
type SilentReason = (typeof SILENT_REASONS)[number];

export const EffectiveAlerts = component("EffectiveAlerts", {
  follows_default: boolean("Whether the settings for all monitors or all servers apply, not its own.", true),
  policy: nullable(object({ id: id("The policy's id.", 4), name: text("Its name.", "Night") })),
  messages: list(
    DrillMessage,
    "The messages of an outage that lasts and is not acknowledged, without mute and quiet hours, in the order in which they are sent.",
  ),
  silent_reason: nullable(
    oneOf(
      "Why no channel is notified of an outage that begins now, as `unsent_reason` of an event; null where one is.",
      SILENT_REASONS,
    ),
    null,
  ),
  disabled_channels: list(
    object({ id: integer("The channel's id; 0 is the built-in one.", 2), name: text("Its name.", "On call") }),
    "The chosen channels that are switched off, and skipped.",
    [],
  ),
  quiet: nullable(
    object({
      ...quietFields,
      until: nullable(time("When they end, if it is quiet now; null otherwise and for a critical target."), null),
    }),
    null,
  ),
  critical: boolean("Whether quiet hours do not apply to it.", false),
  muted: mutedField,
  maintenance: maintenanceField,
});
export type EffectiveAlerts = Static<typeof EffectiveAlerts>;

type Store = Pick<Deps, "db" | "config" | "clock">;

/** Active mutes of the viewer's targets, by type and id. */
const readMutes = async ({ db, clock }: Store, viewer: Viewer, targets: readonly Target[]) => {
  const rows = await db
    .select()
    .from(mutes)
    .where(
      and(
        ownedBy(mutes, viewer.teamId),
        isOneOf(
          mutes.targetId,
          targets.map(({ id }) => id),
        ),
        or(isNull(mutes.endsAt), gt(mutes.endsAt, clock.now())),
      ),
    );
  return new Map(rows.map((row) => [`${row.targetType} ${row.targetId}`, row]));
};

type Silences = { isMuted: boolean; isInMaintenance: boolean };

const targetOf = ([{ event }]: readonly [Subject, ...unknown[]]) => ({
  ...{ teamId: event.teamId, type: event.targetType, id: event.targetId },
});

/** Why the opening event is sent to no channel of its policy, or null. */
const silentReason = (opening: Subject, { isMuted, isInMaintenance }: Silences): SilentReason | null => {
  const ids = opening.policy.steps.flatMap(({ channels }) => channels);
  const reason = reasonOfSettings(opening, ids) as SilentReason | null;
  return reason ?? (isMuted ? "muted" : isInMaintenance ? "maintenance" : null);
};

const disabledOf = ({ policy, channelOf }: Subject) => {
  const ids = new Set(policy.steps.flatMap(({ channels }) => channels));
  const chosen = [...ids].flatMap((channelId) => channelOf(channelId) ?? []);
  return chosen.filter(({ enabled }) => !enabled).map(({ id, name }) => ({ id, name }));
};

/** How the alerts of the viewer's targets are sent, in their order. The id 0 stands for the rule for all of a type. */
export const readEffective = async (
  store: Store,
  viewer: Viewer,
  targets: readonly Target[],
): Promise<EffectiveAlerts[]> => {
  const now = store.clock.now();
  const subjects = await readSubjects(store, viewer, targets);
  const muted = await readMutes(store, viewer, targets);
  const untilOf = await readMaintenance(store, subjects.map(targetOf), now);
  const { id, name } = alertPolicies;
  const names = new Map(
    (await store.db.select({ id, name }).from(alertPolicies).where(ownedBy(alertPolicies, viewer.teamId))).map(
      (row) => [row.id, row.name],
    ),
  );
  return subjects.map(([opening, closing]) => {
    const { rule, policy, critical, event } = opening;
    const mute = muted.get(`${event.targetType} ${event.targetId}`) ?? null;
    const maintenanceUntil = untilOf(targetOf([opening]), now);
    const silences = { isMuted: mute !== null, isInMaintenance: maintenanceUntil !== null };
    const policyName = rule.policyId === null ? undefined : names.get(rule.policyId);
    return {
      follows_default: !rule.overrideGlobal,
      policy: policyName === undefined ? null : { id: rule.policyId as number, name: policyName },
      messages: messagesOf([opening, closing], now),
      silent_reason: silentReason(opening, silences),
      disabled_channels: disabledOf(opening),
      quiet: policy.quiet && {
        ...presentQuiet(policy.quiet),
        until: isoTimeOrNull(critical ? null : quietEnd(policy.quiet, now)),
      },
      critical,
      muted: presentMute(mute),
      maintenance: presentMaintenance(maintenanceUntil),
    };
  });
};

/** The field of an answer with the version of a rule. */
export const versionField = text(
  "Identifies the stored values; send it back when you save a change of them.",
  "3k2j9x",
);

const Default = object({ alerts: EffectiveAlerts, version: versionField });
export const Defaults = component("DefaultAlerts", { monitors: Default, agents: Default });

/** How the alerts of targets without settings of their own are sent, with the versions of these settings. */
export const readDefaults = async (store: Store, viewer: Viewer): Promise<Static<typeof Defaults>> => {
  const targets = TARGET_TYPES.map((type) => ({ type, id: 0 }));
  const alerts = await readEffective(store, viewer, targets);
  const read = async (index: number) => {
    const { version } = await readSetting(store, viewer, targets[index] as Target);
    return { alerts: alerts[index] as EffectiveAlerts, version };
  };
  return { monitors: await read(0), agents: await read(1) };
};
