import { type Static, t } from "elysia";
import { field, oneOf, whole } from "../../server/schema";
import { OUTCOMES, TARGET_TYPES } from "../../shared/notifications";
import { BUILT_IN_ID } from "./channels/registry";
import { channelVariants } from "./channels/variants";

const flag = t.Optional(t.Union([t.Boolean(), t.Literal(0), t.Literal(1)], { error: "expected true or false" }));
const threshold = t.Optional(t.Number({ minimum: 0, maximum: 100, error: "expected a number from 0 to 100" }));
const TARGETS = ["global-monitor", "global-agent", "monitor", "agent"] as const;

/** The settings of one target. Channels may be an array of ids or the JSON text of one. */
export const settingModel = t.Object({
  target_type: field(oneOf(TARGETS), "All monitors, all servers, one monitor or one server.", "global-monitor"),
  target_id: t.Optional(
    field(t.Union([whole(0, Number.MAX_SAFE_INTEGER), t.Null()]), "The id of the one monitor or server."),
  ),
  enabled: field(flag, "Whether alerts are sent.", true),
  on_down: field(flag, "When a monitor goes down.", true),
  on_recovery: field(flag, "When the target recovers.", true),
  on_slow: field(flag, "When a monitor answers slowly, and with `on_recovery` when it does not any more.", true),
  on_certificate: field(
    flag,
    "When the certificate or domain of a monitor expires soon, and with `on_recovery` when it was renewed.",
    true,
  ),
  on_offline: field(flag, "When a server goes offline."),
  on_cpu_threshold: field(flag, "When CPU usage crosses its threshold."),
  cpu_threshold: field(threshold, "In percent."),
  on_memory_threshold: field(flag, "When memory usage crosses its threshold."),
  memory_threshold: field(threshold, "In percent."),
  on_disk_threshold: field(flag, "When the fullest disk crosses its threshold."),
  disk_threshold: field(threshold, "In percent."),
  on_problem: field(flag, "When a server reports a problem: a container, a service, an array, a disk that fills up."),
  on_plan: field(flag, "When a server's traffic quota is nearly used, or its contract ends soon."),
  channels: t.Optional(
    field(
      t.Union(
        [t.Array(t.Union([t.Number(), t.String({ maxLength: 20 })]), { maxItems: 100 }), t.String({ maxLength: 2000 })],
        {
          error: "expected a list of channel ids",
        },
      ),
      "Ids of your channels, or the JSON text of such a list.",
      [],
    ),
  ),
  policy_id: t.Optional(
    field(
      t.Union([whole(1, Number.MAX_SAFE_INTEGER), t.Null()]),
      "One of your policies, which says whom to notify when; null: `channels`, at once.",
    ),
  ),
  override_global: field(flag, "For a single target: whether this replaces the setting for all."),
  version: t.Optional(
    field(
      t.String({ maxLength: 40 }),
      "The `version` of the settings that this changes: if others were stored since, nothing is saved, and the answer is `rule_changed`.",
    ),
  ),
  critical: field(flag, "For a single target: whether quiet hours do not apply to it, whichever setting it follows."),
});
export type SettingBody = Static<typeof settingModel>;

/** The longest text of any field; each field has a lower limit, with an error of its own. */
const MAX_FIELD = 200_000;

export const CONFIG_EXPECTED = "expected an object of names and texts or whole numbers";
const { MIN_SAFE_INTEGER: minimum, MAX_SAFE_INTEGER: maximum } = Number;

/** The fields of a channel in a request. A whole number, such as a port or the id of a chat, stands for its text. */
export const configFields = t.Record(
  t.String({ maxLength: 50 }),
  t.Union([t.String({ maxLength: MAX_FIELD }), t.Integer({ minimum, maximum })]),
  { maxProperties: 50, error: CONFIG_EXPECTED },
);

const configModel = t.Union([configFields, t.String({ maxLength: 2 * MAX_FIELD })], { error: CONFIG_EXPECTED });

// Validated by the descriptor of the kind.
const kindFields = { type: t.String({ maxLength: 50 }), config: configModel };
const name = field(t.String({ maxLength: 100 }), "1 to 100 characters.", "On call");
const enabled = field(flag, "Whether it is used; true by default.", true);

export const channelModel = t.Object(
  { name, ...kindFields, enabled },
  { accepts: channelVariants("Input", { name }, { enabled }) },
);
export type ChannelBody = Static<typeof channelModel>;

const id = t.Optional(field(whole(1, Number.MAX_SAFE_INTEGER), "A stored channel whose secrets the masks stand for."));

/** A channel that is not saved yet; with `id`, masked secrets are the stored ones. */
export const trialModel = t.Object({ id, ...kindFields }, { accepts: channelVariants("Test", { id }) });

/** Any stored channel, or the built-in one, whose id is 0. */
export const testParams = t.Object({
  id: field(
    t.Integer({ minimum: BUILT_IN_ID, maximum: Number.MAX_SAFE_INTEGER }),
    "The channel's id; 0 is the built-in one.",
    3,
  ),
});

const targetType = t.Optional(field(oneOf(TARGET_TYPES), "Only monitors, or only servers.", "monitor"));

export const settingsQuery = t.Object({
  specific: t.Optional(
    field(
      oneOf(["0"]),
      "0: without the settings of single monitors and servers, which `/api/notifications/exceptions` lists in pages.",
    ),
  ),
});

export const exceptionsQuery = t.Object({
  of: targetType,
  search: t.Optional(field(t.String({ maxLength: 200 }), "A part of the name, in any case.")),
  limit: t.Optional(field(whole(1, 200), "The size of the page: 1 to 200; 50 by default.", 20)),
  offset: t.Optional(field(whole(0, Number.MAX_SAFE_INTEGER), "How many to skip.")),
});

export const historyQuery = t.Object({
  of: t.Optional(
    field(
      t.String({
        pattern: "^(monitor|agent)(:[1-9][0-9]{0,14})?$",
        maxLength: 23,
        error: "expected monitor or agent, or one of them with a colon and an id",
      }),
      "Only events of monitors (`monitor`), of servers (`agent`), or of one of them (`monitor:3`).",
      "monitor:3",
    ),
  ),
  by: t.Optional(
    field(
      oneOf(["event", "outage"]),
      "`outage`: a page has whole outages, in the order of their latest events, and `limit` counts outages.",
      "outage",
    ),
  ),
  outcome: t.Optional(
    field(
      oneOf(OUTCOMES),
      "Only events, or outages, with a message in this state; `pending`: it is waiting, `withheld`: it was not sent, also where no channel was notified. With `outcome` or `channel` a page may be short or empty although there is a `next` one.",
      "failed",
    ),
  ),
  channel: t.Optional(
    field(
      whole(BUILT_IN_ID, Number.MAX_SAFE_INTEGER),
      "Only with a message to this channel; 0 is the built-in one.",
      2,
    ),
  ),
  as_of: t.Optional(
    field(
      whole(0, Number.MAX_SAFE_INTEGER),
      "By outage: `as_of` of the first page, with `before`, so that no page skips or repeats an outage.",
    ),
  ),
  before: t.Optional(
    field(
      whole(1, Number.MAX_SAFE_INTEGER),
      "Only events older than the one with this id: `next` of the previous page.",
    ),
  ),
  limit: t.Optional(field(whole(1, 200), "The size of the page: 1 to 200; 50 by default.", 20)),
});
