import { expect, it } from "bun:test";
import { createTestApp } from "./app";

it("answers are typed by method and path, so that a field that a route does not have fails to compile", async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  const client = app.as(alice);
  const list = await client.get("/api/monitors?history=0");
  expect([list.body.total, list.body.monitors]).toEqual([0, []]);
  // @ts-expect-error a list of monitors has no keys
  expect(list.body.keys).toBeUndefined();
  const id = 1;
  const missing = await client.get(`/api/monitors/${id}`);
  expect([missing.body.code, missing.body.monitor]).toEqual(["not_found", undefined as never]);
  // @ts-expect-error a monitor is answered alone
  expect(missing.body.monitors).toBeUndefined();
  // @ts-expect-error a monitor has no password
  expect(missing.body.monitor?.password).toBeUndefined();
});
