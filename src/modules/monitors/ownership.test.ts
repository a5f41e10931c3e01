import { describe, expect, it } from "bun:test";
import { createTestApp } from "../../testing/app";
import type { Client } from "../../testing/client";
import { addMonitor } from "../../testing/fixtures/monitors";
import { serveStatus } from "../../testing/servers/targets";

const EDIT = { name: "taken over", url: "http://127.0.0.1:1/", interval: 60, active: false };

/** Every call there is about one monitor. */
const calls = (client: Client, id: number) => [
  client.get(`/api/monitors/${id}`),
  client.get(`/api/monitors/${id}/checks`),
  client.get(`/api/monitors/${id}/series`),
  client.put(`/api/monitors/${id}`, EDIT),
  client.post(`/api/monitors/${id}/pause`),
  client.post(`/api/monitors/${id}/resume`),
  client.post(`/api/monitors/${id}/check`),
  client.delete(`/api/monitors/${id}`),
];

it("another user's monitor is answered like one that does not exist", async () => {
  const app = await createTestApp();
  const { bob, charlie } = await app.people();
  const id = await addMonitor(app, bob, { url: "https://secret.example/", active: false });
  const theirs = await Promise.all(calls(app.as(charlie), id));
  const nothing = await Promise.all(calls(app.as(charlie), id + 1000));
  for (const { status, body } of theirs) expect([status, body.code]).toEqual([404, "not_found"]);
  expect(theirs.map(({ text }) => text)).toEqual(nothing.map(({ text }) => text));

  const list = (await app.as(charlie).get("/api/monitors")).body;
  expect([list.total, list.monitors, list.counts.all]).toEqual([0, [], 0]);
  expect((await app.as(charlie).get("/api/monitors?search=secret")).body.total).toBe(0);
  expect((await app.as(charlie).get("/api/dashboard")).text).not.toInclude("secret");
  expect((await app.as(bob).get(`/api/monitors/${id}`)).body.monitor).toMatchObject({ name: "shop", status: "paused" });
});

it("an administrator reads and updates all users' monitors, which keep their owner", async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  const { url } = serveStatus();
  const id = await addMonitor(app, bob, { url, active: false });
  await addMonitor(app, alice, { url, name: "alice's", active: false });
  expect((await app.as(alice).get("/api/monitors")).body).toMatchObject({ total: 2, counts: { all: 2 } });

  const changed = await app.as(alice).put(`/api/monitors/${id}`, EDIT);
  expect([changed.status, changed.body.monitor.name]).toEqual([200, "taken over"]);
  for (const call of ["pause", "check"]) {
    expect((await app.as(alice).post(`/api/monitors/${id}/${call}`)).status).toBe(200);
  }
  expect((await app.as(bob).get(`/api/monitors/${id}`)).body.monitor.name).toBe("taken over");
  expect((await app.as(bob).get("/api/monitors")).body.total).toBe(1);
  expect((await app.as(alice).delete(`/api/monitors/${id}`)).status).toBe(200);
  expect((await app.as(bob).get(`/api/monitors/${id}`)).status).toBe(404);
});

it("only an administrator gets the owner's name, and only for other users' monitors", async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const { url } = serveStatus();
  const [own, bobs] = [
    await addMonitor(app, alice, { url, active: false }),
    await addMonitor(app, bob, { url, active: false }),
  ];
  await addMonitor(app, charlie, { url, active: false });
  const ownersOf = (list: { owner?: string }[]) => list.map(({ owner }) => owner);
  const { monitors } = (await app.as(alice).get("/api/monitors")).body;
  expect(ownersOf(monitors)).toEqual([undefined, "bob", "charlie"]);
  const dashboard = JSON.parse((await app.as(alice).get("/api/dashboard")).text);
  expect(ownersOf(dashboard.latest_monitors)).toEqual([undefined, "bob", "charlie"]);
  const answers = [
    await app.as(alice).get(`/api/monitors/${bobs}`),
    await app.as(alice).put(`/api/monitors/${bobs}`, EDIT),
    await app.as(alice).post(`/api/monitors/${bobs}/pause`),
    await app.as(alice).post(`/api/monitors/${bobs}/check`),
  ];
  expect(ownersOf(answers.map(({ body }) => body.monitor))).toEqual(["bob", "bob", "bob", "bob"]);
  const unnamed = [
    await app.as(alice).get(`/api/monitors/${own}`),
    await app.as(alice).get("/api/monitors?mine=1"),
    await app.as(bob).get("/api/monitors"),
    await app.as(bob).get(`/api/monitors/${bobs}`),
    await app.as(bob).get("/api/dashboard"),
    await app.as(bob).post(`/api/monitors/${bobs}/pause`),
  ];
  expect(unnamed.map(({ status, text }) => [status, text.includes('"owner"')])).toEqual(
    unnamed.map(() => [200, false]),
  );
});

describe("a check of a private address", () => {
  const checked = async (env: Record<string, string>) => {
    const app = await createTestApp({ env });
    const { alice, bob } = await app.people();
    const { url } = serveStatus();
    const errors = [];
    for (const owner of [alice, bob]) {
      const id = await addMonitor(app, owner, { url });
      // Only the owner of the monitor counts, not the caller of the check.
      errors.push((await app.as(alice).post(`/api/monitors/${id}/check`)).body.check.error);
    }
    return errors.map((error) => error?.split(":")[0] ?? null);
  };

  it("is allowed for administrators only by default", async () => expect(await checked({})).toEqual([null, "blocked"]));
  it("is allowed for all users with PRIVATE_TARGETS=all", async () =>
    expect(await checked({ PRIVATE_TARGETS: "all" })).toEqual([null, null]));
  it("is refused to all users with PRIVATE_TARGETS=none", async () =>
    expect(await checked({ PRIVATE_TARGETS: "none" })).toEqual(["blocked", "blocked"]));
});
