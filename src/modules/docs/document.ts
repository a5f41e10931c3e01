import { OptionalKind, type TSchema, Type } from "@sinclair/typebox";
import { ERRORS, type ErrorCode } from "../../core/errors";
import type { Access } from "../../server/answers";
import {
  component,
  errorDetail,
  integer,
  linksField,
  list,
  nullable,
  object,
  oneOf,
  optional,
  record,
  text,
} from "../../server/answers";
import { scopesOf } from "../../server/route-scopes";
import { titled } from "../../server/schema";
import { hasScope, KEY_SCOPES, type KeyScope } from "../../shared/accounts/key-scopes";
import { QUOTA_NAMES } from "../../shared/limits";
import { DELIVERY_ERROR_CODES } from "../../shared/notifications";
import { type Components, exampleOf, type RawSchema, type Schema, toJsonSchema } from "./json-schema";
import { bodyExamples, type Parameter, parameterOf } from "./parts";
import { exampleMessage, refusalExample } from "./refusals";
import type { Route, Routes } from "./routes";
import { SECURITY_SCHEMES, type Security, scopeSentence, securityOf } from "./security";

/** What channels of a type post to the addresses of users; nothing that the document describes without `sends`. */
export type Webhook = { kind: string; sends?: { body: TSchema; headers: Record<string, TSchema> } };

/**
 * The `webhooks` of the document: what channels post to the addresses of users, by the type of the channel. The schemas of
 * the payloads are added to `components`.
 */
const webhooksOf = (webhooks: Iterable<Webhook>, components: Components) =>
  Object.fromEntries(
    [...webhooks].flatMap(({ kind, sends }) => {
      if (!sends) return [];
      const schema = toJsonSchema(sends.body as RawSchema, components);
      const content = { "application/json": { schema, example: exampleOf(schema, components) } };
      const parameters = Object.entries(sends.headers).map(([name, header]) =>
        parameterOf(
          { name, in: "header", required: !Object.hasOwn(header, OptionalKind), schema: header as RawSchema },
          components,
        ),
      );
      const post = {
        operationId: `receive${titled(kind)}`,
        tags: ["Alerts"],
        summary: `An alert through a channel of the type ${kind}`,
        description:
          "The signature proves that Wakeful sent the request. Statuses other than 2xx are retried for a day, except 410, and redirects and most 4xx that persist for ten minutes.",
        security: [],
        parameters,
        requestBody: { required: true, content },
        responses: {
          "2XX": { description: "The alert is delivered." },
          "4XX": { description: "The alert is not delivered." },
        },
      };
      return [[kind, { post }]];
    }),
  );

type Content = { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };
type Response = {
  description: string;
  headers?: Record<string, { description: string; schema: Schema }>;
  content?: Record<string, Content>;
};
type DocumentedOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  "x-access": Access;
  /** An API key needs one of them, or `write`. Empty: the call takes no API key. */
  "x-scopes": readonly KeyScope[];
  security: Security[];
  parameters?: Parameter[];
  requestBody?: {
    required: boolean;
    content: {
      "application/json": {
        schema: Schema;
        example?: Record<string, unknown>;
        /** In place of one example: one for each variant. */
        examples?: Record<string, { value: Record<string, unknown> }>;
      };
    };
  };
  /** By status, and `default` for what any call may answer. */
  responses: Record<string, Response | { $ref: string }>;
};

/** The parts of the API, in the order of the document. */
const TAGS = [
  { name: "Accounts", description: "Registration, sign-in, and the current user." },
  { name: "Users and keys", description: "User accounts, for administrators, and your own API keys." },
  { name: "Teams", description: "Who shares monitors, servers and channels with whom, and invitations." },
  { name: "Monitors", description: "What is checked, the results, and tags." },
  { name: "Heartbeats", description: "The calls by which jobs report. The token in the path is the credential." },
  { name: "Servers", description: "Machines whose agents report, and the calls of the agents themselves." },
  { name: "Outages", description: "When monitors were down, and servers offline or above a threshold." },
  { name: "Reports", description: "The figures of a period, and links that show them to others." },
  { name: "Alerts", description: "Notification settings, channels, and the history of notifications." },
  { name: "Incidents", description: "What people write on status pages." },
  { name: "Maintenance", description: "Planned times in which outages alert no one." },
  { name: "Status page", description: "What everyone may see, and its configuration." },
  { name: "Export and import", description: "Your configuration as a file, without history and secrets of channels." },
  { name: "System", description: "The hub itself: its health, metrics and downloads, and this document." },
];

const Refusal = component("Refusal", {
  success: Type.Literal(false, { description: "Always false." }),
  code: oneOf("The error's code, which never changes.", Object.keys(ERRORS) as ErrorCode[]),
  message: text("The error as an English sentence.", exampleMessage("not_found")),
  errors: optional(
    list(
      object({
        path: text("The field, as it was sent.", "name"),
        message: text("What is wrong with it.", "name: expected a name of 1 to 200 characters"),
        code: optional(
          text("The code of an error in a channel's field or a template, which never changes.", "bot_token_required"),
        ),
        line: optional(integer("Where a template is wrong: the line, from 1.", 1)),
        column: optional(integer("The character in that line, from 1.", 8)),
      }),
      "With `validation`: one entry for each invalid field.",
    ),
  ),
  cycle: optional(
    list(
      text("A name.", "router"),
      "With `dependency_cycle`: the names of the targets on the cycle; the first is also the last.",
      ["shop", "router", "shop"],
    ),
  ),
  links: optional(linksField),
  current: optional(
    record(
      Type.Unknown({ examples: [true] }),
      "With `rule_changed`: the settings, policy or template as it is now, and its `version`.",
      "enabled",
    ),
  ),
  scope: optional(oneOf("With `insufficient_scope`: the scope that the API key lacks.", KEY_SCOPES)),
  quota: optional(oneOf("With `quota_reached`: what is limited.", QUOTA_NAMES)),
  limit: optional(integer("With `quota_reached`: the maximum for one user.", 200)),
  error_code: optional(
    oneOf("With `provider_refused`: the cause, as a code that never changes.", DELIVERY_ERROR_CODES),
  ),
  error_detail: optional(nullable(errorDetail(401, "status"))),
});

/** The errors of a call: from its access, parameters and body, and its own. */
const refusalsOf = (
  { access, scopes, refusals = [] }: { access: Access; scopes: readonly KeyScope[]; refusals?: readonly ErrorCode[] },
  { parameters = [], requestBody }: Pick<Route, "parameters" | "requestBody">,
  writes: boolean,
): ErrorCode[] => {
  const ofUser = access !== "public" && access !== "agent";
  const inPath = parameters.filter(({ in: place }) => place === "path");
  const codes: (ErrorCode | false)[] = [
    requestBody !== undefined && "malformed_json",
    access !== "public" && "unauthorized",
    ofUser && writes && "read_only_key",
    ofUser && writes && "role_insufficient",
    scopes.length > 0 && "insufficient_scope",
    ofUser && !hasScope(["full"], scopes) && "session_required",
    (access === "admin" || access === "adminSession") && "forbidden",
    inPath.length > 0 && "not_found",
    requestBody !== undefined && "too_large",
    inPath.some(({ name, schema }) => name === "id" && (schema.accepts ?? schema).type !== "string") && "invalid_id",
    (requestBody !== undefined || parameters.some(({ in: place }) => place === "query")) && "validation",
    ...refusals,
  ];
  return [...new Set(codes.filter((code) => code !== false))];
};

const RETRY_AFTER = {
  "retry-after": { description: "How many seconds to wait.", schema: { type: "integer", minimum: 1 } },
};

const refusalAnswer = (codes: ErrorCode[]): Response => ({
  description: codes.map((code) => `\`${code}\`: ${exampleMessage(code)}`).join(" "),
  ...(codes.includes("rate_limited") && { headers: RETRY_AFTER }),
  content: {
    "application/json": {
      schema: { $ref: "#/components/schemas/Refusal" },
      examples: Object.fromEntries(codes.map((code) => [code, { value: refusalExample(code) }])),
    },
  },
});

/** The responses of the errors with these codes, by status. */
const refusedResponses = (codes: ErrorCode[]): DocumentedOperation["responses"] => ({
  ...Object.fromEntries(
    [...Map.groupBy(codes, (code) => ERRORS[code][0])].map(([status, ofStatus]) => [status, refusalAnswer(ofStatus)]),
  ),
  default: { $ref: "#/components/responses/Unavailable" },
});

/** The documented form of a route; its schemas with an `$id` are added to `components`. */
const documentRoute = (
  route: Route,
  { method, path }: { method: string; path: string },
  components: Components,
): DocumentedOperation => {
  const writes = method !== "get";
  const scopes = scopesOf(method.toUpperCase(), path.replace(/\{(\w+)\}/g, ":$1"));
  const { operationId, summary = "", description, tags = [], parameters, requestBody, responses = {} } = route;
  const { "x-access": access = "public", "x-refusals": refusals = [] } = route;
  const sent = requestBody?.content["application/json"]?.schema;
  const body = sent && toJsonSchema(sent, components);
  const answers = Object.entries(responses).map(([status, { description, content }]) => {
    const contents = Object.entries(content ?? {}).map(([type, { schema: raw, example }]) => {
      const schema = toJsonSchema(raw, components);
      return [type, { schema, example: example ?? exampleOf(schema, components) }] as const;
    });
    return [status, { description, ...(content && { content: Object.fromEntries(contents) }) }] as const;
  });
  return {
    operationId,
    tags,
    summary,
    ...(description && { description: `${description}${scopeSentence(scopes)}` }),
    "x-access": access,
    "x-scopes": scopes,
    security: securityOf(access, scopes),
    ...(parameters && { parameters: parameters.map((parameter) => parameterOf(parameter, components)) }),
    ...(body && {
      requestBody: {
        required: !sent.mayBeMissing,
        content: {
          "application/json": { schema: body, ...bodyExamples(body, components) },
        },
      },
    }),
    responses: {
      ...Object.fromEntries(answers),
      ...refusedResponses(refusalsOf({ access, scopes, refusals }, route, writes)),
    },
  };
};

const ABOUT =
  `Bodies and answers are JSON. Every successful answer has \`"success": true\`; every error has \`"success": false\`, a
\`code\` that never changes, a \`message\`, and with \`validation\` one entry in \`errors\` for each invalid field. Times are
ISO 8601 in UTC, ids are integers. A call for another team's data answers 404, as if it did not exist. With \`team\` in its query,
the id of one of your teams, a call is about that team only.`.replaceAll("\n", " ");

/** The operations of these routes, ordered by their tags; schemas with an `$id` are added to `components`. */
const documentPaths = (routes: Routes, components: Components): Record<string, Record<string, DocumentedOperation>> => {
  const order = TAGS.map(({ name }) => name);
  const operations = Object.entries(routes).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => ({
      // Elysia's paths of groups end with a slash, which requests may leave out.
      path: path.replace(/(?<=.)\/$/, ""),
      method,
      operation: documentRoute(route, { method, path }, components),
    })),
  );
  const paths: Record<string, Record<string, DocumentedOperation>> = {};
  const place = ({ operation }: (typeof operations)[number]) => order.indexOf(operation.tags[0] ?? "");
  for (const { path, method, operation } of operations.sort((one, other) => place(one) - place(other)))
    paths[path] = { ...paths[path], [method]: operation };
  return paths;
};

/** The OpenAPI document of an app with these routes; `server` is the address that their paths begin after. */
export const createDocument = (routes: Routes, webhooks: Iterable<Webhook>, server: string) => {
  const components: Components = {};
  toJsonSchema(Refusal, components);
  const paths = documentPaths(routes, components);
  return {
    openapi: "3.1.1",
    // The version of the API. The program's version is not public.
    info: { title: "Wakeful", version: "1", description: ABOUT, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: server }],
    tags: TAGS,
    paths,
    webhooks: webhooksOf(webhooks, components),
    components: {
      schemas: components,
      responses: {
        Unavailable: {
          ...refusalAnswer(["internal", "unavailable", "database_full", "database_read_only"]),
          description: "An error of the hub itself.",
        },
      },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
};

export type OpenApiDocument = ReturnType<typeof createDocument>;
