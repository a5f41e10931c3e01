import { expect, it } from "bun:test";
import { MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { createKuma, HTTP, importer, importFile, SHOP, uploadOf } from "../../../testing/fixtures/imports/kuma";

const start = async () => {
  const app = await createTestApp();
  return { app, ...(await app.people()) };
};

it("an API key creates no channels, and a session adds them and their rules later", async () => {
  const { app, alice } = await start();
  const { key } = (await app.as(alice).post("/api/keys", { name: "cli", scope: "full" })).body as unknown as {
    key: string;
  };
  const file = createKuma(2, SHOP);
  const byKey = importer(app.send, key);
  const preview = await byKey.preview(uploadOf(file));
  expect(preview.body.items[0]?.notes).toMatchObject([{ code: "session_required" }]);
  await byKey.apply(preview.body.id);
  expect((await app.as(alice).get("/api/monitors")).body.total).toBe(3);
  await importFile(app, alice, file);
  const { channels, settings } = (await app.as(alice).get("/api/notifications")).body.data;
  const [shop] = (await app.as(alice).get("/api/monitors?search=Shop")).body.monitors;
  expect(settings.specificMonitors[shop?.id ?? 0]).toMatchObject({ enabled: true, channels: [channels[0]?.id] });
});

it("messages that are repeated become a policy for each pair of channels and minutes", async () => {
  const { app, alice } = await start();
  const again = { ...HTTP, resend_interval: 10 };
  const content = {
    ...SHOP,
    monitor: [
      { id: 2, name: "Shop", ...again },
      { id: 4, name: "Blog", ...again, url: "http://127.0.0.1:9/blog" },
    ],
  };
  await importFile(app, alice, createKuma(1, content));
  const { policies } = (await app.as(alice).get("/api/notifications/policies")).body as unknown as {
    policies: { id: number; repeat_minutes: number }[];
  };
  expect(policies).toMatchObject([{ repeat_minutes: 10 }]);
  const { settings } = (await app.as(alice).get("/api/notifications")).body.data;
  expect(settings.monitors).toMatchObject({ enabled: true, policyId: policies[0]?.id });
  expect(settings.specificMonitors).toEqual({});
});

it("new monitors are muted for two intervals, at least five minutes", async () => {
  const { app, alice } = await start();
  const monitor = [
    { id: 1, name: "Shop", ...HTTP },
    { id: 2, name: "Slow", ...HTTP, url: "http://127.0.0.1:9/slow", interval: 600 },
    { id: 3, name: "Paused", ...HTTP, url: "http://127.0.0.1:9/paused", active: 0 },
  ];
  await importFile(app, alice, createKuma(1, { monitor }));
  const { monitors } = (await app.as(alice).get("/api/monitors?sort=name")).body;
  const until = (minutes: number) => new Date(START + minutes * MINUTE).toISOString();
  expect(monitors.map(({ muted }) => muted?.until)).toEqual([undefined, until(5), until(20)]);
});
