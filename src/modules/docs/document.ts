import { ERRORS, type ErrorCode } from "../../core/errors";
import { QUOTA_NAMES } from "../../shared/quotas";
import type { Access, Answer, Operation, Part } from "./operation";
import { PARTS } from "./parts";
import { exampleMessage, refusalExample } from "./refusals";
import { requestSchema } from "./request";
import { exampleOf, list, object, oneOf, ref, type Schema, text, whole } from "./schema";

/** A route as Elysia's own documentation tool reads it off the app. */
export type Route = {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
/** Routes by path, in braces where a part may differ, and by method in lower case. */
export type Routes = Record<string, Record<string, Route>>;

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

/** What every call of a kind may refuse with, and what this one may beside that. */
const refusalsOf = (
  { access, refusals = [] }: Operation,
  { parameters = [], requestBody }: Route,
  writes: boolean,
): ErrorCode[] => {
  const known = access !== "anybody" && access !== "agent";
  const ids = parameters.filter(({ in: place, name }) => place === "path" && name === "id");
  const takesId = ids.length > 0;
  const codes: (ErrorCode | false)[] = [
    requestBody !== undefined && "malformed_json",
    access !== "anybody" && "unauthorized",
    known && writes && "read_only_key",
    access === "session" && "session_required",
    access === "admin" && "forbidden",
    takesId && "not_found",
    requestBody !== undefined && "too_large",
    ids.some(({ schema }) => schema.type !== "string") && "invalid_id",
    (requestBody !== undefined || parameters.some(({ in: place }) => place === "query")) && "validation",
    ...refusals,
  ];
  return [...new Set(codes.filter((code) => code !== false))];
};

const goodAnswer = ({ type = "application/json", schema, example, description }: Answer) => {
  if (!schema && example === undefined) return { description };
  const content = {
    schema: schema ?? { type: "string" },
    example: example ?? exampleOf(schema as Schema, SCHEMAS),
  };
  return { description, content: Object.fromEntries([type].flat().map((one) => [one, content])) };
};

const RETRY_AFTER = {
  "retry-after": { description: "How many seconds to wait.", schema: { type: "integer", minimum: 1 } },
};

const refusalAnswer = (codes: ErrorCode[]) => ({
  description: codes.map((code) => `\`${code}\`: ${exampleMessage(code)}`).join(" "),
  ...(codes.includes("rate_limited") && { headers: RETRY_AFTER }),
  content: {
    "application/json": {
      schema: ref("Refusal"),
      examples: Object.fromEntries(codes.map((code) => [code, { value: refusalExample(code) }])),
    },
  },
});

const responsesOf = (operation: Operation, route: Route, writes: boolean) => {
  const answers = [operation.answer].flat();
  const byStatus = Map.groupBy(refusalsOf(operation, route, writes), (code) => ERRORS[code][0]);
  return {
    ...Object.fromEntries(answers.map((answer) => [answer.status ?? 200, goodAnswer(answer)])),
    ...Object.fromEntries([...byStatus].map(([status, codes]) => [status, refusalAnswer(codes)])),
    default: { $ref: "#/components/responses/Trouble" },
  };
};

const operationOf = (operation: Operation, route: Route, tag: string, writes: boolean) => {
  const { id: operationId, summary, description, access, fields = {}, types = {}, parameters = {}, body } = operation;
  const describe = (path: string): Schema => ({ ...(fields[path] && { description: fields[path] }), ...types[path] });
  const sent = route.requestBody?.content["application/json"]?.schema;
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
    responses: responsesOf(operation, route, writes),
  };
};

export type DocumentedOperation = ReturnType<typeof operationOf>;

const ABOUT =
  `Bodies and answers are JSON. Every good answer has \`"success": true\`; every refusal has \`"success": false\`, a \`code\` that
stays the same for good, a \`message\`, and with \`validation\` one entry in \`errors\` for each bad field. Times are ISO 8601 in
UTC, ids are whole numbers. What belongs to somebody else answers 404, as if it were not there.`.replaceAll("\n", " ");

/** The key under which an operation is written down. */
const keyOf = (path: string, method: string) => `${method.toUpperCase()} ${path.replace(/(?<=.)\/$/, "")}`;

/** Routes that nothing is written down about. */
export const findUndocumented = (routes: Routes, parts: readonly Part[] = PARTS): string[] => {
  const known = new Set(parts.flatMap(({ operations }) => Object.keys(operations)));
  const keys = Object.entries(routes).flatMap(([path, methods]) => Object.keys(methods).map((one) => keyOf(path, one)));
  return keys.filter((key) => !known.has(key));
};

/** The OpenAPI document of an app with these routes; `server` is the address that their paths begin after. */
export const createDocument = (routes: Routes, server: string) => {
  const paths: Record<string, Record<string, DocumentedOperation>> = {};
  const byKey = new Map(
    Object.entries(routes).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, route]) => [keyOf(path, method), route] as const),
    ),
  );
  for (const { tag, operations } of PARTS) {
    for (const [key, operation] of Object.entries(operations)) {
      const route = byKey.get(key);
      const [method = "", path = ""] = key.split(" ");
      if (route)
        paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(operation, route, tag, method !== "GET") };
    }
  }
  return {
    openapi: "3.1.1",
    // The version of the API: the one of the program is not told to everybody.
    info: { title: "Wakeful", version: "1", description: ABOUT, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: server }],
    tags: PARTS.map(({ tag, description }) => ({ name: tag, description })),
    paths,
    components: {
      schemas: SCHEMAS,
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
