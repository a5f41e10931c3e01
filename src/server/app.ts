import { Elysia } from "elysia";
import type { Deps } from "../core/deps";
import { auditRoutes } from "../modules/accounts/audit/routes";
import { keyRoutes, teamKeyRoutes } from "../modules/accounts/keys/routes";
import { quotaRoutes } from "../modules/accounts/quotas/routes";
import { authRoutes, registrationRoutes, securityRoutes } from "../modules/accounts/routes";
import { sessionRoutes } from "../modules/accounts/sessions/routes";
import { acceptRoutes, invitationRoutes } from "../modules/accounts/teams/invitations/routes";
import { teamRoutes } from "../modules/accounts/teams/routes";
import type { Member } from "../modules/accounts/teams/service";
import { userRoutes } from "../modules/accounts/users/routes";
import { channelKinds } from "../modules/alerting/channels/registry";
import { maintenanceRoutes } from "../modules/alerting/maintenance/routes";
import { alertFamilies } from "../modules/alerting/metrics";
import { outageRoutes } from "../modules/alerting/outages/routes";
import { notificationRoutes } from "../modules/alerting/routes";
import { type ConnectivityState, dashboardRoutes } from "../modules/dashboard/routes";
import { docsRoutes } from "../modules/docs/routes";
import { afterWrite, liveRoutes } from "../modules/live/routes";
import { metricsRoutes } from "../modules/metrics/routes";
import type { Engine } from "../modules/monitors/engine/engine";
import { pingRoutes } from "../modules/monitors/heartbeats/ingest/routes";
import { pingKeyRoutes } from "../modules/monitors/heartbeats/ping-keys/routes";
import { pingListRoutes, scheduleRoutes } from "../modules/monitors/heartbeats/routes";
import { monitorFamilies } from "../modules/monitors/metrics";
import { objectiveRoutes } from "../modules/monitors/objectives/routes";
import { monitorRoutes } from "../modules/monitors/routes";
import { moveRoutes } from "../modules/moving/routes";
import { linkRoutes } from "../modules/reports/links/routes";
import { renameInReports } from "../modules/reports/rename";
import { reportRoutes } from "../modules/reports/routes";
import { downloadRoutes } from "../modules/servers/install/downloads";
import { serverFamilies } from "../modules/servers/metrics";
import { serverRoutes } from "../modules/servers/routes";
import { thresholdRoutes } from "../modules/servers/thresholds/routes";
import { pageKeyRoutes, pageSessionRoutes } from "../modules/status-page/access/routes";
import { invalidatePages } from "../modules/status-page/cache";
import { incidentRoutes } from "../modules/status-page/incidents/routes";
import { pageRoutes } from "../modules/status-page/pages/routes";
import { badgeRoutes, statusRoutes } from "../modules/status-page/routes";
import { subscribeRoutes, subscriberRoutes } from "../modules/status-page/subscribers/routes";
import { readPageTargets, renameInGroups } from "../modules/status-page/tagged";
import { backupFamilies } from "../modules/system/backups/metrics";
import { readBackupAge } from "../modules/system/backups/nightly";
import { mailRoutes, systemRoutes } from "../modules/system/routes";
import { tagRoutes } from "../modules/tags/routes";
import { transferRoutes } from "../modules/transfer/routes";
import { renameInWalls } from "../modules/wall/keys";
import { wallKeyRoutes, wallRoutes } from "../modules/wall/routes";
import { SECOND } from "../shared/limits";
import { describe, integer, nullable, object, oneOf, optional, text } from "./answers";
import { parts } from "./compose/transfer-parts";
import { readCounts } from "./compose/views";
import { assertBody, createErrorHandler, type RouteSchemas, type Routes } from "./error-handler";
import { assertJsonBody, assertSafeBody, isPing } from "./request-limits";

/** Maximum delay of a trivial task on a live event loop (ms). */
const LIVENESS_LIMIT = 1000;

/** A small task of the thread pool, which password hashing, compression and file access also use. */
const poolWork = (): Promise<unknown> => crypto.subtle.digest("SHA-256", new Uint8Array(1));

/**
 * Whether this process can do trivial work within a second: a task of the thread pool, and a turn of the event loop.
 * Callers share one task, so that health checks do not add to the load.
 */
export const createLiveness = (
  work: () => Promise<unknown> = poolWork,
  now: () => number = () => performance.now(),
) => {
  let running: { startedAt: number; done: Promise<boolean> } | undefined;
  const start = () => {
    const startedAt = now();
    const done = work()
      .then(() => now() - startedAt <= LIVENESS_LIMIT)
      .finally(() => {
        running = undefined;
      });
    return { startedAt, done };
  };
  return async (): Promise<boolean> => {
    running ??= start();
    const left = Math.max(0, LIVENESS_LIMIT - (now() - running.startedAt));
    const timeout = new Promise<boolean>((resolve) =>
      AbortSignal.timeout(left).addEventListener("abort", () => resolve(false), { once: true }),
    );
    return Promise.race([running.done, timeout]);
  };
};

const isAlive = createLiveness();

/** Whether the database is writable and the event loop responds. */
const isHealthy = async ({ db }: Pick<Deps, "db">): Promise<boolean> => {
  const writable = db.assertWritable().then(
    () => true,
    () => false,
  );
  return (await Promise.all([isAlive(), writable])).every(Boolean);
};

const health = object({
  status: oneOf("The status.", ["ok", "unavailable"]),
  instance: text("Which of the instances on one database this is.", "5f0c2f1e"),
  backup_age: optional(
    nullable(
      integer(
        "Seconds since the last `wakeful backup`; null if there was none, or another tool makes backups.",
        32_400,
      ),
    ),
  ),
});
const healthDescription = describe({
  id: "getHealth",
  summary: "Health check",
  description: "Also under the names that probes ask by convention: /healthz, /readyz, /livez, /ready and /-/healthy.",
  access: "public",
  answer: [
    { description: "The database is writable, and the event loop responds within a second.", schema: health },
    {
      status: 503,
      description: "One of the two is not the case.",
      schema: health,
      example: { status: "unavailable", instance: "5f0c2f1e" },
    },
  ],
});

type Parts = {
  deps: Deps;
  engine: Engine;
  connectivity: ConnectivityState;
  onChange: () => void;
  /** All routes of the app, once it is complete. */
  routes: Routes;
};

/** Renames a tag in everything that names it. */
const renameTag: typeof renameInGroups = async (...change) => {
  await renameInGroups(...change);
  await renameInWalls(...change);
  await renameInReports(...change);
};

/*
 * The routes are in groups, because TypeScript limits how deep the type of an app may be.
 */

const hubRoutes = (deps: Deps) =>
  new Elysia()
    .use(auditRoutes(deps))
    .use(quotaRoutes(deps))
    .use(systemRoutes(deps, () => isHealthy(deps)))
    .use(mailRoutes(deps));

const accountRoutes = (deps: Deps) =>
  new Elysia()
    .use(authRoutes(deps))
    .use(registrationRoutes(deps))
    .use(sessionRoutes(deps))
    .use(securityRoutes(deps))
    .use(keyRoutes(deps));

const peopleRoutes = (deps: Deps) =>
  new Elysia()
    .use(userRoutes(deps))
    .use(teamRoutes(deps))
    .use(teamKeyRoutes(deps))
    .use(invitationRoutes(deps))
    .use(acceptRoutes(deps))
    .use(moveRoutes(deps, readPageTargets));

const targetRoutes = (deps: Deps, engine: Engine, onChange: () => void) =>
  new Elysia()
    .use(monitorRoutes(deps, engine))
    .use(objectiveRoutes(deps))
    .use(pingListRoutes(deps))
    .use(scheduleRoutes(deps))
    .use(pingKeyRoutes(deps))
    .use(serverRoutes(deps, onChange))
    .use(tagRoutes(deps, renameTag))
    .use(thresholdRoutes(deps));

const allSubscriberRoutes = (deps: Deps) => new Elysia().use(subscribeRoutes(deps)).use(subscriberRoutes(deps));

const viewRoutes = (deps: Deps, connectivity: ConnectivityState) =>
  new Elysia()
    .use(statusRoutes(deps))
    .use(pageRoutes(deps))
    .use(pageKeyRoutes(deps))
    .use(pageSessionRoutes(deps))
    .use(incidentRoutes(deps))
    .use(allSubscriberRoutes(deps))
    .use(dashboardRoutes(deps, connectivity))
    .use(liveRoutes(deps, readCounts))
    .use(wallRoutes(deps))
    .use(wallKeyRoutes(deps));

/** Routes of programs: pings, downloads, metrics and badges. */
const programRoutes = (deps: Deps, onChange: () => void) =>
  new Elysia()
    .use(pingRoutes(deps, onChange))
    .use(downloadRoutes(deps))
    .use(metricsRoutes(deps, [monitorFamilies, serverFamilies, alertFamilies, backupFamilies]))
    .use(badgeRoutes(deps));

const allReportRoutes = (deps: Deps) =>
  new Elysia().use(reportRoutes(deps, readPageTargets)).use(linkRoutes(deps, readPageTargets));

const createRoutes = ({ deps, engine, connectivity, onChange, routes }: Parts) =>
  // Hostnames may be as short as `nas`, which Elysia rejects by default.
  new Elysia({ name: "wakeful", handler: { standardHostname: false } })
    .onError(createErrorHandler(deps, routes))
    .onRequest(({ request }) => assertJsonBody(request))
    .onTransform(({ body, query, params, request, route }) => {
      assertSafeBody(body);
      assertSafeBody(query);
      assertBody(routes, { body, query, params, request, route });
    })
    .onAfterHandle((context) => {
      const { method, url } = context.request;
      // Any write may affect a status page, so its cache is invalidated. Reports and pings are too frequent; they rely on its expiry.
      if (method === "GET" || method === "HEAD" || isPing(new URL(url).pathname)) return;
      if (/\/api\/(agents\/(report|live)|status\/(preview|session|subscribe))(\?|$)/.test(url)) return;
      invalidatePages(deps.db);
      afterWrite(deps, url, (context as { user?: Member }).user);
    })
    .get(
      "/health",
      async ({ status }) => {
        if (!(await isHealthy(deps))) return status(503, { status: "unavailable" as const, instance: deps.instance });
        const age = await readBackupAge(deps).catch(() => null);
        return { status: "ok" as const, instance: deps.instance, backup_age: age && Math.round(age / SECOND) };
      },
      { tags: ["System"], detail: healthDescription },
    )
    // Their prefixes have /api, because a group would register each route once more.
    .use(accountRoutes(deps))
    .use(peopleRoutes(deps))
    .use(hubRoutes(deps))
    .use(targetRoutes(deps, engine, onChange))
    .use(outageRoutes(deps))
    .use(allReportRoutes(deps))
    .use(notificationRoutes(deps))
    .use(maintenanceRoutes(deps))
    .use(viewRoutes(deps, connectivity))
    .use(transferRoutes(deps, engine, parts))
    .use(programRoutes(deps, onChange));

/**
 * Creates the app: everything under /api with its OpenAPI document, the agent's downloads, badges and /health. It does
 * not listen by itself, so that tests can call it.
 */
export const createApp = (deps: Deps, engine: Engine, connectivity: ConnectivityState, onChange = () => {}) => {
  const routes = new Map<string, RouteSchemas>();
  const app = createRoutes({ deps, engine, connectivity, onChange, routes });
  // Without the types of its routes: TypeScript limits how large the type of an app may be.
  (app as unknown as Elysia).use(docsRoutes(deps, app, channelKinds.values()));
  for (const route of app.routes) routes.set(`${route.method} ${route.path}`, route);
  return app;
};

export type App = ReturnType<typeof createApp>;
