import type { AlertPolicy, QuietHours } from "../../shared/alert-policy";
import type { ErrorDetail } from "../../shared/check-error";
import type { DeliveryErrorCode, EventGroup, EventKind, TargetType } from "../../shared/notifications";
import { kit } from "../columns";
import { owner } from "./accounts";

/** Destinations of alerts. */
export const channels = kit.table(
  "channels",
  {
    id: kit.id(),
    ...owner(),
    name: kit.text().notNull(),
    type: kit.text().notNull(),
    config: kit.json<Record<string, string>>().notNull(),
    enabled: kit.flag().notNull(),
    /** Why the provider refused permanently, until a message is delivered again. */
    problemCode: kit.text().$type<DeliveryErrorCode>(),
    problemDetail: kit.json<ErrorDetail>(),
    createdAt: kit.long().notNull(),
    updatedAt: kit.long().notNull(),
  },
  (t) => [kit.index("channels_team_id_index").on(t.teamId), kit.index("channels_user_id_index").on(t.userId)],
);

/** Channels of a member's personal team that also get the alerts of another team, while they are a member of it. */
export const channelFollows = kit.table(
  "channel_follows",
  {
    /** The member, and the team whose alerts are sent. */
    ...owner(),
    channelId: kit
      .long()
      .notNull()
      .references(() => channels.id, { onDelete: "cascade" }),
  },
  (t) => [
    kit.primaryKey({ columns: [t.teamId, t.channelId] }),
    kit.index("channel_follows_user_id_index").on(t.userId),
    kit.index("channel_follows_channel_id_index").on(t.channelId),
  ],
);

/** Named policies of a user: who is notified when, reminders, and quiet hours. */
export const alertPolicies = kit.table(
  "alert_policies",
  {
    id: kit.id(),
    ...owner(),
    name: kit.text().notNull(),
    steps: kit.json<AlertPolicy["steps"]>().notNull(),
    repeatMinutes: kit.integer().notNull(),
    repeatMax: kit.integer().notNull(),
    quiet: kit.json<QuietHours>(),
    groupSeconds: kit.integer().notNull(),
    createdAt: kit.long().notNull(),
    updatedAt: kit.long().notNull(),
  },
  (t) => [
    kit.index("alert_policies_team_id_index").on(t.teamId),
    kit.index("alert_policies_user_id_index").on(t.userId),
  ],
);

/** Texts of alerts that replace the built-in ones: for one channel or all of a user's, and for one kind of event or all. */
export const messageTemplates = kit.table(
  "message_templates",
  {
    id: kit.id(),
    ...owner(),
    /** Null: all channels of the user. 0 is the built-in one. */
    channelId: kit.long(),
    /** Null: every kind. */
    event: kit.text().$type<EventKind>(),
    title: kit.text().notNull(),
    body: kit.text().notNull(),
    updatedAt: kit.long().notNull(),
  },
  (t) => [
    kit.index("message_templates_team_id_index").on(t.teamId),
    kit.index("message_templates_user_id_index").on(t.userId),
  ],
);

/** Notification rules: for all of a user's monitors or agents (target 0), or for one of them. */
export const notificationRules = kit.table(
  "notification_rules",
  {
    ...owner(),
    targetType: kit.text().$type<TargetType>().notNull(),
    targetId: kit.long().notNull(),
    enabled: kit.flag().notNull(),
    overrideGlobal: kit.flag().notNull(),
    events: kit.json<EventGroup[]>().notNull(),
    channels: kit.json<number[]>().notNull(),
    /** The policy that says whom to notify when; null: `channels`, at once. */
    policyId: kit.long().references(() => alertPolicies.id, { onDelete: "set null" }),
    /** Of a rule for one target, whether or not it overrides the one for all: quiet hours do not apply. */
    critical: kit.flag().notNull().default(false),
  },
  (t) => [
    kit.primaryKey({ columns: [t.teamId, t.targetType, t.targetId] }),
    kit.index("notification_rules_user_id_index").on(t.userId),
    kit.index("notification_rules_target_index").on(t.targetType, t.targetId),
  ],
);

/** Monitors and agents whose alerts are withheld. A target has at most one mute; expired mutes are deleted. */
export const mutes = kit.table(
  "mutes",
  {
    targetType: kit.text().$type<TargetType>().notNull(),
    targetId: kit.long().notNull(),
    /** The owner of the target. */
    ...owner(),
    mutedAt: kit.long().notNull(),
    /** Null when it has no fixed end. */
    endsAt: kit.long(),
    /** Whether it also ends when the target recovers. */
    untilRecovery: kit.flag().notNull(),
  },
  (t) => [
    kit.index("mutes_team_id_index").on(t.teamId),
    kit.primaryKey({ columns: [t.targetType, t.targetId] }),
    kit.index("mutes_user_id_index").on(t.userId),
    kit.index("mutes_ends_at_index").on(t.endsAt),
  ],
);

/** Parents of monitors and servers: while a parent is down, its outage explains an outage of the child. */
export const dependencies = kit.table(
  "dependencies",
  {
    targetType: kit.text().$type<TargetType>().notNull(),
    targetId: kit.long().notNull(),
    parentType: kit.text().$type<TargetType>().notNull(),
    parentId: kit.long().notNull(),
    /** The owner of both. */
    ...owner(),
  },
  (t) => [
    kit.index("dependencies_team_id_index").on(t.teamId),
    kit.primaryKey({ columns: [t.targetType, t.targetId, t.parentType, t.parentId] }),
    kit.index("dependencies_parent_index").on(t.parentType, t.parentId),
    kit.index("dependencies_user_id_index").on(t.userId),
  ],
);
