import { toOpenAPISchema } from "@elysiajs/openapi";
import { Type } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import type { ErrorCode } from "../../core/errors";
import { type Access, describe } from "../../server/answers";
import { type CachedResponse, createCachedResponse } from "../../server/http-encoding";
import { createDocument, type Webhook } from "./document";
import type { RawSchema } from "./json-schema";

/** A route as `toOpenAPISchema` reads it from the app, with the `detail` that `describe` made. */
export type Route = {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  "x-access"?: Access;
  "x-refusals"?: readonly ErrorCode[];
  parameters?: { name: string; in: string; required?: boolean; schema: RawSchema }[];
  requestBody?: { content: Record<string, { schema: RawSchema }> };
  responses?: Record<
    string,
    { description: string; content?: Record<string, { schema: RawSchema; example?: unknown }> }
  >;
};
/** Routes by path, in braces where a part may differ, and by method in lower case. */
export type Routes = Record<string, Record<string, Route>>;

/**
 * The app without the parse hooks of its routes: they authenticate the caller, and the plugin would take the type of the
 * body from them.
 */
const withoutParseHooks = (app: AnyElysia): AnyElysia =>
  Object.create(app, {
    getGlobalRoutes: {
      value: () => app.routes.map((route) => ({ ...route, hooks: { ...route.hooks, parse: undefined } })),
    },
  });

/** The routes of an app, with the parameters and bodies of their schemas. */
export const routesOf = (app: AnyElysia): Routes =>
  toOpenAPISchema(withoutParseHooks(app), { staticFile: false }).paths as unknown as Routes;

/** The document of this app and its webhooks. It is created by the first request for it. */
export const docsRoutes = ({ config }: Pick<Deps, "config">, app: AnyElysia, webhooks: Iterable<Webhook>) => {
  let answer: CachedResponse | undefined;
  const read = () => {
    const server = config.publicUrl || config.basePath.slice(0, -1) || "/";
    const document = createDocument(routesOf(app), webhooks, server);
    return createCachedResponse(JSON.stringify(document), { "content-type": "application/json" }, { isConstant: true });
  };
  return new Elysia({ tags: ["System"] }).get(
    "/api/openapi.json",
    ({ request }) => {
      answer ??= read();
      return answer(request);
    },
    {
      detail: describe({
        id: "getOpenApi",
        summary: "Get this document",
        description: "OpenAPI 3.1, for generators of clients and for tools.",
        access: "public",
        answer: [
          {
            description: "The API as an OpenAPI document.",
            schema: Type.Unsafe({ type: "object", description: "OpenAPI 3.1.", examples: [{ openapi: "3.1.1" }] }),
          },
          { status: 304, description: "Unchanged since the ETag in If-None-Match." },
        ],
      }),
    },
  );
};
