import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { describe, ok } from "../../server/answers";
import { signedIn } from "../accounts/guard";
import { toCsv } from "./export";
import { exportReportQuery, parsePeriod, parseScope, type ReportQuery, reportQuery } from "./model";
import { Report, readReport, type Wanted } from "./report";
import { reportScheduleRoutes } from "./schedules/routes";
import type { ReadPageTargets } from "./targets";

/** @throws {AppError} validation */
const parseWanted = ({ scope = "all", target, limit, offset, ...period }: ReportQuery, now: number): Wanted => ({
  ...parsePeriod(period, now),
  scope: { text: scope, parsed: parseScope(scope) },
  target,
  ...(limit !== undefined && { limit }),
  ...(offset !== undefined && { offset }),
});

export const reportRoutes = (deps: Deps, readPageTargets: ReadPageTargets) =>
  new Elysia({ prefix: "/api/reports", tags: ["Reports"] })
    .use(reportScheduleRoutes(deps))
    .use(signedIn(deps))
    .get(
      "/",
      async ({ user, query }) => {
        const wanted = parseWanted(query, deps.clock.now());
        const read = () => readReport(deps, user, wanted, readPageTargets);
        return { success: true as const, report: await deps.costlyCalls.run(user.id, read) };
      },
      {
        query: reportQuery,
        detail: describe({
          id: "getReport",
          summary: "Get a report",
          description:
            "Uptime, outages, response times, peaks and traffic of monitors and servers in a period: the last month unless given, at most 400 days. Your own ones; of every user's for administrators.",
          access: "user",
          answer: { description: "The report.", schema: ok({ report: Report }) },
          refusals: ["rate_limited"],
        }),
      },
    )
    .get(
      "/export",
      async ({ user, query }) => {
        const wanted = { ...parseWanted(query, deps.clock.now()), limit: Number.POSITIVE_INFINITY };
        const read = async () => toCsv(await readReport(deps, user, wanted, readPageTargets));
        const headers = {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": 'attachment; filename="report.csv"',
        };
        return new Response(await deps.costlyCalls.run(user.id, read), { headers });
      },
      {
        query: exportReportQuery,
        detail: describe({
          id: "exportReport",
          summary: "Export a report",
          description: "All targets of a report with their figures, as a file.",
          access: "user",
          answer: { description: "The file.", type: "text/csv", example: "from,to,target_type,…" },
          refusals: ["rate_limited"],
        }),
      },
    );
