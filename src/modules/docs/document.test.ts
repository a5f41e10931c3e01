import { describe, expect, it } from "bun:test";
import { createTestApp } from "../../testing/app";
import { problemsOf } from "../../testing/json-schema";
import { operationsOf, readDocument, responsesOf } from "../../testing/openapi";
import type { Schema } from "./json-schema";
import { routesOf } from "./routes";

const open = async () => {
  const app = await createTestApp();
  return { app, document: await readDocument(app) };
};

/** Every value in a document with its path. */
const walk = (value: unknown, path = ""): { path: string; value: unknown }[] => [
  { path, value },
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => walk(inner, `${path}/${name}`))
    : []),
];

describe("the API document", () => {
  it("is public", async () => {
    const { app, document } = await open();
    expect((await app.anybody.get("/api/openapi.json")).headers.get("content-type")).toBe("application/json");
    expect(document.openapi).toMatch(/^3\.1/);
    expect(document.servers).toEqual([{ url: "/" }]);
  });

  it("is answered with 304 to a client that has it already", async () => {
    const { app } = await open();
    const etag = (await app.anybody.get("/api/openapi.json")).headers.get("etag") ?? "";
    const again = await app.anybody.get("/api/openapi.json", undefined, { "if-none-match": etag });
    expect([etag !== "", again.status, again.text]).toEqual([true, 304, ""]);
  });

  it("names the address of the hub as its server", async () => {
    const below = await createTestApp({ env: { BASE_PATH: "/wakeful" } });
    expect((await readDocument(below)).servers).toEqual([{ url: "/wakeful" }]);
    const named = await createTestApp({ env: { PUBLIC_URL: "https://watch.example.com/up/" } });
    expect((await readDocument(named)).servers).toEqual([{ url: "https://watch.example.com/up" }]);
  });

  it("describes every route under one of its tags", async () => {
    const { app, document } = await open();
    const names = document.tags.map(({ name }) => name);
    const routes = Object.entries(routesOf(app.app)).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, route]) => ({ key: `${method} ${path}`, ...route })),
    );
    expect(routes.filter((route) => route["x-access"] === undefined).map(({ key }) => key)).toEqual([]);
    expect(routes.filter(({ tags: [tag = ""] = [] }) => !names.includes(tag)).map(({ key }) => key)).toEqual([]);
    expect(operationsOf(document).length).toBe(routes.length);
  });

  it("contains every schema that it refers to", async () => {
    const { document } = await open();
    const known = walk(document).map(({ path }) => path);
    const refs = walk(document).flatMap(({ path, value }) => (path.endsWith("/$ref") ? [String(value).slice(1)] : []));
    expect(refs.length).toBeGreaterThan(20);
    expect(refs.filter((ref) => !known.includes(ref))).toEqual([]);
  });

  it("describes the summary, parameters, body and answers of every call", async () => {
    const { document } = await open();
    const ids = operationsOf(document).map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const found of operationsOf(document)) {
      const { key, operation } = found;
      expect([key, operation.summary.length > 5]).toEqual([key, true]);
      for (const { name, description } of operation.parameters ?? [])
        expect([key, name, description !== undefined]).toEqual([key, name, true]);
      const body = operation.requestBody?.content["application/json"];
      for (const [name, { description }] of Object.entries(body?.schema.properties ?? {}))
        expect([key, name, description !== undefined]).toEqual([key, name, true]);
      const statuses = Object.keys(responsesOf(found));
      expect([key, statuses.some((status) => /^2/.test(status)), statuses.includes("default")]).toEqual([
        key,
        true,
        true,
      ]);
    }
  });

  it("has examples that match its schemas", async () => {
    const { document } = await open();
    const { schemas } = document.components;
    for (const found of operationsOf(document)) {
      const { key, operation } = found;
      const body = operation.requestBody?.content["application/json"];
      const bodies = [body?.example ?? [], ...Object.values(body?.examples ?? {}).map(({ value }) => value)].flat();
      for (const example of bodies) expect([key, problemsOf(example, body?.schema ?? {}, schemas)]).toEqual([key, []]);
      for (const { schema, example } of operation.parameters ?? [])
        if (example !== undefined) expect([key, problemsOf(example, schema, schemas)]).toEqual([key, []]);
      for (const [status, { content = {} }] of Object.entries(responsesOf(found))) {
        for (const { schema = {}, example, examples = {} } of Object.values(content)) {
          const given = [
            ...(example === undefined ? [] : [example]),
            ...Object.values(examples).map(({ value }) => value),
          ];
          expect([key, status, given.length > 0]).toEqual([key, status, true]);
          for (const one of given) expect([key, status, problemsOf(one, schema, schemas)]).toEqual([key, status, []]);
        }
      }
    }
  });

  it("describes every field of the answers", async () => {
    const { document } = await open();
    const bare = walk(document.components.schemas).filter(({ path, value }) => {
      const { type, description, properties, items, $ref } = (value ?? {}) as Schema;
      return /\/properties\/[^/]+$/.test(path) && type && !description && !properties && !items && !$ref;
    });
    expect(bare.map(({ path }) => path)).toEqual([]);
  });
});
