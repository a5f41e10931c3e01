import { beforeAll, expect, it } from "bun:test";
import type { Outcome } from "../../../probe/outcome";
import { checkError } from "../../../shared/check-error";
import { hostField } from "../../../shared/monitor-kinds/common";
import { describeKind } from "../../../shared/monitor-kinds/field";
import { defineKind } from "./kind";
import { KINDS } from "./registry";

/** A kind that exists in this test only: a thermometer, which is well up to a limit. */
const description = describeKind({
  kind: "thermometer",
  fields: [
    { ...hostField, name: "room", about: "The room.", example: "cellar", label: "Room" },
    { name: "limit", type: "number", min: 0, max: 99, default: 30, about: "Degrees.", example: 30, label: "Limit" },
    {
      ...{
        name: "key",
        type: "password",
        maxLength: 20,
        expected: "at most 20 letters",
        secret: "others",
        large: true,
      },
      ...{ about: "Key of the thermometer.", example: "main", label: "Key" },
    },
  ],
  form: { target: ["room"], settings: ["limit", "key"] },
  target: ({ room }) => `thermometer in ${room}`,
});
const thermometer = defineKind(description, {
  probe: async ({ limit, key }): Promise<Outcome> => ({
    up: limit > 20 && key === "sesame",
    responseTime: 1,
    statusCode: null,
    error: limit > 20 ? null : checkError("invalid_response"),
    certExpiresAt: null,
  }),
});

// The rest of the product reads the registry as it is loaded.
let createTestApp: typeof import("../../../testing/app").createTestApp;
beforeAll(async () => {
  KINDS.push(thermometer);
  ({ createTestApp } = await import("../../../testing/app"));
});

const CELLAR = {
  name: "cellar",
  kind: "thermometer",
  config: { room: "cellar", key: "sesame" },
  interval: 60,
  retries: 0,
};

it("a kind in the registry is created, checked, listed, exported, imported and documented by every other part", async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  const created = await app.as(bob).post("/api/monitors", CELLAR);
  expect([created.status, created.body.monitor.config]).toEqual([201, { ...CELLAR.config, limit: 30 }]);
  const { id } = created.body.monitor;
  await app.as(bob).post(`/api/monitors/${id}/check`);
  const { monitor } = (await app.as(bob).get(`/api/monitors/${id}`)).body;
  expect(monitor).toMatchObject({ kind: "thermometer", target: "thermometer in cellar", status: "up" });
  const [listed] = (await app.as(bob).get("/api/monitors?search=thermometer")).body.monitors;
  // A list leaves out large fields.
  expect(listed).toEqual(expect.objectContaining({ config: { room: "cellar", limit: 30 } }));

  const masked = (await app.as(alice).get(`/api/monitors/${id}`)).body.monitor;
  expect(masked.config).toEqual({ ...CELLAR.config, limit: 30, key: "••••" });
  const hot = { ...CELLAR, config: { ...masked.config, limit: 10 } };
  expect((await app.as(alice).put(`/api/monitors/${id}`, hot)).status).toBe(200);
  await app.clock.advance(10_000);
  expect((await app.as(bob).post(`/api/monitors/${id}/check`)).body.check.status).toBe("down");

  const file = JSON.parse((await app.as(bob).get("/api/export")).text);
  expect(file.monitors[0]).toMatchObject({ kind: "thermometer", config: { ...CELLAR.config, limit: 10 } });
  const imported = await app.as(alice).post("/api/import", file);
  expect([imported.status, JSON.parse(imported.text).created.monitors]).toEqual([200, 1]);
  expect(JSON.parse((await app.as(alice).post("/api/import", file)).text).skipped.monitors).toBe(1);

  const bad = await app
    .as(bob)
    .post("/api/monitors", { ...CELLAR, config: { room: "a cellar", limit: "hot", key: "" } });
  expect([bad.status, bad.body.errors.map(({ path }) => path)]).toEqual([422, ["config.limit", "config.room"]]);
  const document = (await app.anybody.get("/api/openapi.json")).text;
  expect(document).toContain("Key of the thermometer.");
});
