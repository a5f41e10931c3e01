/** Maintenance of Gatus: a start, a length and weekdays, for all endpoints or for one. */
import { MINUTE } from "../../../../shared/limits";
import { WINDOW_LIMITS } from "../../../../shared/outages/maintenance";
import { secondsOf } from "../read-text";
import type { Item } from "../source";
import { type Fields, note, recordOf, textOf } from "../text";

const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

const scheduleOf = (sent: Fields) => {
  const every = (Array.isArray(sent.every) ? sent.every : []).map((day) => DAYS.indexOf(String(day).toLowerCase()) + 1);
  return {
    kind: "weekly",
    days: every.length > 0 ? [...new Set(every)].sort() : [1, 2, 3, 4, 5, 6, 7],
    at: textOf(sent, "start"),
    minutes: Math.ceil(((secondsOf(sent.duration) ?? 0) * 1000) / MINUTE),
    zone: textOf(sent, "timezone") || "UTC",
  };
};

const windowItem = (sent: Fields, item: Pick<Item, "externalId" | "name">, monitors: readonly number[]): Item => {
  const window = { part: "windows" as const, ...item, kind: "maintenance" };
  if (sent.enabled === false) return { ...window, content: null, notes: [note("window_inactive")] };
  if (monitors.length === 0) return { ...window, content: null, notes: [note("parent_left_out")] };
  const content = { title: item.name.slice(0, WINDOW_LIMITS.title), monitors, schedule: scheduleOf(sent) };
  return { ...window, content, notes: [] };
};

/** The windows of a configuration, for all its monitors and for single endpoints, whose order is the order of their items. */
export const maintenanceItems = (document: Fields, endpoints: readonly Fields[], monitors: readonly Item[]): Item[] => {
  const ids = monitors.flatMap(({ content }) => content?.id ?? []).slice(0, WINDOW_LIMITS.targets);
  const all =
    document.maintenance === undefined
      ? []
      : [windowItem(recordOf(document.maintenance), { externalId: "maintenance", name: "maintenance" }, ids)];
  const own = endpoints.flatMap((endpoint, index) => {
    const monitor = monitors[index];
    const sent = endpoint["maintenance-windows"];
    if (!monitor || !Array.isArray(sent)) return [];
    return sent.map((one, place) =>
      windowItem(
        recordOf(one),
        { externalId: `maintenance:${monitor.externalId}:${place}`, name: monitor.name },
        monitor.content?.id === undefined ? [] : [monitor.content.id],
      ),
    );
  });
  return [...all, ...own];
};
