import { beforeAll, expect, it } from "bun:test";
import type { Outcome } from "../../../probe/outcome";
import { integer, object, record, text } from "../../../server/answers";
import { checkError } from "../../../shared/check-error";
import { defineKind } from "./kind";
import { KINDS } from "./registry";

type Fields = { room: string; limit: number; keys: Record<string, string> };

/** A kind that exists in this test only: a thermometer, which is well up to a limit. */
const thermometer = defineKind<Fields>({
  kind: "thermometer",
  config: object({
    room: text("The room.", "cellar"),
    limit: integer("Degrees.", 30),
    keys: record(text("A key.", "k"), "Keys of the thermometer.", "main"),
  }),
  defaults: {},
  large: ["keys"],
  secrets: {
    keys: { hiddenFrom: "others", mask: (keys) => Object.fromEntries(Object.keys(keys).map((k) => [k, "••••"])) },
  },
  target: ({ room }) => `thermometer in ${room}`,
  host: ({ room }) => room,
  probe: async ({ limit, keys }): Promise<Outcome> => ({
    up: limit > 20 && keys.main === "sesame",
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
  config: { room: "cellar", limit: 30, keys: { main: "sesame" } },
  interval: 60,
  retries: 0,
};

it("a kind in the registry is created, checked, listed, exported, imported and documented by every other part", async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  const created = await app.as(bob).post("/api/monitors", CELLAR);
  expect([created.status, created.body.monitor.config]).toEqual([201, CELLAR.config]);
  const { id } = created.body.monitor;
  await app.as(bob).post(`/api/monitors/${id}/check`);
  const { monitor } = (await app.as(bob).get(`/api/monitors/${id}`)).body;
  expect(monitor).toMatchObject({ kind: "thermometer", target: "thermometer in cellar", status: "up" });
  const [listed] = (await app.as(bob).get("/api/monitors?search=thermometer")).body.monitors;
  // A list leaves out large fields.
  expect(listed?.config).toEqual({ room: "cellar", limit: 30 });

  const masked = (await app.as(alice).get(`/api/monitors/${id}`)).body.monitor;
  expect(masked.config).toEqual({ ...CELLAR.config, keys: { main: "••••" } });
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
    .post("/api/monitors", { ...CELLAR, config: { room: "cellar", limit: "hot", keys: {} } });
  expect([bad.status, bad.body.errors.map(({ path }) => path)]).toEqual([422, ["config.limit"]]);
  const document = (await app.anybody.get("/api/openapi.json")).text;
  expect(document).toContain("Keys of the thermometer.");
});
