import type { ErrorHandler } from "elysia";
import type { Deps } from "../core/deps";
import { AppError, describeError, type FieldError, notFound, refusal, unavailable, validation } from "../core/errors";
import { failureOf, isForeignKeyViolation } from "../db/errors";
import { authenticate, challengeOf } from "../modules/auth/guard";
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

const refusalHeaders = ({ status, code, details }: AppError, request: Request): Record<string, string> => ({
  ...(details.retryAfter ? { "retry-after": String(details.retryAfter) } : {}),
  ...(status === 401 && { "www-authenticate": challengeOf(request, code) }),
});

export type RouteName = { method: string; path: string };

const segmentsOf = (path: string): string[] => path.replace(/\/$/, "").split("/");

/** The methods of the routes that match a path. Routes that answer GET answer HEAD too. */
const allowedMethods = (routes: readonly RouteName[], path: string): string[] => {
  const sent = segmentsOf(path);
  const found = routes.filter((route) => {
    const segments = segmentsOf(route.path);
    return (
      segments.length === sent.length &&
      segments.every((segment, index) => segment === sent[index] || (segment.startsWith(":") && sent[index] !== ""))
    );
  });
  return [...new Set(found.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
};

/** Answers errors as JSON: those of the app, of the parser and of validation, and unexpected ones, which it logs. */
export const createErrorHandler = (deps: Deps, routes: readonly RouteName[]): ErrorHandler => {
  const methodsOf = (path: string) => allowedMethods(routes, path);
  return ({ code, error, set, status, request, params, query, body, server }) => {
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
    return answer(failureOf(error));
  };
};
