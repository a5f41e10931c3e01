import type { Static } from "@sinclair/typebox";
import { and, asc, gt } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { ownedBy } from "../../db/owner";
import { agents, channels, monitors, statusPages } from "../../db/schema";
import { isoTime } from "../../lib/time";
import { boolean, id, integer, list, object, oneOf, optional, record, text, time } from "../../server/answers";
import { ExportedMonitor, presentSettings } from "../monitors/present";
import { fromRow } from "../monitors/service";
import { exported } from "../notifications/channels/config";
import { channelTypes } from "../notifications/channels/registry";
import { readSettings, Settings } from "../notifications/rules/service";
import { FORMAT, VERSION } from "./model";

type Owner = { id: number; role: "admin" | "user" };

const keep = <T>(settings: Record<string, T>, ids: Set<number>): Record<string, T> =>
  Object.fromEntries(Object.entries(settings).filter(([id]) => ids.has(Number(id))));

/** Monitors read in one batch: each may be 80 KiB. */
const BATCH = 50;

/** Reads everything except monitors. References are limited to the monitors in `monitorIds`. */
const readRest = async (
  deps: Deps,
  owner: Owner,
  monitorIds: Set<number>,
): Promise<Omit<Exported, "format" | "version" | "exported_at" | "monitors">> => {
  const { db } = deps;
  const [ownAgents, ownChannels, [page], settings] = await Promise.all([
    db.select().from(agents).where(ownedBy(agents, owner.id)).orderBy(asc(agents.id)),
    db.select().from(channels).where(ownedBy(channels, owner.id)).orderBy(asc(channels.id)),
    db.select().from(statusPages).where(ownedBy(statusPages, owner.id)),
    readSettings(deps, owner),
  ]);
  const agentIds = new Set(ownAgents.map(({ id }) => id));
  return {
    agents: ownAgents.map(({ id, name, hostname }) => ({ id, name, hostname })),
    channels: ownChannels.map(({ id, name, type, enabled, config }) => ({
      id,
      name,
      type,
      enabled,
      config: exported({ type, config }),
    })),
    notifications: {
      ...settings,
      specificMonitors: keep(settings.specificMonitors, monitorIds),
      specificAgents: keep(settings.specificAgents, agentIds),
    },
    ...(page && {
      status_page: {
        title: page.title,
        description: page.description,
        logoUrl: page.logoUrl,
        customCss: page.customCss,
        monitors: page.monitors.filter((id) => monitorIds.has(id)),
        agents: page.agents.filter((id) => agentIds.has(id)),
        show_hostname: page.showHostname,
        show_os: page.showOs,
        show_version: page.showVersion,
      },
    }),
  };
};

const chosen = (kind: string) => list(id(`The ${kind}'s id in the file.`, 3), `The ${kind}s on the page.`);

/** The file that `POST /api/import` takes: everything that a user has set up, without the secrets of channels. */
export const ExportFile = object({
  format: oneOf("Always this.", [FORMAT]),
  version: integer("The version of the format.", VERSION),
  exported_at: time("When it was exported."),
  monitors: list(ExportedMonitor),
  agents: list(
    object({
      id: id("The server's id in the file.", 5),
      name: text("Its name.", "Database"),
      hostname: text("The machine's host name.", "db-1"),
    }),
    "Servers, which are identified by their host names. An import does not create them.",
  ),
  channels: list(
    object({
      id: id("The channel's id in the file.", 2),
      name: text("Its name.", "On call"),
      type: oneOf("Its kind.", channelTypes()),
      enabled: boolean("Whether it is used.", true),
      config: record(text("A field's value.", "-100123456"), "Its configuration without secrets.", "chatId"),
    }),
  ),
  notifications: Settings,
  status_page: optional(
    object({
      title: text("The page's title.", "Acme"),
      description: text("The text below the title.", "How our services are doing."),
      logoUrl: text("An https address or a data: image; empty for none.", ""),
      customCss: text("The custom stylesheet.", ""),
      monitors: chosen("monitor"),
      agents: chosen("server"),
      show_hostname: boolean("Whether the page shows servers' host names.", false),
      show_os: boolean("Whether it shows their operating systems.", false),
      show_version: boolean("Whether it shows the versions of their systems.", false),
    }),
  ),
});
export type Exported = Static<typeof ExportFile>;

/** The JSON text of an `Exported`, in pieces: monitors are read in batches, so that memory does not grow with their number. */
export async function* exportConfiguration(deps: Deps, owner: Owner): AsyncGenerator<string> {
  const head = { format: FORMAT, version: VERSION, exported_at: isoTime(deps.clock.now()) };
  yield `${JSON.stringify(head).slice(0, -1)},"monitors":[`;
  const ids = new Set<number>();
  for (let last = 0, complete = false; !complete; ) {
    const rows = await deps.db
      .select()
      .from(monitors)
      .where(and(ownedBy(monitors, owner.id), gt(monitors.id, last)))
      .orderBy(asc(monitors.id))
      .limit(BATCH);
    complete = rows.length < BATCH;
    for (const row of rows) {
      yield `${ids.size > 0 ? "," : ""}${JSON.stringify(presentSettings(fromRow(row)))}`;
      ids.add(row.id);
      last = row.id;
    }
  }
  yield `],${JSON.stringify(await readRest(deps, owner, ids)).slice(1)}`;
}
