import { atom, useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { TargetType } from "../../../src/shared/notifications";
import { refreshMounted } from "../../lib/resource";
import { paths } from "../../paths";
import type { IconName } from "../../ui/controls/icon";
import { useMaintenanceActions } from "../maintenance/start/choices";
import { type MonitorDetail, monitorAtom } from "../monitors/api";
import { useMuteActions } from "../notifications/mute/mute-menu";
import { type ServerDetail, serverAtom } from "../servers/api";
import type { Entry } from "./entries";
import { applies, icons, useMonitorActions, verbs } from "./monitor-actions";

/** A monitor or a server, as its deletion needs it. */
export type Target = { type: TargetType; id: number; name: string };

/** Other pages have no monitor and no server, and load none. */
const nothing = atom({ data: undefined });

/** The monitor or the server of a path: its page, or the form that changes it. */
const idIn = (path: string, list: string): string | undefined =>
  new RegExp(`^${list}/(?:edit/)?(\\d+)$`).exec(path)?.[1];

type Here = { name: string | undefined; entries: Entry[] };

/** The commands for the monitor or server on the page. */
export const useHereEntries = (onDelete: (target: Target) => void): Here => {
  const [path] = useLocation();
  const [monitorId, serverId] = [idIn(path, paths.monitors), idIn(path, paths.agents)];
  const monitor = useAtomValue((monitorId && monitorAtom.known(monitorId)) || nothing).data?.monitor;
  const server = useAtomValue((serverId && serverAtom.known(serverId)) || nothing).data?.agent;
  const ofMonitor = useMonitorEntries(onDelete);
  const ofServer = useServerEntries(onDelete);
  if (monitor) return { name: monitor.name, entries: ofMonitor(monitor) };
  if (server) return { name: server.name, entries: ofServer(server) };
  return { name: undefined, entries: [] };
};

/** The ways to start maintenance at once. */
const useMaintenanceEntries = () => {
  const actionsOf = useMaintenanceActions();
  return (target: Target & { team?: { id: number } | undefined }): Action[] =>
    actionsOf(() => [target]).map(({ minutes, label, run }) => [
      `maintenance ${minutes}`,
      "muted",
      label,
      async () => {
        await run();
        refreshMounted();
      },
      "maintenance window",
    ]);
};

type Action = [key: string, icon: IconName, label: string, run: () => unknown, words?: string];

const toEntries = (actions: readonly (Action | false)[]): Entry[] =>
  actions.flatMap((action): Entry[] => {
    if (!action) return [];
    const [key, icon, label, run, words = key] = action;
    return [{ key: `here ${key}`, group: "here", icon, label, run, words }];
  });

/** The ways to mute. */
const useMuteEntries = () => {
  const actionsOf = useMuteActions();
  return (target: Target, muted: MonitorDetail["muted"]): Action[] =>
    actionsOf(target, muted).map(({ key, label, run }) => [
      `mute ${key}`,
      muted ? "bell" : "muted",
      label,
      async () => {
        await run();
        refreshMounted();
      },
      "mute unmute alerts",
    ]);
};

const useMonitorEntries = (onDelete: (target: Target) => void) => {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const act = useMonitorActions();
  const mute = useMuteEntries();
  const maintain = useMaintenanceEntries();
  return (monitor: MonitorDetail): Entry[] => {
    const { id, name, owner, muted, team } = monitor;
    const target = { type: "monitor", id, name } as const;
    const labels = {
      acknowledge: t("problems.acknowledge.action"),
      check: t("monitors.detail.check"),
      pause: t("monitors.detail.pause"),
      resume: t("monitors.detail.resume"),
    };
    return toEntries([
      ...verbs
        .filter((verb) => applies(verb, monitor))
        .map((verb): Action => [verb, icons[verb], labels[verb], () => act[verb](id)]),
      ["edit", "edit", t("common.action.edit"), () => navigate(paths.monitorEdit(id)), "edit settings"],
      ["clone", "copy", t("bulk.clone"), () => navigate(`${paths.monitorCreate}?clone=${id}`), "clone copy duplicate"],
      owner === undefined && ["alerts", "bell", t("alerts.tab"), () => navigate(`${paths.monitor(id)}?tab=alerts`)],
      ...mute(target, muted),
      ...maintain({ ...target, team }),
      ["delete", "trash", t("common.action.delete"), () => onDelete(target), "delete remove"],
    ]);
  };
};

const useServerEntries = (onDelete: (target: Target) => void) => {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const mute = useMuteEntries();
  const maintain = useMaintenanceEntries();
  return ({ id, name, owner, muted, team }: ServerDetail): Entry[] => {
    const target = { type: "agent", id, name } as const;
    const open = (tab: string) => () => navigate(`${paths.agent(id)}?tab=${tab}`);
    return toEntries([
      ["edit", "edit", t("common.action.edit"), () => navigate(paths.agentEdit(id)), "edit settings rename"],
      owner === undefined && ["alerts", "bell", t("alerts.tab"), open("alerts"), "alerts thresholds settings"],
      ["traffic", "gauge", t("agents.detail.tab.traffic"), open("traffic"), "traffic plan quota settings"],
      ["about", "server", t("agents.detail.tab.about"), open("about"), "about version address"],
      ...mute(target, muted),
      ...maintain({ ...target, team }),
      ["delete", "trash", t("common.action.delete"), () => onDelete(target), "delete remove"],
    ]);
  };
};
