import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { idParams } from "../../server/schema";
import { signedIn } from "../auth/guard";
import type { Engine } from "./engine/engine";
import { readHistory } from "./history/checks";
import { seriesOf } from "./history/series";
import { type listMonitors, listMonitorsJson } from "./list";
import { unmaskHeaders, withMaskedHeaders } from "./masks";
import { checksQuery, detailQuery, listQuery, monitorModel, parseMonitor, seriesQuery } from "./model";
import { presentCheck } from "./present";
import {
  createMonitor,
  deleteMonitor,
  findMonitor,
  inputOf,
  readMonitor,
  readMonitorDetail,
  setActive,
  updateMonitor,
} from "./service";

const success = true as const;

/** Milliseconds between two manual checks of one monitor. */
const MANUAL_PAUSE = { user: 10_000, admin: 1000 };

type ListAnswer = { success: true } & Awaited<ReturnType<typeof listMonitors>>;

/** JSON that is written already, as an answer of what it says. */
const jsonAnswer = <T>(text: string): T =>
  new Response(text, { headers: { "content-type": "application/json" } }) as unknown as T;

export const monitorRoutes = (deps: Deps, engine: Engine) =>
  new Elysia({ prefix: "/monitors" })
    .use(signedIn(deps))
    .get(
      "/",
      async ({ user, reads, query }) => jsonAnswer<ListAnswer>(await listMonitorsJson(deps, { ...user, reads }, query)),
      { query: listQuery },
    )
    .post(
      "/",
      async ({ user, body, status }) => {
        const id = await createMonitor(deps, user, unmaskHeaders(parseMonitor(body)));
        void engine.tick();
        return status(201, { success, monitor: await readMonitor(deps, user, id) });
      },
      { body: monitorModel },
    )
    .guard({ params: idParams })
    .get(
      "/:id",
      async ({ user, reads, params, query }) => ({
        success,
        monitor: await readMonitorDetail(deps, { ...user, reads }, params.id, query.history),
      }),
      { query: detailQuery },
    )
    .put(
      "/:id",
      async ({ user, params, body }) => {
        const stored = await findMonitor(deps, user, params.id);
        const before = inputOf(stored);
        const shown = stored.monitor.userId === user.id ? before : withMaskedHeaders(before);
        const input = unmaskHeaders(parseMonitor(body, shown), before);
        if (await updateMonitor(deps, stored, input)) engine.restart(params.id, input.active);
        else void engine.tick();
        return { success, monitor: await readMonitor(deps, user, params.id) };
      },
      { body: monitorModel },
    )
    .delete("/:id", async ({ user, params }) => {
      await deleteMonitor(deps, await findMonitor(deps, user, params.id));
      return { success };
    })
    .post("/:id/pause", async ({ user, params }) => {
      if (await setActive(deps, await findMonitor(deps, user, params.id), false)) engine.restart(params.id, false);
      return { success, monitor: await readMonitor(deps, user, params.id) };
    })
    .post("/:id/resume", async ({ user, params }) => {
      if (await setActive(deps, await findMonitor(deps, user, params.id), true)) engine.restart(params.id, true);
      return { success, monitor: await readMonitor(deps, user, params.id) };
    })
    .post("/:id/check", async ({ user, params, server, request }) => {
      await findMonitor(deps, user, params.id);
      // A check may take longer than an idle connection is kept.
      server?.timeout(request, 0);
      const check = await engine.checkNow(params.id, MANUAL_PAUSE[user.role]);
      return { success, check: presentCheck(check), monitor: await readMonitor(deps, user, params.id) };
    })
    .get(
      "/:id/checks",
      async ({ user, params, query }) => {
        await findMonitor(deps, user, params.id);
        const limit = query.limit ?? 50;
        const checks = await readHistory(deps, params.id, { ...query, limit });
        return { success, checks, next: checks.length === limit ? (checks.at(-1)?.id ?? null) : null };
      },
      { query: checksQuery },
    )
    .get(
      "/:id/series",
      async ({ user, params, query }) => {
        await findMonitor(deps, user, params.id);
        return { success, points: await seriesOf(deps, params.id, query.range ?? "24h") };
      },
      { query: seriesQuery },
    );
