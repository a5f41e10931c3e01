import { asc, eq } from "drizzle-orm";
import { agents, channels, monitors, statusPages } from "../../db/schema";
import type { Deps } from "../../deps";
import { isoTime } from "../../shared/time";
import { withoutSecrets } from "../notifications/channel-config";
import { readSettings } from "../notifications/setting-service";
import { FORMAT, VERSION } from "./model";

type Owner = { id: number; role: "admin" | "user" };

const keep = <T>(settings: Record<string, T>, ids: Set<number>): Record<string, T> =>
  Object.fromEntries(Object.entries(settings).filter(([id]) => ids.has(Number(id))));

/** All that a user has set up, without the secrets of channels. What `POST /api/import` takes. */
export const exportConfiguration = async (deps: Deps, owner: Owner) => {
  const { db, clock } = deps;
  const [ownMonitors, ownAgents, ownChannels, [page], settings] = await Promise.all([
    db.select().from(monitors).where(eq(monitors.userId, owner.id)).orderBy(asc(monitors.id)),
    db.select().from(agents).where(eq(agents.userId, owner.id)).orderBy(asc(agents.id)),
    db.select().from(channels).where(eq(channels.userId, owner.id)).orderBy(asc(channels.id)),
    db.select().from(statusPages).where(eq(statusPages.userId, owner.id)),
    readSettings(deps, owner),
  ]);
  const [monitorIds, agentIds] = [ownMonitors, ownAgents].map((rows) => new Set(rows.map(({ id }) => id))) as [
    Set<number>,
    Set<number>,
  ];
  return {
    format: FORMAT,
    version: VERSION,
    exported_at: isoTime(clock.now()),
    monitors: ownMonitors.map((monitor) => ({
      id: monitor.id,
      name: monitor.name,
      url: monitor.url,
      method: monitor.method,
      interval: monitor.interval,
      timeout: monitor.timeout,
      expected_status: monitor.expectedStatus,
      headers: monitor.headers,
      body: monitor.body,
      retries: monitor.retries,
      active: monitor.active,
    })),
    agents: ownAgents.map(({ id, name, hostname }) => ({ id, name, hostname })),
    channels: ownChannels.map(({ id, name, type, enabled, config }) => ({
      id,
      name,
      type,
      enabled,
      config: withoutSecrets(config),
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
