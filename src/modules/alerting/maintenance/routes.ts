import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { boolean, describe, id, list, object, ok, oneOf, text, time } from "../../../server/answers";
import { idParam } from "../../../server/schema";
import { TARGET_TYPES } from "../../../shared/notifications";
import { WINDOW_LIMITS } from "../../../shared/outages/maintenance";
import { signedIn } from "../../accounts/guard";
import { previewModel, startModel, windowModel } from "./model";
import { MaintenanceWindow, Occurrence } from "./present";
import {
  createWindow,
  deleteWindow,
  endWindow,
  listWindows,
  previewSchedule,
  readWindow,
  startWindow,
  updateWindow,
} from "./service";

const success = true as const;

const RULES =
  "Checks go on in a window. An outage that begins in it alerts no one; at its end, what is still broken is alerted at once, and what is over is not. Steps and reminders of earlier outages rest, and deadlines of heartbeats move to its end.";

const WindowList = ok({
  windows: list(MaintenanceWindow),
  past: list(MaintenanceWindow, "Those that are over."),
  targets: list(
    object({
      type: oneOf("Its type.", TARGET_TYPES, "monitor"),
      id: id("Its id.", 3),
      name: text("Its name.", "Shop"),
    }),
    "The monitors and servers that these windows name.",
  ),
});

const previewDetail = describe({
  id: "previewWindow",
  summary: "Preview a schedule",
  description: "Its next occurrences, at most 5. Saves nothing.",
  access: "user",
  answer: { description: "The occurrences.", schema: ok({ occurrences: list(Occurrence) }) },
});

/** The calls that read, save, start and end the maintenance windows of a team. */
export const maintenanceRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/windows", tags: ["Maintenance"] })
    .use(signedIn(deps))
    .get("/", async ({ user }) => ({ success, ...(await listWindows(deps, user)) }), {
      detail: describe({
        id: "listWindows",
        summary: "List maintenance windows",
        description: "Those of the team, the next one first, and the latest 50 that are over.",
        access: "user",
        answer: {
          description: "The windows.",
          schema: WindowList,
        },
      }),
    })
    .post(
      "/",
      async ({ user, body, status }) => status(201, { success, window: await createWindow(deps, user, body) }),
      {
        body: windowModel,
        detail: describe({
          id: "createWindow",
          summary: "Create a maintenance window",
          description: `${RULES} A team may have ${WINDOW_LIMITS.windows} that are not over.`,
          access: "user",
          answer: { status: 201, description: "The window.", schema: ok({ window: MaintenanceWindow }) },
          refusals: ["too_many_windows"],
        }),
      },
    )
    .post(
      "/start",
      async ({ user, body, status }) => {
        const { id, over_at } = await startWindow(deps, user, body);
        return status(201, { success, id, until: over_at ?? "" });
      },
      {
        body: startModel,
        detail: describe({
          id: "startWindow",
          summary: "Start maintenance now",
          description: "For deployments: it ends by itself, or before by the call that ends it.",
          access: "user",
          answer: {
            status: 201,
            description: "It has begun.",
            schema: ok({ id: id("The window's id.", 2), until: time("When it ends.") }),
          },
          refusals: ["too_many_windows"],
        }),
      },
    )
    .post("/preview", ({ user, body }) => ({ success, occurrences: previewSchedule(deps, user, body.schedule) }), {
      body: previewModel,
      detail: previewDetail,
    })
    .guard({ params: idParam("The window's id.") })
    .get("/:id", async ({ user, params }) => ({ success, window: await readWindow(deps, user, params.id) }), {
      detail: describe({
        id: "readWindow",
        summary: "Read a maintenance window",
        description: "With its present and its next occurrence.",
        access: "user",
        answer: { description: "The window.", schema: ok({ window: MaintenanceWindow }) },
      }),
    })
    .put(
      "/:id",
      async ({ user, params, body }) => ({ success, window: await updateWindow(deps, user, params.id, body) }),
      {
        body: windowModel,
        detail: describe({
          id: "updateWindow",
          summary: "Change a maintenance window",
          description: "Replaces all of it from now on. Uptimes of the time before do not change.",
          access: "user",
          answer: { description: "The window.", schema: ok({ window: MaintenanceWindow }) },
        }),
      },
    )
    .post("/:id/end", async ({ user, params }) => ({ success, ended: await endWindow(deps, user, params.id) }), {
      detail: describe({
        id: "endWindow",
        summary: "End maintenance now",
        description:
          "Ends the present occurrence; a window that recurs comes again. What is still broken is alerted at once.",
        access: "user",
        answer: {
          description: "It is not running.",
          schema: ok({ ended: boolean("Whether it was running until now.", true) }),
        },
      }),
    })
    .delete("/:id", ({ user, params }) => deleteWindow(deps, user, params.id).then(() => ({ success })), {
      detail: describe({
        id: "deleteWindow",
        summary: "Delete a maintenance window",
        description: "It ends if it is running. Uptimes of the time before do not change.",
        access: "user",
        answer: { description: "The window is deleted.", schema: ok() },
      }),
    });
