import type { OpenApiDocument } from "../../modules/docs/document";
import { operationsOf } from "../openapi";
import { fc } from "../property";
import { brokenBody, malformedQuery } from "./malformed";
import { nearlyValidJson, validJson } from "./values";

export type FuzzRequest = {
  /** The operation, as `METHOD /path`. */
  key: string;
  actor: string;
  /** With `{id}` for an id, which depends on the actor. */
  path: string;
  id: string;
  headers: Record<string, string>;
  body?: string;
};

type Operation = ReturnType<typeof operationsOf>[number];

/** Passwords are hashed slowly on purpose. */
const SLOW = ["register", "login", "createUser", "changePassword"];

const TYPES = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
  "x",
];
const BODILESS_TYPES = fc.option(fc.constantFrom("application/json", ...TYPES), { nil: undefined });

/** Names of ids (see FuzzWorld), and invalid ids. */
const ids = fc.oneof(
  { weight: 6, arbitrary: fc.constant("own") },
  { weight: 4, arbitrary: fc.constant("foreign") },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "0",
      "-1",
      "1.5",
      "999999",
      "9007199254740991",
      "9007199254740993",
      "1e3",
      "x",
      "%00",
      "%20",
      "%",
      "null",
      "__proto__",
      "１",
      "1%2f2",
      "+1",
    ),
  },
);

const queryOf = ({ operation }: Operation): fc.Arbitrary<string> => {
  const parameters = (operation.parameters ?? []).filter((one) => one.in === "query");
  const pair = fc.oneof(
    ...parameters.map(({ name, schema }) =>
      fc
        .oneof(
          {
            weight: 3,
            arbitrary: validJson(schema, {}, "").map((json) =>
              encodeURIComponent(json.replace(/^"|"$/g, "").toWellFormed()),
            ),
          },
          malformedQuery,
        )
        .map((value) => `${name}=${value}`),
    ),
    fc
      .tuple(fc.constantFrom("__proto__", "constructor", "x", "id", "limit", "%00", "a[b]", ""), malformedQuery)
      .map((both) => both.join("=")),
  );
  // A name may be repeated.
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant("") },
    fc.array(pair, { maxLength: 4 }).map((pairs) => `?${pairs.join("&")}`),
  );
};

const bodyOf = (
  { operation }: Operation,
  { components }: OpenApiDocument,
  target: string,
): fc.Arbitrary<Pick<FuzzRequest, "body" | "headers">> => {
  const schema = operation.requestBody?.content["application/json"].schema;
  const typed = (body: fc.Arbitrary<string>, type: fc.Arbitrary<string | undefined>) =>
    fc.tuple(body, type).map(([text, name]) => ({
      body: text,
      headers: name === undefined ? {} : ({ "content-type": name } as Record<string, string>),
    }));
  const json = fc.constant("application/json");
  if (!schema)
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant({ headers: {} as Record<string, string> }) },
      typed(brokenBody, BODILESS_TYPES),
    );
  return fc.oneof(
    { weight: 5, arbitrary: typed(validJson(schema, components.schemas, target), json) },
    { weight: 8, arbitrary: typed(nearlyValidJson(schema, components.schemas, target), json) },
    { weight: 2, arbitrary: typed(brokenBody, json) },
    {
      weight: 1,
      arbitrary: typed(fc.oneof(validJson(schema, components.schemas, target), brokenBody), fc.constantFrom(...TYPES)),
    },
    { weight: 1, arbitrary: fc.constant({ headers: {} as Record<string, string> }) },
  );
};

const requestOf = (
  found: Operation,
  document: OpenApiDocument,
  actors: string[],
  target: string,
): fc.Arbitrary<FuzzRequest> => {
  const [method = "", template = ""] = found.key.split(" ");
  const other = fc.constantFrom(
    "wakeful-linux-amd64",
    "wakeful-linux-amd64.sha256",
    "1.svg",
    "x.svg",
    "99999999999999999999.svg",
    "%2e%2e%2f%2e%2e",
    "%00",
    "%",
  );
  return fc
    .record({
      actor: fc.oneof(
        { weight: 4, arbitrary: fc.constant(found.operation["x-access"] === "agent" ? "agent" : "bob") },
        fc.constantFrom(...actors),
      ),
      id: ids,
      other,
      query: queryOf(found),
      sent: method === "GET" ? fc.constant({ headers: {} }) : bodyOf(found, document, target),
    })
    .map(({ actor, id, other: name, query, sent }) => ({
      key: found.key,
      actor,
      path: template.replace(/\{(?!id\})\w+\}/, name) + query,
      id,
      ...sent,
    }));
};

/** Requests to every operation of a document: valid, nearly valid and malformed ones. */
export const fuzzRequests = (document: OpenApiDocument, actors: string[], target: string): fc.Arbitrary<FuzzRequest> =>
  fc.oneof(
    ...operationsOf(document).map((found) => ({
      weight: SLOW.includes(found.operation.operationId) ? 1 : 12,
      arbitrary: requestOf(found, document, actors, target),
    })),
  );
