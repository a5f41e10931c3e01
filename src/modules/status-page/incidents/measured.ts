import { and } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { ownedBy } from "../../../db/owner";
import { statusPages } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import type { ComponentStatus } from "../../../shared/status/components";
import { readComponents } from "../pages/components";
import { readStatuses } from "../pages/measured";

/** Reads the measured statuses of the components of some pages of a team. */
export const readMeasured = async (
  store: Pick<Deps, "db" | "clock" | "watching">,
  teamId: number,
  pageIds: readonly number[],
): Promise<Map<number, ComponentStatus>> => {
  const measured = new Map<number, ComponentStatus>();
  if (pageIds.length === 0) return measured;
  const pages = await store.db
    .select()
    .from(statusPages)
    .where(and(isOneOf(statusPages.id, pageIds), ownedBy(statusPages, teamId)));
  for (const page of pages) {
    const components = await readComponents(store, page);
    for (const [id, status] of await readStatuses(store, teamId, components)) measured.set(id, status);
  }
  return measured;
};
