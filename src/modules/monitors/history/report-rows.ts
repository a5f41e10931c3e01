/** The monitors of a report. */
import { and, asc, eq, type SQL } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { teamsOf, type Viewer, visibleTo } from "../../../db/owner";
import { monitorStates, monitors } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import type { WantedTag } from "../../tags/model";
import { hasTags } from "../../tags/service";
import { kindOf } from "../kinds/registry";

/** Which of the targets that a viewer sees: all, some of them, or those with a tag. */
export type Selection = { ids?: readonly number[]; tag?: WantedTag };

const conditionOf = (viewer: Viewer, { ids, tag }: Selection): SQL | undefined =>
  and(
    visibleTo(monitors, viewer),
    ids && isOneOf(monitors.id, ids),
    tag && hasTags("monitor", monitors.id, [tag], teamsOf(viewer)),
  );

/** The selected monitors by name, at most `limit`, and the number of all of them. */
export const readReportMonitors = async (
  { db }: Pick<Deps, "db">,
  viewer: Viewer,
  selection: Selection,
  limit: number,
) => {
  const condition = conditionOf(viewer, selection);
  const { id, userId, teamId, name, kind, active } = monitors;
  const rows = await db
    .select({ id, userId, teamId, name, kind, active, certExpiresAt: monitorStates.certExpiresAt })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorId, id))
    .where(condition)
    .orderBy(asc(monitors.nameKey), asc(id))
    .limit(limit);
  const expiring = rows.map((row) => ({ ...row, expires: kindOf(row.kind)?.expires ?? ("certificate" as const) }));
  return { rows: expiring, total: rows.length < limit ? rows.length : await db.$count(monitors, condition) };
};
