import { describe, expect, it } from "bun:test";
import { checkError } from "../../shared/check-error";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { addMonitor, record } from "../../testing/fixtures/monitors";
import type { PresentedMonitor } from "./present";

const MINUTE = 60_000;

/** Bob's monitors, one of each status, and two of charlie's. */
const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const add = (name: string, more = {}) => addMonitor(app, bob, { url: `https://${name}.example/`, name, ...more });
  const up = await add("Shop");
  const down = await add("Blog");
  const pending = await add("100%_sure\\");
  const paused = await add("Äpfel und Öl", { active: false });
  await record(app, up, [{ at: START - MINUTE }]);
  await record(app, down, [{ at: START - MINUTE, up: false }]);
  await record(app, paused, [{ at: START - MINUTE }]);
  for (const name of ["c1", "c2"]) await addMonitor(app, charlie, { url: "https://shop.example/", name });
  const list = async (query = "") => (await app.as(bob).get(`/api/monitors${query}`)).body;
  const names = async (query: string) => (await list(query)).monitors.map(({ name }) => name);
  return { app, alice, bob, charlie, list, names, ids: { up, down, pending, paused } };
};

it("lists all monitors in the order of creation, with the total and the number in each status", async () => {
  const { list, ids } = await setUp();
  const { success, total, counts, monitors } = await list();
  expect(success).toBe(true);
  expect(monitors.map(({ id }) => id)).toEqual([ids.up, ids.down, ids.pending, ids.paused]);
  expect(monitors.map(({ status }) => status)).toEqual(["up", "down", "pending", "paused"]);
  expect([total, counts]).toEqual([4, { all: 4, up: 1, degraded: 0, down: 1, pending: 1, paused: 1, unknown: 0 }]);
});

it("lists why a monitor is down now, which may differ from why it went down", async () => {
  const { app, bob, list, ids } = await setUp();
  const error = checkError("status", { actual: 503, expected: "200" });
  await record(app, ids.down, [{ at: START, up: false, error, statusCode: 503 }]);
  const present = { error_code: "status", error_detail: { actual: 503, expected: "200" } };
  for (const query of ["", "&fields=compact", "&fields=all"])
    expect((await list(`?status=down${query}`)).monitors).toMatchObject([{ id: ids.down, ...present }]);
  const outage = (await app.as(bob).get("/api/outages?open=1")).body.outages[0];
  expect([outage?.error_code, outage?.last_error_code]).toEqual([null, "status"]);
});

it("the list filters by status, where active means not paused", async () => {
  const { names, list } = await setUp();
  expect(await names("?status=up")).toEqual(["Shop"]);
  expect(await names("?status=down")).toEqual(["Blog"]);
  expect(await names("?status=pending")).toEqual(["100%_sure\\"]);
  expect(await names("?status=paused")).toEqual(["Äpfel und Öl"]);
  expect(await names("?status=active")).toEqual(["Shop", "Blog", "100%_sure\\"]);
  // The counts ignore the filter.
  expect((await list("?status=up")).counts.all).toBe(4);
});

describe("search", () => {
  it("matches names and URLs regardless of case", async () => {
    const { names } = await setUp();
    expect(await names("?search=SHO")).toEqual(["Shop"]);
    expect(await names("?search=blog.EXAMPLE")).toEqual(["Blog"]);
    expect(await names("?search=%20shop%20")).toEqual(["Shop"]);
    expect(await names("?search=nothing")).toEqual([]);
    expect(await names("?search=")).toHaveLength(4);
  });

  it("matches letters beyond ASCII in the case that was typed", async () => {
    const { names } = await setUp();
    for (const text of ["Äpfel", "Öl", "pfel und"]) {
      expect([text, await names(`?search=${encodeURIComponent(text)}`)]).toEqual([text, ["Äpfel und Öl"]]);
    }
  });

  it("matches wildcard characters literally", async () => {
    const { names } = await setUp();
    for (const text of ["100%", "%_s", "sure\\"]) {
      expect([text, await names(`?search=${encodeURIComponent(text)}`)]).toEqual([text, ["100%_sure\\"]]);
    }
    for (const text of ["S_op", "S%p", "'", '"', "\\\\"]) {
      expect([text, await names(`?search=${encodeURIComponent(text)}`)]).toEqual([text, []]);
    }
  });
});

it("the list returns a page of the matches and their total", async () => {
  const { list } = await setUp();
  const page = async (query: string) => {
    const { total, monitors } = await list(query);
    return [total, monitors.map(({ name }) => name)];
  };
  expect(await page("?limit=1")).toEqual([4, ["Shop"]]);
  expect(await page("?limit=2&offset=1")).toEqual([4, ["Blog", "100%_sure\\"]]);
  expect(await page("?offset=3")).toEqual([4, ["Äpfel und Öl"]]);
  expect(await page("?offset=9")).toEqual([4, []]);
  expect(await page("?status=active&limit=1&offset=2")).toEqual([3, ["100%_sure\\"]]);
  expect(await page("?search=shop&limit=5")).toEqual([1, ["Shop"]]);
});

it("lists the monitors of all users for an administrator, with matching counts", async () => {
  const { app, alice } = await setUp();
  const { total, counts, monitors } = (await app.as(alice).get("/api/monitors")).body;
  expect([total, counts.all, counts.pending, monitors.length]).toEqual([6, 6, 3, 6]);
});

describe("the history of a listed monitor", () => {
  it("has the last 24 outcomes in the list and 40 in the detail, oldest first, or as many as requested", async () => {
    const { app, bob, list, ids } = await setUp();
    const found = Array.from({ length: 50 }, (_, index) => ({ at: START + index * MINUTE, up: index % 3 !== 0 }));
    await record(app, ids.pending, found);
    const shown = async (query: string) =>
      ((await list(query)).monitors as PresentedMonitor[]).find(({ id }) => id === ids.pending)?.history ?? [];
    expect((await shown("")).map(({ timestamp }) => Date.parse(timestamp))).toEqual(
      found.slice(-24).map(({ at }) => at),
    );
    expect((await shown("")).map(({ status }) => status === "up")).toEqual(found.slice(-24).map(({ up }) => up));
    for (const count of [0, 1, 40]) expect(await shown(`?history=${count}`)).toHaveLength(count);
    const detail = async (query: string) =>
      (await app.as(bob).get(`/api/monitors/${ids.pending}${query}`)).body.monitor;
    expect((await detail("")).history).toHaveLength(40);
    expect((await detail("?history=7")).history).toHaveLength(7);
    expect((await detail("")).history[0]).toEqual({
      id: START + 10 * MINUTE,
      monitor_id: ids.pending,
      status: "up",
      timestamp: new Date(START + 10 * MINUTE).toISOString(),
    });
  });
});

it("a listed monitor has the result of its last check and its uptime", async () => {
  const { app, list, ids } = await setUp();
  await record(app, ids.up, [
    { at: START + MINUTE / 2, up: false, time: 12.34, statusCode: 500 },
    { at: START + MINUTE, up: true, time: 56.7 },
  ]);
  app.clock.set(START + 3 * MINUTE);
  const monitor = (await list()).monitors[0];
  expect(monitor).toMatchObject({ status: "up", response_time: 56.7, uptime: 75 });
  expect(monitor?.last_checked).toBe(new Date(START + MINUTE).toISOString());
});

it("`mine` leaves out other users' monitors for an administrator", async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  const id = await addMonitor(app, alice, { url: "https://shop.example/" });
  await addMonitor(app, bob, { url: "https://blog.example/" });
  const list = async (query: string) =>
    (await app.as(alice).get(`/api/monitors${query}`)).body.monitors.map((monitor) => monitor.id);
  expect(await list("?mine=1")).toEqual([id]);
  expect(await list("")).toHaveLength(2);
});

describe("headers and bodies", () => {
  const fat = { method: "POST" as const, headers: { "X-Token": "secret" }, body: "a body" };

  it("are left out of lists and of the dashboard, and are in the detail", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    const id = await addMonitor(app, bob, { url: "https://shop.example/", name: "Shop", ...fat });
    for (const path of ["/api/monitors", "/api/dashboard"]) {
      const { text } = await app.as(bob).get(path);
      expect(text).toContain("shop.example");
      for (const word of ["headers", "secret", '"body"']) expect(text).not.toContain(word);
    }
    expect((await app.as(bob).get(`/api/monitors/${id}`)).body.monitor).toMatchObject({
      headers: fat.headers,
      body: fat.body,
    });
  });

  it("are in a list with fields=all", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    await addMonitor(app, bob, { url: "https://shop.example/", name: "Shop", ...fat });
    const { monitors } = (await app.as(bob).get("/api/monitors?fields=all&history=2")).body;
    expect(monitors[0]).toMatchObject({ headers: fat.headers, body: fat.body });
    expect((await app.as(bob).get("/api/monitors?fields=some")).status).toBe(422);
  });
});

it("lists at most 1,000 monitors, and 50 with fields=all, with the total", async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  const monitors = Array.from({ length: 1003 }, (_, index) => ({
    name: `m${index}`,
    url: "https://shop.example/",
    interval: 60,
    active: false,
  }));
  await app.as(alice).post("/api/import", { format: "wakeful-configuration", version: 1, monitors });
  const list = async (query: string) => (await app.as(alice).get(`/api/monitors${query}`)).body;
  const [all, rest, full] = [await list(""), await list("?offset=1000"), await list("?fields=all&limit=1000")];
  expect([all.total, all.monitors.length]).toEqual([1003, 1000]);
  expect([rest.total, rest.monitors.length]).toEqual([1003, 3]);
  expect([full.total, full.monitors.length]).toEqual([1003, 50]);
  expect((await app.as(alice).get("/api/monitors?limit=1001")).status).toBe(422);
});
