import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { AppError } from "../../core/errors";
import type { Viewer } from "../../db/owner";
import { ownerOf } from "../../db/owner";
import { describe, integer, list, ok } from "../../server/answers";
import { idParam } from "../../server/schema";
import { presentPhases } from "../../shared/monitor";
import { signedIn } from "../accounts/guard";
import { dependencyRoutes } from "../alerting/dependencies/routes";
import { drillRoutes } from "../alerting/drill/routes";
import { alertsRoutes } from "../alerting/effective/routes";
import { muteRoutes } from "../alerting/mutes/routes";
import { readTagFilter } from "../tags/model";
import { bulkRoutes } from "./bulk/routes";
import { createMonitor, deleteMonitor, setActive, updateMonitor } from "./change";
import { CompactMonitor } from "./compact";
import type { Engine } from "./engine/engine";
import { MANUAL_PAUSE } from "./engine/off-schedule/manual-checks";
import { historyRoutes } from "./history/routes";
import { shownTo } from "./kinds/masks";
import { kindOf } from "./kinds/registry";
import { listCompact, listMonitors, MonitorCounts } from "./list";
import { detailQuery, listQuery, monitorModel, parseMonitor } from "./model";
import { Check, ListedMonitor, phasesField, presentCheck } from "./present";
import { probeRoutes } from "./probe/routes";
import { findMonitor, Monitor, MonitorDetail, readMonitor, readMonitorDetail } from "./service";

const success = true as const;
const params = idParam("The monitor's id.");

const collection = (deps: Deps, engine: Engine) =>
  new Elysia()
    .use(signedIn(deps))
    .get(
      "/",
      async ({ user, query, request }) => {
        const filter = { ...query, tags: readTagFilter(request) };
        const list = filter.fields === "compact" ? listCompact : listMonitors;
        return { success, ...(await list(deps, user, filter)) };
      },
      {
        query: listQuery,
        detail: describe({
          id: "listMonitors",
          summary: "List monitors",
          description:
            "Your own, in the order of their creation unless sorted; administrators see every user's. Large fields, such as headers and bodies, are left out unless `fields` is `all`.",
          access: "user",
          answer: {
            description: "A page of monitors.",
            schema: ok({
              total: integer("How many monitors match, on all pages.", 1),
              counts: MonitorCounts,
              monitors: Type.Union([list(ListedMonitor), list(CompactMonitor)]),
            }),
          },
        }),
      },
    )
    .post(
      "/",
      async ({ user, body, status }) => {
        const id = await createMonitor(deps, user, parseMonitor(body, deps.config));
        void engine.tick();
        return status(201, { success, monitor: await readMonitor(deps, user, id) });
      },
      {
        body: monitorModel,
        detail: describe({
          id: "createMonitor",
          summary: "Create a monitor",
          description: "The first check starts within two seconds.",
          access: "user",
          answer: { status: 201, description: "The monitor was created.", schema: ok({ monitor: Monitor }) },
          refusals: ["quota_reached", "too_many_tags", "ping_unavailable", "rdap_unavailable"],
        }),
      },
    );

const single = (deps: Deps, engine: Engine) =>
  new Elysia()
    .use(signedIn(deps))
    .guard({ params })
    .get(
      "/:id",
      async ({ user, params, query }) => ({
        success,
        monitor: await readMonitorDetail(deps, user, params.id, query.history),
      }),
      {
        query: detailQuery,
        detail: describe({
          id: "getMonitor",
          summary: "Get a monitor",
          description:
            "With the whole configuration, uptime of several spans and the latest checks. An API key with the scope `read` sees no secrets in it.",
          access: "user",
          answer: { description: "The monitor with its latest checks.", schema: ok({ monitor: MonitorDetail }) },
        }),
      },
    )
    .put(
      "/:id",
      async ({ user, params, body }) => {
        const storedMonitor = await findMonitor(deps, user, params.id);
        const input = parseMonitor(body, deps.config, storedMonitor.monitor, shownTo(user, storedMonitor.monitor));
        const { monitor } = storedMonitor;
        // An administrator who is no member changes a monitor for its team.
        const by = user.teams.has(monitor.teamId) ? user.id : monitor.userId;
        if (await updateMonitor(deps, storedMonitor, input, { by, author: user }))
          engine.restart(params.id, input.active);
        else void engine.tick();
        return { success, monitor: await readMonitor(deps, user, params.id) };
      },
      {
        body: monitorModel,
        detail: describe({
          id: "updateMonitor",
          summary: "Update a monitor",
          description:
            "Name, interval and, of an http monitor, URL are required; other fields that are left out keep their values. When a field of its kind changes, the monitor is checked within two seconds.",
          access: "user",
          answer: { description: "The monitor was updated.", schema: ok({ monitor: Monitor }) },
          refusals: ["too_many_tags", "ping_unavailable", "rdap_unavailable"],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ user, params }) => {
        await deleteMonitor(deps, await findMonitor(deps, user, params.id), user);
        return { success };
      },
      {
        detail: describe({
          id: "deleteMonitor",
          summary: "Delete a monitor",
          description: "Its history is deleted, too.",
          access: "user",
          answer: { description: "The monitor was deleted.", schema: ok() },
        }),
      },
    );

const actions = (deps: Deps, engine: Engine) =>
  new Elysia()
    .use(signedIn(deps))
    .guard({ params })
    .post(
      "/:id/pause",
      async ({ user, params }) => {
        const found = await findMonitor(deps, user, params.id);
        if (await setActive(deps, found, false, user)) engine.restart(params.id, false);
        return { success, monitor: await readMonitor(deps, user, params.id) };
      },
      {
        detail: describe({
          id: "pauseMonitor",
          summary: "Pause a monitor",
          description: "It is not checked until it is resumed. Its history stays, and an open outage ends.",
          access: "user",
          answer: { description: "The monitor is paused.", schema: ok({ monitor: Monitor }) },
        }),
      },
    )
    .post(
      "/:id/resume",
      async ({ user, params }) => {
        const found = await findMonitor(deps, user, params.id);
        if (await setActive(deps, found, true, user)) engine.restart(params.id, true);
        return { success, monitor: await readMonitor(deps, user, params.id) };
      },
      {
        detail: describe({
          id: "resumeMonitor",
          summary: "Resume a monitor",
          description: "A monitor that is not paused stays as it is.",
          access: "user",
          answer: {
            description: "The monitor is active again and checked within two seconds.",
            schema: ok({ monitor: Monitor }),
          },
        }),
      },
    )
    .post(
      "/:id/check",
      async ({ user, params, server, request }) => {
        const { monitor } = await findMonitor(deps, user, params.id);
        if (kindOf(monitor.kind)?.passive) throw new AppError("not_checkable");
        // A check may take longer than the idle timeout of a connection.
        server?.timeout(request, 0);
        const check = await engine.checkNow(params.id, MANUAL_PAUSE[user.role]);
        return {
          success,
          check: presentCheck(monitor.kind, check),
          phases: presentPhases(check.phases),
          monitor: await readMonitor(deps, user, params.id),
        };
      },
      {
        detail: describe({
          id: "checkMonitor",
          summary: "Check a monitor now",
          description:
            "Answers when the check has finished and its result is stored, which may take the monitor's timeout and its retries. If a check is in progress, its result is answered. The next manual check of the same monitor may start after 10 seconds, for administrators after one second.",
          access: "user",
          answer: {
            description: "The result of the check; 200 also when the monitor is down.",
            schema: ok({ check: Check, phases: phasesField, monitor: Monitor }),
          },
          refusals: [
            "check_in_progress",
            "not_checkable",
            "monitor_paused",
            "rate_limited",
            "hub_unavailable",
            "registry_unavailable",
          ],
        }),
      },
    );

export const monitorRoutes = (deps: Deps, engine: Engine) => {
  const findOwner = async (viewer: Viewer, id: number) => ownerOf((await findMonitor(deps, viewer, id)).monitor);
  return new Elysia({ prefix: "/api/monitors", tags: ["Monitors"] })
    .use(collection(deps, engine))
    .use(probeRoutes(deps, engine))
    .use(bulkRoutes(deps, engine))
    .use(single(deps, engine))
    .use(actions(deps, engine))
    .use(muteRoutes(deps, "monitor", params, findOwner))
    .use(dependencyRoutes(deps, "monitor", params, findOwner))
    .use(drillRoutes(deps, "monitor", params))
    .use(alertsRoutes(deps, "monitor", params))
    .use(historyRoutes(deps));
};
