import type { ErrorHandler, TSchema } from "elysia";
import type { Deps } from "../core/deps";
import { AppError, describeError, type FieldError, notFound, refusal, unavailable, validation } from "../core/errors";
import { failureOf, isForeignKeyViolation } from "../db/errors";
import { authenticate, challengeOf } from "../modules/accounts/guard";
import { decodeErrors, listErrors, reasonOf } from "./schema";

type Issue = Parameters<typeof reasonOf>[0] & { path?: string };
type Schemaful = { type: string; all: Issue[] };
/** `further` is validation beyond the schema: a function of the whole body, also called when fields are already invalid. */
type BodySchema = TSchema & { mayBeMissing?: true; further?: (sent: unknown) => FieldError[] };

/** A route of the app, with the schemas of its input. */
export type RouteSchemas = {
  method: string;
  path: string;
  hooks: { params?: TSchema; query?: TSchema; body?: BodySchema };
};

/** A request, its route and what was sent: the parts of a context of Elysia. */
type Sent = Record<"params" | "query" | "body", unknown> & { request: Request; route: string };

/** The routes of the app by method and path, for example `GET /api/monitors/:id`. */
export type Routes = ReadonlyMap<string, RouteSchemas>;

const schemasOf = (routes: Routes, { request: { method }, route }: Pick<Sent, "request" | "route">) =>
  routes.get(`${method === "HEAD" ? "GET" : method} ${route}`)?.hooks ?? {};

/**
 * Refuses a body that Elysia would fill or change before it validates: a missing one where the route needs one, and values
 * that should be lists.
 * @throws {AppError} validation
 */
export const assertBody = (routes: Routes, sent: Sent): void => {
  const schema = sent.request.method === "GET" ? undefined : schemasOf(routes, sent).body;
  if (!schema) return;
  const isEmpty = sent.body === undefined || sent.body === null || sent.body === "";
  if (isEmpty && !schema.mayBeMissing)
    throw validation([{ path: "", message: "body: expected a JSON object, but nothing was sent" }]);
  const errors = listErrors(schema, sent.body);
  if (errors.length > 0) throw validation(errors);
};

/** One message for each field, under the name that the request used. */
const fieldErrors = ({ type, all }: Schemaful, { query, body }: RouteSchemas["hooks"], sent: Sent): FieldError[] => {
  // The text of a number out of bounds; the error does not have the field's name.
  if (type === "property")
    return [...(query ? decodeErrors(query, sent.query) : []), ...(body ? decodeErrors(body, sent.body) : [])];
  const byPath = new Map<string, string>();
  for (const issue of all) {
    const path = issue.path?.replace(/^\//, "").replaceAll("/", ".") ?? "";
    if (!byPath.has(path)) byPath.set(path, `${path || "body"}: ${reasonOf(issue)}`);
  }
  const errors = [...byPath].map(([path, message]) => ({ path, message }));
  const further = type === "body" ? (body?.further?.(sent.body) ?? []) : [];
  return [...errors, ...further.filter(({ path }) => !byPath.has(path))];
};

/** Whether a body could not be read as JSON, or ended early; anything else is an error of the hub. */
const isUnreadable = (cause: unknown): boolean =>
  cause === undefined || cause instanceof SyntaxError || (cause instanceof Error && cause.name === "AbortError");

const referenceGone = () =>
  new AppError("conflict", { reason: "Something that this request refers to was deleted at the same time." });

const refusalHeaders = ({ status, code, details }: AppError, request: Request): Record<string, string> => ({
  ...(details.retryAfter ? { "retry-after": String(details.retryAfter) } : {}),
  ...(status === 401 && { "www-authenticate": challengeOf(request, code) }),
});

const segmentsOf = (path: string): string[] => path.replace(/\/$/, "").split("/");

/** The methods of the routes that match a path. Routes that answer GET answer HEAD too. */
const allowedMethods = (routes: Routes, path: string): string[] => {
  const sent = segmentsOf(path);
  const candidates = [...routes.values()].filter((route) => {
    const segments = segmentsOf(route.path);
    return (
      segments.length === sent.length &&
      segments.every((segment, index) => segment === sent[index] || (segment.startsWith(":") && sent[index] !== ""))
    );
  });
  return [...new Set(candidates.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
};

/** Answers errors of the app, the parser and validation as JSON; logs unexpected ones. */
export const createErrorHandler = (deps: Deps, routes: Routes): ErrorHandler => {
  const methodsOf = (path: string) => allowedMethods(routes, path);
  return ({ code, error, set, status, request, params, query, body, route, server }) => {
    const answer = (refused: AppError) => {
      Object.assign(set.headers, refusalHeaders(refused, request));
      return status(refused.status as 400, refusal(refused));
    };
    if (error instanceof AppError) return answer(error);
    // A route that refuses a request before its body is read.
    if (code === "PARSE" && error.cause instanceof AppError) return answer(error.cause);
    if (code === "NOT_FOUND") {
      const methods = methodsOf(new URL(request.url).pathname);
      if (methods.length === 0) return answer(notFound("This address"));
      set.headers.allow = methods.join(", ");
      return answer(new AppError("method_not_allowed", { methods: set.headers.allow }));
    }
    // The database may fail while the caller is authenticated, which happens before the body is parsed.
    if (code === "PARSE" && isUnreadable(error.cause)) return answer(new AppError("malformed_json"));
    if (code === "VALIDATION") {
      const refused = error as unknown as Schemaful;
      const sent = { request, params, query, body, route };
      const schemas = schemasOf(routes, sent);
      const hasBadParams = schemas.params && decodeErrors(schemas.params, params).length > 0;
      const isBadPath = refused.type === "params" || (refused.type === "property" && hasBadParams);
      if (!isBadPath) return answer(validation(fieldErrors(refused, schemas, sent)));
      // Other parameters of a path are tokens and names: a text that cannot be one belongs to nothing.
      return answer(/:id\b/.test(route) ? new AppError("invalid_id") : notFound("This address"));
    }
    // The caller, or something that the request refers to, may have been deleted at the same time.
    if (isForeignKeyViolation(error))
      return authenticate(deps, request, { server, route }).then(
        (caller) => answer(caller instanceof AppError ? new AppError("unauthorized") : referenceGone()),
        () => answer(unavailable()),
      );
    deps.log.error("request failed", {
      method: request.method,
      path: new URL(request.url).pathname,
      error: describeError(error),
    });
    return answer(failureOf(error));
  };
};
