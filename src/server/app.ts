import { Elysia } from "elysia";
import type { Deps } from "../core/deps";
import { downloadRoutes } from "../modules/agents/install/downloads";
import { agentRoutes } from "../modules/agents/routes";
import { thresholdRoutes } from "../modules/agents/thresholds/routes";
import type { User } from "../modules/auth/accounts/service";
import { keyRoutes } from "../modules/auth/keys/routes";
import { authRoutes, registrationRoutes, securityRoutes } from "../modules/auth/routes";
import { sessionRoutes } from "../modules/auth/sessions/routes";
import { type ConnectivityState, dashboardRoutes } from "../modules/dashboard/routes";
import { docsRoutes } from "../modules/docs/routes";
import { pingRoutes } from "../modules/heartbeats/ingest/routes";
import { pingListRoutes, scheduleRoutes } from "../modules/heartbeats/routes";
import { afterWrite, liveRoutes } from "../modules/live/routes";
import { metricsRoutes } from "../modules/metrics/routes";
import type { Engine } from "../modules/monitors/engine/engine";
import { monitorRoutes } from "../modules/monitors/routes";
import { notificationRoutes } from "../modules/notifications/routes";
import { outageRoutes } from "../modules/outages/routes";
import { quotaRoutes } from "../modules/quotas/routes";
import { invalidatePages } from "../modules/status-page/cache";
import { badgeRoutes, statusRoutes } from "../modules/status-page/routes";
import { tagRoutes } from "../modules/tags/routes";
import { transferRoutes } from "../modules/transfer/routes";
import { userRoutes } from "../modules/users/routes";
import { describe, object, oneOf, text } from "./answers";
import { assertBody, createErrorHandler, type RouteSchemas, type Routes } from "./error-handler";
import { assertJsonBody, assertSafeBody, isPing } from "./request-limits";

/** Milliseconds within which trivial work has to be done. */
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

const health = object({
  status: oneOf("The status.", ["ok", "unavailable"]),
  instance: text("Which of the instances on one database this is.", "5f0c2f1e"),
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
      if (/\/api\/(agents\/(report|live)|status\/preview)$/.test(url)) return;
      invalidatePages(deps.db);
      afterWrite(deps, url, (context as { user?: User }).user);
    })
    .get(
      "/health",
      async ({ status }) => {
        const writable = deps.db.assertWritable().then(
          () => true,
          () => false,
        );
        const [alive, canWrite] = await Promise.all([isAlive(), writable]);
        return alive && canWrite
          ? { status: "ok" as const, instance: deps.instance }
          : status(503, { status: "unavailable" as const, instance: deps.instance });
      },
      { tags: ["System"], detail: healthDescription },
    )
    .group("/api", (api) =>
      api
        .use(authRoutes(deps))
        .use(registrationRoutes(deps))
        .use(sessionRoutes(deps))
        .use(securityRoutes(deps))
        .use(keyRoutes(deps))
        .use(userRoutes(deps))
        .use(quotaRoutes(deps))
        .use(monitorRoutes(deps, engine))
        .use(pingListRoutes(deps))
        .use(scheduleRoutes(deps))
        .use(agentRoutes(deps, onChange))
        .use(tagRoutes(deps))
        .use(thresholdRoutes(deps))
        .use(outageRoutes(deps))
        .use(notificationRoutes(deps))
        .use(statusRoutes(deps))
        .use(dashboardRoutes(deps, connectivity))
        .use(liveRoutes(deps))
        .use(transferRoutes(deps, engine)),
    )
    .use(pingRoutes(deps, onChange))
    .use(downloadRoutes(deps))
    .use(metricsRoutes(deps))
    .use(badgeRoutes(deps));

/**
 * Creates the app: everything under /api with its OpenAPI document, the agent's downloads, badges and /health. It does
 * not listen by itself, so that tests can call it.
 */
export const createApp = (deps: Deps, engine: Engine, connectivity: ConnectivityState, onChange = () => {}) => {
  const routes = new Map<string, RouteSchemas>();
  const app = createRoutes({ deps, engine, connectivity, onChange, routes });
  const whole = app.use(docsRoutes(deps, app));
  for (const route of whole.routes) routes.set(`${route.method} ${route.path}`, route);
  return whole;
};

export type App = ReturnType<typeof createApp>;
