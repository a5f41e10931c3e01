import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, list, ok } from "../../../server/answers";
import { idParam } from "../../../server/schema";
import { MAX_REPORT_SCHEDULES } from "../../../shared/reports/schedule";
import { signedIn } from "../../accounts/guard";
import { scheduleModel } from "../model";
import { createSchedule, deleteSchedule, listSchedules, ReportSchedule, sendNow, updateSchedule } from "./service";

const success = true as const;

/** The calls that read, save, delete and try the caller's own schedules of reports. */
export const reportScheduleRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/schedules" })
    .use(signedIn(deps))
    .get("/", async ({ user }) => ({ success, schedules: await listSchedules(deps, user) }), {
      detail: describe({
        id: "listReportSchedules",
        summary: "List scheduled reports",
        description: "Your own, with what became of the last one of each.",
        access: "user",
        answer: { description: "The schedules.", schema: ok({ schedules: list(ReportSchedule) }) },
      }),
    })
    .post(
      "/",
      async ({ user, body, status }) => status(201, { success, schedule: await createSchedule(deps, user, body) }),
      {
        body: scheduleModel,
        detail: describe({
          id: "createReportSchedule",
          summary: "Schedule a report",
          description: `Weekly or monthly, to channels of yours: as one message with five lines and a link, as a mail with the whole report, and as JSON with its figures to a webhook. A report that could not be sent at its hour is sent up to three days later, and each period once. You may have ${MAX_REPORT_SCHEDULES}.`,
          access: "user",
          answer: { status: 201, description: "The schedule.", schema: ok({ schedule: ReportSchedule }) },
          refusals: ["not_found", "too_many_report_schedules"],
        }),
      },
    )
    .guard({ params: idParam("The schedule's id.") })
    .put(
      "/:id",
      async ({ user, params, body }) => ({ success, schedule: await updateSchedule(deps, user, params.id, body) }),
      {
        body: scheduleModel,
        detail: describe({
          id: "updateReportSchedule",
          summary: "Change a scheduled report",
          description: "Replaces all of it. A period that was sent is not sent again.",
          access: "user",
          answer: { description: "The schedule.", schema: ok({ schedule: ReportSchedule }) },
        }),
      },
    )
    .delete(
      "/:id",
      async ({ user, params }) => {
        await deleteSchedule(deps, user, params.id);
        return { success };
      },
      {
        detail: describe({
          id: "deleteReportSchedule",
          summary: "Delete a scheduled report",
          description: "Links in its messages that need no session answer 404 from then on.",
          access: "user",
          answer: { description: "The schedule is deleted.", schema: ok() },
        }),
      },
    )
    .post(
      "/:id/send",
      async ({ user, params }) => {
        await sendNow(deps, user, params.id);
        return { success };
      },
      {
        detail: describe({
          id: "sendReportNow",
          summary: "Send a scheduled report now",
          description:
            "Sends the last complete week or month to its channels, at most once a minute. The history of notifications has what becomes of it.",
          access: "user",
          answer: { description: "It is being sent.", schema: ok() },
          refusals: ["no_report_channels", "rate_limited"],
        }),
      },
    );
