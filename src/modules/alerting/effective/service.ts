/**
 * The alerts of a target by the settings as they are now. Planning decides both its messages, as in a drill, and the reason
 * for none.
 */
import type { Static } from "@sinclair/typebox";
import { and, eq, gt, isNull, or } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { ownedBy, type Viewer } from "../../../db/owner";
import { alertPolicies, mutes, notificationRules } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { isoTimeOrNull } from "../../../lib/time";
import { boolean, component, id, integer, list, nullable, object, oneOf, text, time } from "../../../server/answers";
import { TARGET_TYPES, type TargetType } from "../../../shared/notifications";
import { choosableChannels } from "../channels/service";
import { reasonNotToSend } from "../delivery/plan/decide";
import { quietEnd } from "../delivery/plan/quiet";
import type { Recipient, Subject } from "../delivery/plan/state";
import { DrillMessage, messagesOf, readSubjects, type Target } from "../drill/service";
import { maintenanceField, presentMaintenance, readMaintenance } from "../maintenance/running";
import { mutedField, presentMute } from "../mutes/service";
import { presentQuiet, quietFields } from "../policies/service";
import { readSetting } from "../rules/service";

/** Why no channel is notified. */
const SILENT_REASONS = [
  "no_channels",
  "no_rule",
  "rule_disabled",
  "no_recipients",
  "not_selected",
  "channel_unavailable",
  "muted",
  "maintenance",
] as const;
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
      "Why no channel is notified of an outage that begins now; null where one is. `no_channels`: the user has none. `no_rule`: the settings for all were never saved. `rule_disabled`: alerts are switched off. `no_recipients`: no channel is chosen. `not_selected`: the settings leave out outages. `channel_unavailable`: every chosen channel is switched off or deleted. `muted`: it is muted. `maintenance`: it is in maintenance.",
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

/** The types of targets whose rule for all was saved. */
const readSavedDefaults = async ({ db }: Store, viewer: Viewer): Promise<Set<TargetType>> => {
  const rows = await db
    .select({ type: notificationRules.targetType })
    .from(notificationRules)
    .where(and(ownedBy(notificationRules, viewer.teamId), eq(notificationRules.targetId, 0)));
  return new Set(rows.map(({ type }) => type));
};

/** A channel that receives everything. */
const ANY: Recipient = { id: 0, name: "", type: "", enabled: true };

type Context = { isMuted: boolean; isInMaintenance: boolean; hasChannels: boolean; hasDefault: boolean };

const targetOf = ([{ event }]: readonly [Subject, ...unknown[]]) => ({
  ...{ teamId: event.teamId, type: event.targetType, id: event.targetId },
});

/** Why the opening event is sent to no channel of its policy, or null. */
const silentReason = (opening: Subject, { hasChannels, hasDefault, ...silences }: Context): SilentReason | null => {
  const { policy, rule, channelOf } = opening;
  const ids = policy.steps.flatMap(({ channels }) => channels);
  const codeOf = (channel: Recipient | null) =>
    reasonNotToSend(opening, channel, { ...silences, withheld: null })?.code as SilentReason | undefined;
  const codes = ids.map((channelId) => codeOf(channelOf(channelId)));
  if (codes.includes(undefined)) return null;
  if (!hasChannels) return "no_channels";
  if (!hasDefault && !rule.overrideGlobal) return "no_rule";
  // Muted channels would have been notified, unlike disabled ones.
  const silence = (["muted", "maintenance"] as const).find((code) => codes.includes(code));
  return silence ?? codes[0] ?? codeOf(ANY) ?? "no_recipients";
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
  const saved = await readSavedDefaults(store, viewer);
  const hasChannels = (await choosableChannels(store, viewer)).size > 0;
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
    const context = { ...silences, hasChannels, hasDefault: saved.has(event.targetType) };
    const policyName = rule.policyId === null ? undefined : names.get(rule.policyId);
    return {
      follows_default: !rule.overrideGlobal,
      policy: policyName === undefined ? null : { id: rule.policyId as number, name: policyName },
      messages: messagesOf([opening, closing], now),
      silent_reason: silentReason(opening, context),
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
