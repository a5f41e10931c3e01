import type { BulkAction } from "../../../../src/shared/monitor";
import { api, payload } from "../../../api";
import { resource } from "../../../lib/resource";
import type { Selection } from "../api";

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

/** Changes many monitors, or only counts them with `dryRun`. */
export const changeMonitors = (target: Target, change: Change, dryRun: boolean) =>
  payload(api.monitors.bulk.post({ ...targetOf(target), ...change, dry_run: dryRun }));

/** The channels that can be chosen. */
export const channelsAtom = resource(async () => (await payload(api.notifications.get())).data.channels);
