import { Elysia } from "elysia";
import type { Deps } from "../core/deps";
import { AppError, describeError, type FieldError, notFound, refusal, unavailable, validation } from "../core/errors";
import { isForeignKeyViolation, isUnavailable } from "../db/errors";
import { downloadRoutes } from "../modules/agents/install/downloads";
import { agentRoutes } from "../modules/agents/routes";
import { thresholdRoutes } from "../modules/agents/thresholds/routes";
import type { User } from "../modules/auth/accounts/service";
import { authenticate } from "../modules/auth/guard";
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
import { assertJsonBody, assertSafeBody, isPing } from "./request-limits";
import { reasonOf } from "./schema";

type Issue = Parameters<typeof reasonOf>[0] & { path?: string };
type Schemaful = { type: string; value?: unknown; all: Issue[]; validator?: { schema?: Further } };
/** Validation beyond the schema: a function of the whole body, also called when fields are already invalid. */
type Further = { further?: (sent: unknown) => FieldError[] };

/** For an out-of-range number sent as text, Elysia's error has the value but not the field's name. */
const nameOf = ({ type, value }: Schemaful, sent: unknown): string => {
  const texts = Object.entries(Object(sent)).filter(([, text]) => typeof text === "string");
  return (type === "property" && texts.find(([, text]) => Object.is(Number(text), value))?.[0]) || "";
};

/** One message for each field, under the name that the request used. */
const fieldErrors = (error: Schemaful, sent: unknown): FieldError[] => {
  const byPath = new Map<string, string>();
  for (const issue of error.all) {
    const path = issue.path?.replace(/^\//, "").replaceAll("/", ".") || nameOf(error, sent);
    if (!byPath.has(path)) byPath.set(path, `${path || "body"}: ${reasonOf(issue)}`);
  }
  const found = [...byPath].map(([path, message]) => ({ path, message }));
  const further = error.type === "body" ? (error.validator?.schema?.further?.(sent) ?? []) : [];
  return [...found, ...further.filter(({ path }) => !byPath.has(path))];
};

/** Whether a body could not be read as JSON, or ended early; anything else is an error of the hub. */
const isUnreadable = (cause: unknown): boolean =>
  cause === undefined || cause instanceof SyntaxError || (cause instanceof Error && cause.name === "AbortError");

const referenceGone = () =>
  new AppError("conflict", { reason: "Something that this request refers to was deleted at the same time." });

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

const refusalHeaders = ({ status, code, details }: AppError): Record<string, string> => ({
  ...(details.retryAfter ? { "retry-after": String(details.retryAfter) } : {}),
  // The light agent needs the code here, because wget prints no body of a 401.
  ...(status === 401 ? { "www-authenticate": `Bearer error="${code}"` } : {}),
});

const createRoutes = (deps: Deps, engine: Engine, connectivity: ConnectivityState, onChange = () => {}) =>
  // Hostnames may be as short as `nas`, which Elysia rejects by default.
  new Elysia({ name: "wakeful", handler: { standardHostname: false } })
    .onError(({ code, error, set, status, request, params, query, body, server }) => {
      const answer = (refused: AppError) => {
        Object.assign(set.headers, refusalHeaders(refused));
        return status(refused.status as 400, refusal(refused));
      };
      if (error instanceof AppError) return answer(error);
      // A route that refuses a request before its body is read.
      if (code === "PARSE" && error.cause instanceof AppError) return answer(error.cause);
      if (code === "NOT_FOUND") return answer(notFound("This address"));
      // The database may fail while the caller is authenticated, which happens before the body is parsed.
      if (code === "PARSE" && isUnreadable(error.cause)) return answer(new AppError("malformed_json"));
      if (code === "VALIDATION") {
        const refused = error as unknown as Schemaful;
        const badId = refused.type === "params" || nameOf(refused, params) === "id";
        return answer(
          badId
            ? new AppError("invalid_id")
            : validation(fieldErrors(refused, { ...query, ...(typeof body === "object" && body) })),
        );
      }
      // The caller, or something that the request refers to, may have been deleted at the same time.
      if (isForeignKeyViolation(error))
        return authenticate(deps, request, server).then(
          (caller) => answer(caller instanceof AppError ? new AppError("unauthorized") : referenceGone()),
          () => answer(unavailable()),
        );
      deps.log.error("request failed", {
        method: request.method,
        path: new URL(request.url).pathname,
        error: describeError(error),
      });
      return answer(isUnavailable(error) ? unavailable() : new AppError("internal"));
    })
    .onRequest(({ request }) => assertJsonBody(request))
    .onTransform(({ body, query }) => {
      assertSafeBody(body);
      assertSafeBody(query);
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
export const createApp = (...parts: Parameters<typeof createRoutes>) => {
  const app = createRoutes(...parts);
  return app.use(docsRoutes(parts[0], app));
};

export type App = ReturnType<typeof createApp>;
