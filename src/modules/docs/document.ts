import { ERRORS, type ErrorCode } from "../../core/errors";
import type { Access } from "../../server/describe";
import { QUOTA_NAMES } from "../../shared/quotas";
import { type Components, exampleOf, type Schema, toJsonSchema } from "./json-schema";
import type { Answer, Operation, Part } from "./operation";
import { PARTS } from "./parts";
import { exampleMessage, refusalExample } from "./refusals";
import { requestSchema } from "./request";
import type { Route, Routes } from "./routes";
import { list, object, oneOf, ref, text, whole } from "./schema";

export type Content = { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };
export type Response = {
  description: string;
  headers?: Record<string, { description: string; schema: Schema }>;
  content?: Record<string, Content>;
};
export type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
};
export type DocumentedOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  "x-access": Access;
  security: Record<string, never[]>[];
  parameters?: Parameter[];
  requestBody?: {
    required: true;
    content: { "application/json": { schema: Schema; example?: Record<string, unknown> } };
  };
  /** By status, and `default` for what any call may answer. */
  responses: Record<string, Response | { $ref: string }>;
};

const SECURITY: Record<Access, Record<string, never[]>[]> = {
  anybody: [],
  user: [{ session: [] }, { apiKey: [] }],
  session: [{ session: [] }],
  admin: [{ session: [] }, { apiKey: [] }],
  agent: [{ agentKey: [] }],
  operator: [{ session: [] }, { apiKey: [] }, { metricsToken: [] }],
};

const bearer = (description: string) => ({ type: "http", scheme: "bearer", description });

const shared: Record<string, Schema> = {
  Refusal: object(
    {
      success: { type: "boolean", description: "Always false.", enum: [false] },
      code: oneOf("What is wrong: it stays the same for good.", Object.keys(ERRORS)),
      message: text("The same as an English sentence.", exampleMessage("not_found")),
      errors: list(
        object(
          {
            path: text("The field, as it was sent.", "name"),
            message: text("What is wrong with it.", "name: expected a name of 1 to 200 characters"),
            code: text("What is wrong with a channel's field: it stays the same for good.", "bot_token_required"),
          },
          ["code"],
        ),
        "With `validation`: one entry for each bad field.",
      ),
      quota: oneOf("With `quota_reached`: what is limited.", QUOTA_NAMES),
      limit: whole("With `quota_reached`: how many of them one user may have.", 200),
    },
    ["errors", "quota", "limit"],
  ),
};

/** Every schema of the document, by its name. */
export const SCHEMAS: Record<string, Schema> = Object.assign({}, shared, ...PARTS.map(({ schemas }) => schemas));

/** The errors that follow from a call's access, parameters and body, and those of its own. */
const refusalsOf = (
  { access, refusals = [] }: { access: Access; refusals?: readonly ErrorCode[] },
  { parameters = [], requestBody }: Pick<Route, "parameters" | "requestBody">,
  writes: boolean,
): ErrorCode[] => {
  const ofUser = access !== "anybody" && access !== "agent";
  const ids = parameters.filter(({ in: place, name }) => place === "path" && name === "id");
  const codes: (ErrorCode | false)[] = [
    requestBody !== undefined && "malformed_json",
    access !== "anybody" && "unauthorized",
    ofUser && writes && "read_only_key",
    access === "session" && "session_required",
    access === "admin" && "forbidden",
    ids.length > 0 && "not_found",
    requestBody !== undefined && "too_large",
    ids.some(({ schema }) => (schema.accepts ?? schema).type !== "string") && "invalid_id",
    (requestBody !== undefined || parameters.some(({ in: place }) => place === "query")) && "validation",
    ...refusals,
  ];
  return [...new Set(codes.filter((code) => code !== false))];
};

const goodAnswer = (
  { type = "application/json", schema, example, description }: Answer,
  components: Components,
): Response => {
  if (!schema && example === undefined) return { description };
  const content = {
    schema: schema ?? { type: "string" },
    example: example ?? exampleOf(schema as Schema, components),
  };
  return { description, content: Object.fromEntries([type].flat().map((one) => [one, content])) };
};

const RETRY_AFTER = {
  "retry-after": { description: "How many seconds to wait.", schema: { type: "integer", minimum: 1 } },
};

const refusalAnswer = (codes: ErrorCode[]): Response => ({
  description: codes.map((code) => `\`${code}\`: ${exampleMessage(code)}`).join(" "),
  ...(codes.includes("rate_limited") && { headers: RETRY_AFTER }),
  content: {
    "application/json": {
      schema: ref("Refusal"),
      examples: Object.fromEntries(codes.map((code) => [code, { value: refusalExample(code) }])),
    },
  },
});

/** The responses of the errors with these codes, by status. */
const refusedResponses = (codes: ErrorCode[]): DocumentedOperation["responses"] => ({
  ...Object.fromEntries(
    [...Map.groupBy(codes, (code) => ERRORS[code][0])].map(([status, ofStatus]) => [status, refusalAnswer(ofStatus)]),
  ),
  default: { $ref: "#/components/responses/Trouble" },
});

const parameterOf = (
  { name, in: place, required = false, schema }: NonNullable<Route["parameters"]>[number],
  components: Components,
): Parameter => {
  const { description, examples, ...plain } = toJsonSchema(schema, components);
  const example = examples?.[0];
  return {
    name,
    in: place,
    required,
    ...(description && { description }),
    schema: plain,
    ...(example !== undefined && { example }),
  };
};

/** The documented form of a route; its schemas with an `$id` are added to `components`. */
const documentRoute = (route: Route, writes: boolean, components: Components): DocumentedOperation => {
  const { operationId, summary = "", description, tags = [], parameters, requestBody, responses = {} } = route;
  const { "x-access": access = "anybody", "x-refusals": refusals = [] } = route;
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
    ...(description && { description }),
    "x-access": access,
    security: SECURITY[access],
    ...(parameters && { parameters: parameters.map((parameter) => parameterOf(parameter, components)) }),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: body, example: (exampleOf(body, components) ?? {}) as Record<string, unknown> },
        },
      },
    }),
    responses: { ...Object.fromEntries(answers), ...refusedResponses(refusalsOf({ access, refusals }, route, writes)) },
  };
};

const operationOf = (
  operation: Operation,
  route: Route,
  tag: string,
  writes: boolean,
  components: Components,
): DocumentedOperation => {
  const { id: operationId, summary, description, access, fields = {}, types = {}, parameters = {}, body } = operation;
  const describe = (path: string): Schema => ({ ...(fields[path] && { description: fields[path] }), ...types[path] });
  const sent = route.requestBody?.content["application/json"]?.schema;
  const answers = [operation.answer].flat();
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description && { description }),
    "x-access": access,
    security: SECURITY[access],
    ...(route.parameters && {
      parameters: route.parameters.map(({ name, in: place, required = false, schema }) => ({
        name,
        in: place,
        required,
        ...(fields[name] && { description: fields[name] }),
        schema: requestSchema(schema),
        ...((place === "path" || parameters[name] !== undefined) && { example: parameters[name] ?? 3 }),
      })),
    }),
    ...(sent && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: requestSchema(sent, describe), example: body } },
      },
    }),
    responses: {
      ...Object.fromEntries(answers.map((answer) => [answer.status ?? 200, goodAnswer(answer, components)])),
      ...refusedResponses(refusalsOf(operation, route, writes)),
    },
  };
};

const ABOUT =
  `Bodies and answers are JSON. Every good answer has \`"success": true\`; every refusal has \`"success": false\`, a \`code\` that
stays the same for good, a \`message\`, and with \`validation\` one entry in \`errors\` for each bad field. Times are ISO 8601 in
UTC, ids are whole numbers. What belongs to somebody else answers 404, as if it were not there.`.replaceAll("\n", " ");

/** The key under which an operation is written down. */
const keyOf = (path: string, method: string) => `${method.toUpperCase()} ${path.replace(/(?<=.)\/$/, "")}`;

/** Routes without a description. */
export const findUndocumented = (routes: Routes, parts: readonly Part[] = PARTS): string[] => {
  const known = new Set(parts.flatMap(({ operations }) => Object.keys(operations)));
  const keys = Object.entries(routes).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, route]) => (route["x-access"] ? [] : [keyOf(path, method)])),
  );
  return keys.filter((key) => !known.has(key));
};

/** The OpenAPI document of an app with these routes; `server` is the address that their paths begin after. */
export const createDocument = (routes: Routes, server: string) => {
  const components: Components = { ...SCHEMAS };
  const found = Object.entries(routes).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => {
      const key = keyOf(path, method);
      return { key, method, route, path: key.split(" ")[1] ?? "", writes: method !== "get" };
    }),
  );
  const described = found.flatMap((one) =>
    one.route["x-access"] ? [{ ...one, operation: documentRoute(one.route, one.writes, components) }] : [],
  );
  const legacy = PARTS.flatMap(({ tag, operations }) =>
    found.flatMap((one) => {
      const operation = operations[one.key];
      return operation ? [{ ...one, operation: operationOf(operation, one.route, tag, one.writes, components) }] : [];
    }),
  );
  const order = PARTS.map(({ tag }) => tag);
  const paths: Record<string, Record<string, DocumentedOperation>> = {};
  for (const { path, method, operation } of [...legacy, ...described].sort(
    (a, b) => order.indexOf(a.operation.tags[0] ?? "") - order.indexOf(b.operation.tags[0] ?? ""),
  ))
    paths[path] = { ...paths[path], [method]: operation };
  return {
    openapi: "3.1.1",
    // The version of the API: the one of the program is not told to everybody.
    info: { title: "Wakeful", version: "1", description: ABOUT, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: server }],
    tags: PARTS.map(({ tag, description }) => ({ name: tag, description })),
    paths,
    components: {
      schemas: components,
      responses: {
        Trouble: { ...refusalAnswer(["internal", "unavailable"]), description: "Trouble of the console's own." },
      },
      securitySchemes: {
        session: bearer("The token of POST /api/auth/login."),
        apiKey: bearer("A key made on the profile page."),
        agentKey: bearer("The key that an agent was given when it enrolled."),
        metricsToken: bearer("The console's setting METRICS_TOKEN."),
      },
    },
  };
};

export type OpenApiDocument = ReturnType<typeof createDocument>;
