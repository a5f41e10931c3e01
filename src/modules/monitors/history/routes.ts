import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, gapsField, integer, list, nullable, ok } from "../../../server/answers";
import { idParam, parseChartSpan } from "../../../server/schema";
import { signedIn } from "../../accounts/guard";
import { maintenanceTimesField } from "../../alerting/maintenance/running";
import { checksQuery, runsQuery } from "../model";
import { Check } from "../present";
import { findMonitor } from "../service";
import { readHistory } from "./checks";
import { listRuns, Run } from "./runs";
import { seriesQuery } from "./series/model";
import { SeriesPoint, SeriesSummary, seriesOf } from "./series/series";

const success = true as const;
const params = idParam("The monitor's id.");

/** A monitor's checks, one by one, as runs, and as the points of a chart. */
export const historyRoutes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .guard({ params })
    .get(
      "/:id/checks",
      async ({ user, params, query }) => {
        const { monitor } = await findMonitor(deps, user, params.id);
        const limit = query.limit ?? 50;
        const checks = await readHistory(deps, monitor, { ...query, limit });
        return { success, checks, next: checks.length === limit ? (checks.at(-1)?.id ?? null) : null };
      },
      {
        query: checksQuery,
        detail: describe({
          id: "listChecks",
          summary: "List a monitor's checks",
          description: "Each check with its outcome, error, status code and times.",
          access: "user",
          answer: {
            description: "A page of checks, newest first.",
            schema: ok({
              checks: list(Check),
              next: nullable(integer("`before` of the next page; null on the last one.", 1_768_479_600_000)),
            }),
          },
        }),
      },
    )
    .get(
      "/:id/runs",
      async ({ user, params, query }) => {
        await findMonitor(deps, user, params.id);
        return { success, ...(await listRuns(deps, params.id, query)) };
      },
      {
        query: runsQuery,
        detail: describe({
          id: "listRuns",
          summary: "List a monitor's checks as runs",
          description:
            "A run is a number of checks in a row with the same outcome, error and status code. Pausing the monitor ends a run, and so does a gap of the hub of two minutes or more. One call reads at most 1,000 hours with failures: a page may have fewer runs than `limit` although there is a next one.",
          access: "user",
          answer: {
            description: "A page of runs, newest first.",
            schema: ok({
              runs: list(Run),
              next: nullable(integer("`before` of the next page; null on the last one.", 1_768_479_600_000), null),
              gaps: gapsField,
              maintenance: maintenanceTimesField,
            }),
          },
        }),
      },
    )
    .get(
      "/:id/series",
      async ({ user, params, query }) => {
        await findMonitor(deps, user, params.id);
        const span = parseChartSpan(query.range ?? "24h", query);
        return { success, ...(await seriesOf(deps, params.id, span)) };
      },
      {
        query: seriesQuery,
        detail: describe({
          id: "getSeries",
          summary: "Get a monitor's response times",
          description: "For a chart: the times of many checks are summed up in each point.",
          access: "user",
          answer: {
            description:
              "At most 400 points, oldest first; spans without a check have none. Of a range from one time to another, points are as short as the stored history and this number allow: one minute to one day. In a range of 24 hours a point is five minutes, or one minute while every check is younger than six hours. `summary` has the figures of the whole range.",
            schema: ok({
              points: list(SeriesPoint),
              summary: SeriesSummary,
              gaps: gapsField,
              maintenance: maintenanceTimesField,
            }),
          },
        }),
      },
    );
