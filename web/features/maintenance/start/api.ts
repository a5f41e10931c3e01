import type { TargetType } from "../../../../src/shared/notifications";
import { parseTagText, type Tag, tagKey } from "../../../../src/shared/tags";
import { api, payload } from "../../../api";

/** A monitor or server. Its team is left out while only one is shown, and for the personal one. */
export type MaintenanceTarget = { type: TargetType; id: number; team?: { id: number } };

const inTeam = (team: number | undefined) => (team === undefined ? {} : { query: { team } });

/** Starts maintenance of monitors and servers: a window for each of their teams. Returns its end. */
export const startMaintenance = async (targets: readonly MaintenanceTarget[], minutes: number): Promise<string> => {
  let until = "";
  for (const [team, own] of Map.groupBy(targets, (target) => target.team?.id)) {
    const idsOf = (type: TargetType) => own.filter((target) => target.type === type).map(({ id }) => id);
    const body = { minutes, monitors: idsOf("monitor"), agents: idsOf("agent") };
    ({ until } = await payload(api.windows.start.post(body, inTeam(team))));
  }
  return until;
};

type Window = Awaited<ReturnType<typeof listWindows>>[number];

const listWindows = async (team: number | undefined) => (await payload(api.windows.get(inTeam(team)))).windows;

/** Whether a window is about a monitor or server. */
const covers = ({ all, monitors, agents, tags }: Window, { type, id }: MaintenanceTarget, own: readonly Tag[]) =>
  all ||
  (type === "monitor" ? monitors : agents).includes(id) ||
  tags
    .map(parseTagText)
    .some(({ name, value }) => own.some((tag) => tagKey(tag.name) === tagKey(name) && (!value || tag.value === value)));

const isForOne = ({ all, monitors, agents, tags }: Window): boolean =>
  !all && tags.length === 0 && monitors.length + agents.length === 1;

/** The windows that keep a target in maintenance now; `shared` are also about others. */
export const readRunning = async (target: MaintenanceTarget, tags: readonly Tag[]) => {
  const windows = await listWindows(target.team?.id);
  const running = windows.filter((window) => window.current && covers(window, target, tags));
  return { running, shared: running.filter((window) => !isForOne(window)) };
};

export const endWindows = async (windows: readonly { id: number }[]): Promise<void> => {
  for (const { id } of windows) await payload(api.windows({ id }).end.post());
};
