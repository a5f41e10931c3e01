import { type Static, t } from "elysia";
import { whole } from "../../server/schema";
import { BUILT_IN_ID } from "./channels/built-in";

const flag = t.Optional(t.Union([t.Boolean(), t.Literal(0), t.Literal(1)], { error: "expected true or false" }));
const threshold = t.Optional(t.Number({ minimum: 0, maximum: 100, error: "expected a number from 0 to 100" }));
const TARGETS = ["global-monitor", "global-agent", "monitor", "agent"] as const;

/** What is wanted of one target. Channels may be an array of ids or the JSON text of one. */
export const settingModel = t.Object({
  target_type: t.Union([t.Literal(TARGETS[0]), t.Literal(TARGETS[1]), t.Literal(TARGETS[2]), t.Literal(TARGETS[3])], {
    error: `expected one of ${TARGETS.join(", ")}`,
  }),
  target_id: t.Optional(t.Union([whole(0, Number.MAX_SAFE_INTEGER), t.Null()])),
  enabled: flag,
  on_down: flag,
  on_recovery: flag,
  on_offline: flag,
  on_cpu_threshold: flag,
  cpu_threshold: threshold,
  on_memory_threshold: flag,
  memory_threshold: threshold,
  on_disk_threshold: flag,
  disk_threshold: threshold,
  channels: t.Optional(
    t.Union(
      [t.Array(t.Union([t.Number(), t.String({ maxLength: 20 })]), { maxItems: 100 }), t.String({ maxLength: 2000 })],
      {
        error: "expected a list of channel ids",
      },
    ),
  ),
  override_global: flag,
});
export type SettingBody = Static<typeof settingModel>;

const config = t.Union(
  [
    t.Record(t.String({ maxLength: 50 }), t.String({ maxLength: 2000 }), { maxProperties: 50 }),
    t.String({ maxLength: 10_000 }),
  ],
  {
    error: "expected an object of names and texts",
  },
);

export const channelModel = t.Object({
  name: t.String({ maxLength: 100 }),
  type: t.String({ maxLength: 50 }),
  enabled: flag,
  config,
});
export type ChannelBody = Static<typeof channelModel>;

/** A channel that is not saved yet; with `id`, masked secrets are the stored ones. */
export const trialModel = t.Object({
  id: t.Optional(whole(1, Number.MAX_SAFE_INTEGER)),
  type: t.String({ maxLength: 50 }),
  config,
});

/** Any stored channel, or the built-in one, whose id is 0. */
export const testParams = t.Object({ id: t.Integer({ minimum: BUILT_IN_ID, maximum: Number.MAX_SAFE_INTEGER }) });

export const historyQuery = t.Object({
  before: t.Optional(whole(1, Number.MAX_SAFE_INTEGER)),
  limit: t.Optional(whole(1, 200)),
});
