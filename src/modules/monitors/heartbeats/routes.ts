import { Elysia, t } from "elysia";
import type { Deps } from "../../../core/deps";
import { validation } from "../../../core/errors";
import { seesSecrets } from "../../../db/owner";
import { isoTime } from "../../../lib/time";
import { describe, integer, list, nullable, ok, time } from "../../../server/answers";
import { field, idParam, whole } from "../../../server/schema";
import { CRON_EXPECTED, CRON_LENGTH, ZONE_LENGTH } from "../../../shared/monitor-kinds/heartbeat";
import { signedIn } from "../../accounts/guard";
import { findMonitor } from "../service";
import { KEPT_PINGS, Ping, readPings } from "./pings";
import { cronProblems, nextCronTimes } from "./schedule";

const pingsQuery = t.Object({
  before: t.Optional(
    field(whole(1, Number.MAX_SAFE_INTEGER), "Only pings before the one with this id: `next` of the previous page."),
  ),
  limit: t.Optional(
    field(whole(1, KEPT_PINGS), `The size of the page: 1 to ${KEPT_PINGS}; ${KEPT_PINGS} by default.`, 20),
  ),
});

/** The pings of a heartbeat, as its owner reads them. */
export const pingListRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/monitors", tags: ["Monitors"] }).use(signedIn(deps)).get(
    "/:id/pings",
    async ({ user, params, query }) => {
      const { monitor } = await findMonitor(deps, user, params.id);
      const { before, limit = KEPT_PINGS } = query;
      const reads = !seesSecrets(user, monitor);
      return { success: true as const, ...(await readPings(deps, params.id, { before, limit, reads })) };
    },
    {
      params: idParam("The monitor's id."),
      query: pingsQuery,
      detail: describe({
        id: "listPings",
        summary: "List a heartbeat's pings",
        description: `The last ${KEPT_PINGS} pings are kept. Other monitors have none.`,
        access: "user",
        answer: {
          description: "A page of pings, newest first.",
          schema: ok({
            pings: list(Ping),
            next: nullable(integer("`before` of the next page; null on the last one.", 1234), null),
          }),
        },
      }),
    },
  );

/** Times that the answer holds. */
const TIMES = 3;

const scheduleQuery = t.Object({
  cron: field(
    t.String({ maxLength: CRON_LENGTH, error: CRON_EXPECTED }),
    "A cron expression of five fields, or a name such as @daily.",
    "0 3 * * 1-5",
  ),
  tz: t.Optional(
    field(
      t.String({ maxLength: ZONE_LENGTH, error: "expected a time zone" }),
      "Its time zone; UTC by default.",
      "Europe/Berlin",
    ),
  ),
});

/** When a heartbeat with a cron expression would expect its pings. */
export const scheduleRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/monitors", tags: ["Monitors"] }).use(signedIn(deps)).get(
    "/schedule",
    ({ query: { cron, tz = "UTC" } }) => {
      const problems = cronProblems({ cron, tz });
      if (problems.length > 0) throw validation(problems);
      const times = nextCronTimes({ cron: cron.trim(), tz }, deps.clock.now(), TIMES);
      return { success: true as const, times: times.map(isoTime) };
    },
    {
      query: scheduleQuery,
      detail: describe({
        id: "previewSchedule",
        summary: "Preview the schedule of a heartbeat",
        description: `The next ${TIMES} times of a cron expression, as a heartbeat would expect pings.`,
        access: "user",
        answer: {
          description: "The times, earliest first; fewer if there are no more in the next years.",
          schema: ok({ times: list(time("A time of the expression.", "2026-01-15T02:00:00.000Z")) }),
        },
      }),
    },
  );
