import { resource, resourceFamily, shareUnchanged } from "../../lib/resource";
import { choiceAtom } from "../../lib/storage";
import { monitorsDownAtom } from "../../ui/layout/page-title";
import { findMonitor, listChecks, listMonitors, type Monitor, type Range, series } from "./calls";
import { sorts } from "./list/select-monitors";

/** A change of no more than a name brings no check with it: so long after one, none is waited for any more. */
const expected = 10_000;

/** A first result, or one after a change, is on its way. */
const isDue = ({ status, active, updated_at, last_checked }: Omit<Monitor, "history">) =>
  status === "pending" ||
  (active && last_checked !== null && updated_at > last_checked && Date.now() - Date.parse(updated_at) < expected);

let shown: Monitor[] = [];

const loadMonitors = async () => {
  const answer = await listMonitors();
  shown = shareUnchanged(shown, answer.monitors);
  return { ...answer, monitors: shown };
};

export const monitorsAtom = resource(loadMonitors, {
  soon: ({ monitors }) => monitors.some(isDue),
  learned: ({ counts }, set) => set(monitorsDownAtom, counts.down),
});

export const monitorAtom = resourceFamily((id: string) => findMonitor(id), {
  soon: ({ monitor }) => isDue(monitor),
});

/** Charts and checks change with the monitor's last check, which is polled: useRefreshOn refreshes them. */
const withTheMonitor = { every: null };

export const seriesAtom = resourceFamily((key: `${string}/${Range}`) => {
  const [id = "", range] = key.split("/");
  return series(id, range as Range);
}, withTheMonitor);

export const newestChecksAtom = resourceFamily((key: `${string}/${"all" | "down"}`) => {
  const [id = "", status] = key.split("/");
  return listChecks(id, status === "down" ? { status } : {});
}, withTheMonitor);

export const viewAtom = choiceAtom("monitors.view", ["grid", "list"], "grid");
export const sortAtom = choiceAtom("monitors.sort", sorts, "name");
