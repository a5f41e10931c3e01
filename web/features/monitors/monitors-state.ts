import { choiceAtom } from "../../lib/choice";
import { keepSame } from "../../lib/keep-same";
import { resource, resourceFamily } from "../../lib/resource";
import { downCountAtom } from "../../ui/page-title";
import { findMonitor, listChecks, listMonitors, type Monitor, type Range, series } from "./calls";
import { sorts } from "./select-monitors";

let shown: Monitor[] = [];

const loadMonitors = async () => {
  const answer = await listMonitors();
  shown = keepSame(shown, answer.monitors);
  return { ...answer, monitors: shown };
};

export const monitorsAtom = resource(loadMonitors, {
  soon: ({ monitors }) => monitors.some(({ status }) => status === "pending"),
  learned: ({ counts }, set) => set(downCountAtom, counts.down),
});

export const monitorAtom = resourceFamily((id: string) => findMonitor(id), {
  soon: ({ monitor }) => monitor.status === "pending",
});

export const seriesAtom = resourceFamily((key: `${string}/${Range}`) => {
  const [id = "", range] = key.split("/");
  return series(id, range as Range);
});

export const newestChecksAtom = resourceFamily((key: `${string}/${"all" | "down"}`) => {
  const [id = "", status] = key.split("/");
  return listChecks(id, status === "down" ? { status } : {});
});

export const viewAtom = choiceAtom("monitors.view", ["grid", "list"], "grid");
export const sortAtom = choiceAtom("monitors.sort", sorts, "name");
