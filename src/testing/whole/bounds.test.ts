import { expect, it } from "bun:test";
import { KINDS } from "../../modules/monitors/kinds/registry";
import { createTestApp } from "../app";

type Schema = {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  format?: string;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: Schema | Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
};

/** Fields of any type, which code validates and bounds. A monitor's `config` is validated by the schema of its kind. */
const VALIDATED_BY_CODE = [
  "POST /api/monitors/ body.config",
  "PUT /api/monitors/:id body.config",
  "GET /api/monitors/ query.tag",
  "GET /api/agents/ query.tag",
  "GET /api/wall/ query.tag",
  "GET /api/outages/ query.tag",
  "GET /api/outages/summary query.tag",
  "GET /api/outages/export query.tag",
  "GET /api/agents/:id/metrics query.series",
  "POST /api/monitors/probe body.config",
  "POST /api/import body.monitors.[].config",
  "http headers",
  "POST /api/monitors/ body.headers",
  "PUT /api/monitors/:id body.headers",
  "POST /api/monitors/probe body.headers",
  "POST /api/import body.monitors.[].headers",
  "DELETE /api/auth/sessions/:id params.id",
  "GET /downloads/:name params.name",
];
/** The path of a ping, which answers 404 like an unknown token. */
const PING = /^\w+ \/(ping|api\/push)\/.* params\.\w+$/;

/** Numbers are accepted as texts, which Elysia converts before anything is stored. */
const isNumber = ({ format }: Schema) => /^(integer|numeric)$/.test(format ?? "");

/** The paths of all texts, lists and records in a schema that may have any size. */
const unbounded = (schema: Schema, path: string): string[] => {
  if (schema.enum || schema.const !== undefined || isNumber(schema)) return [];
  if (schema.anyOf || schema.allOf)
    return [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((one) => unbounded(one, path));
  switch (schema.type) {
    case "string":
      return schema.maxLength === undefined ? [path] : [];
    case "array": {
      const items = [schema.items ?? []].flat();
      const tuple = Array.isArray(schema.items);
      const inner = items.flatMap((item) => unbounded(item, `${path}.[]`));
      return [...(schema.maxItems === undefined && !tuple ? [path] : []), ...inner];
    }
    case "object": {
      const records = Object.values(schema.patternProperties ?? {});
      return [
        ...(records.length > 0 && schema.maxProperties === undefined ? [path] : []),
        ...records.flatMap((one) => unbounded(one, `${path}.*`)),
        ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => unbounded(one, `${path}.${name}`)),
      ];
    }
    case "number":
    case "integer":
    case "boolean":
    case "null":
      return [];
    default:
      return [path];
  }
};

it("every text, list and record that a call takes has an upper bound", async () => {
  const { app } = await createTestApp();
  const found = app.routes.flatMap(({ method, path, hooks }) =>
    (["body", "query", "params"] as const).flatMap((place) => {
      const schema = (hooks as Partial<Record<typeof place, Schema>>)[place];
      return schema ? unbounded(schema, `${method} ${path} ${place}`) : [];
    }),
  );
  expect(found.filter((path) => !VALIDATED_BY_CODE.includes(path) && !PING.test(path))).toEqual([]);
});

it("every text, list and record in the fields of a monitor kind has an upper bound", () => {
  const found = KINDS.flatMap(({ kind, sent }) =>
    Object.entries(sent.properties as Record<string, Schema>).flatMap(([name, one]) =>
      unbounded(one, `${kind} ${name}`),
    ),
  );
  expect(found.filter((path) => !VALIDATED_BY_CODE.includes(path))).toEqual([]);
});
