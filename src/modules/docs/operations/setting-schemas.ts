import { flag, list, map, number, object, type Schema, whole } from "../schema";

const channelIds = list(whole("A channel's id; 0 is the built-in one.", 2), "Who is told.");
const forMonitors: Record<string, Schema> = {
  enabled: flag("Whether anything is told.", true),
  onDown: flag("When one goes down.", true),
  onRecovery: flag("When one is up again.", true),
  channels: channelIds,
};
const threshold = (what: string, example: number) =>
  number(`${what}, in percent.`, example, { minimum: 0, maximum: 100 });
const forAgents: Record<string, Schema> = {
  enabled: flag("Whether anything is told.", true),
  onOffline: flag("When one falls silent.", true),
  onRecovery: flag("When one reports again, or is below its threshold again.", true),
  onCpuThreshold: flag("When CPU crosses its threshold.", true),
  cpuThreshold: threshold("CPU", 90),
  onMemoryThreshold: flag("When memory crosses its threshold.", false),
  memoryThreshold: threshold("Memory", 85),
  onDiskThreshold: flag("When the fullest disk crosses its threshold.", true),
  diskThreshold: threshold("The fullest disk", 90),
  channels: channelIds,
};
const overrideGlobal = flag("Whether this counts in place of what is set for all.", true);

export const settingSchemas: Record<string, Schema> = {
  Settings: object({
    monitors: object(forMonitors),
    agents: object(forAgents),
    specificMonitors: map(object({ ...forMonitors, overrideGlobal }), "For single monitors, by id.", "3"),
    specificAgents: map(object({ ...forAgents, overrideGlobal }), "For single servers, by id.", "5"),
  }),
};
