import { BULK_LIMITS, type BulkAction } from "../../../../src/shared/monitor";
import { api, listCompact, payload } from "../../../api";
import { resource } from "../../../lib/resource";
import { searchQuery, tagQuery } from "../../../ui/lists/paging";
import type { MaintenanceTarget } from "../../maintenance/start/api";
import type { ListedMonitor, Selection } from "../api";

/** The monitors that a call changes: those that are marked, or all that a list has. */
export type Target = { ids: number[] } | { filter: Pick<Selection, "search" | "tags" | "filter"> };

/** The change of a bulk action. */
export type Change =
  | { action: BulkAction }
  | {
      set: {
        /** Seconds. */
        interval?: number;
        add_tags?: { name: string; value?: string }[];
        remove_tags?: string[];
        channels?: number[] | null;
      };
    };

export type BulkResult = Awaited<ReturnType<typeof changeMonitors>>;

const targetOf = (target: Target) => {
  if ("ids" in target) return { ids: target.ids };
  const { search, tags, filter } = target.filter;
  return { filter: { ...(search && { search }), ...(filter !== "all" && { status: filter }), tags } };
};

/** The monitors of a target with their teams. Those that are marked are in the list. */
export const readTargets = async (
  target: Target,
  listed: readonly Pick<ListedMonitor, "id" | "team">[],
): Promise<MaintenanceTarget[]> => {
  const found = "ids" in target ? listed.filter(({ id }) => target.ids.includes(id)) : await listAll(target.filter);
  return found.map(({ id, team }) => ({ type: "monitor", id, team }));
};

const listAll = async ({ search, tags, filter }: Pick<Selection, "search" | "tags" | "filter">) => {
  const selected = { ...searchQuery(search), ...tagQuery(tags), ...(filter !== "all" && { status: filter }) };
  return (await listCompact({ history: 0, limit: BULK_LIMITS.monitors, ...selected })).monitors;
};

/** Changes many monitors, or only counts them with `dryRun`. */
export const changeMonitors = (target: Target, change: Change, dryRun: boolean) =>
  payload(api.monitors.bulk.post({ ...targetOf(target), ...change, dry_run: dryRun }));

/** The channels that can be chosen. */
export const channelsAtom = resource(async () => (await payload(api.notifications.get())).data.channels);
