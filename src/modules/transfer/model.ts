import { type Static, t } from "elysia";
import { field, oneOf, whole } from "../../server/schema";
import { monitorModel } from "../monitors/model";
import { channelTypes } from "../notifications/channels/registry";
import { channelModel } from "../notifications/model";
import { configModel } from "../status-page/model";

export const FORMAT = "wakeful-configuration";
export const VERSION = 1;

const id = whole(1, Number.MAX_SAFE_INTEGER);
const flag = t.Optional(t.Boolean({ error: "expected true or false" }));
const threshold = t.Optional(t.Number({ minimum: 0, maximum: 100, error: "expected a number from 0 to 100" }));

const settingModel = t.Object({
  enabled: flag,
  overrideGlobal: flag,
  onDown: flag,
  onRecovery: flag,
  onOffline: flag,
  onCpuThreshold: flag,
  cpuThreshold: threshold,
  onMemoryThreshold: flag,
  memoryThreshold: threshold,
  onDiskThreshold: flag,
  diskThreshold: threshold,
  channels: t.Optional(
    t.Array(whole(0, Number.MAX_SAFE_INTEGER), { maxItems: 100, error: "expected a list of at most 100 channel ids" }),
  ),
});

/** More than fits in a body of 1 MiB. */
const MAX_ITEMS = 10_000;
const MAX_CHANNELS = 1000;
const most = (maxItems: number) => ({ maxItems, error: `expected a list of at most ${maxItems}` });
const specific = t.Optional(t.Record(t.String({ maxLength: 20 }), settingModel, { maxProperties: MAX_ITEMS }));

/**
 * A configuration as it is exported and imported. Its ids connect the parts of the file, and are independent of
 * the ids in the database.
 */
export const documentModel = t.Object(
  {
    format: field(t.Literal(FORMAT, { error: `expected "${FORMAT}"` }), "Always `wakeful-configuration`."),
    version: field(t.Literal(VERSION, { error: `expected ${VERSION}: a newer console wrote this file` }), "1."),
    exported_at: t.Optional(field(t.String({ maxLength: 40 }), "Ignored.")),
    monitors: t.Optional(
      field(
        t.Array(t.Composite([t.Object({ id: t.Optional(id) }), monitorModel]), most(MAX_ITEMS)),
        "Monitors that do not exist in the same form are created.",
      ),
    ),
    /** Agents are not imported. They are listed so that references to them can be matched by hostname. */
    agents: t.Optional(
      field(
        t.Array(
          t.Object({ id, name: t.String({ maxLength: 200 }), hostname: t.String({ maxLength: 300 }) }),
          most(MAX_ITEMS),
        ),
        "The servers that other parts refer to; they are found by their host names.",
      ),
    ),
    channels: t.Optional(
      field(
        t.Array(
          t.Composite([
            t.Object({ id: t.Optional(id), type: oneOf(channelTypes()), enabled: flag }),
            t.Pick(channelModel, ["name"]),
            t.Object({
              config: t.Record(t.String({ maxLength: 50 }), t.String({ maxLength: 2000 }), {
                maxProperties: 50,
                error: "expected an object of names and texts",
              }),
            }),
          ]),
          most(MAX_CHANNELS),
        ),
        "A channel without its secret is created switched off.",
      ),
    ),
    notifications: t.Optional(
      field(
        t.Object({
          monitors: t.Optional(settingModel),
          agents: t.Optional(settingModel),
          specificMonitors: specific,
          specificAgents: specific,
        }),
        "Existing settings are kept.",
      ),
    ),
    status_page: t.Optional(field(configModel, "A page that was saved before is kept.")),
  },
  {
    examples: [
      {
        format: FORMAT,
        version: VERSION,
        monitors: [{ id: 3, name: "Payments API", url: "https://api.example.com/health", interval: 60 }],
        status_page: { title: "Acme", monitors: [3] },
      },
    ],
  },
);

export type Document = Static<typeof documentModel>;
export type DocumentSetting = Static<typeof settingModel>;
