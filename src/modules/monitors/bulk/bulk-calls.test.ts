import { describe, expect, it } from "bun:test";
import { eq, isNull } from "drizzle-orm";
import {
  monitorPauses,
  monitorStates,
  monitors,
  notificationRules,
  outages,
  pendingPurges,
  targetTags,
} from "../../../db/schema";
import { checkError } from "../../../shared/check-error";
import { createTestApp } from "../../../testing/app";
import { until } from "../../../testing/clock";
import { addChannel } from "../../../testing/fixtures/alerts";
import { addMonitor, recordOnly } from "../../../testing/fixtures/monitors";
import { serveHeld } from "../../../testing/servers/targets";

const setUp = async () => {
  const app = await createTestApp({ env: { PRIVATE_TARGETS: "all" } });
  const { alice, bob, charlie } = await app.people();
  const add = (name: string, more: object = {}, owner = bob) =>
    addMonitor(app, owner, { url: `https://${name}.example/`, name, ...more });
  const ids = [await add("shop"), await add("api"), await add("blog")];
  const bulk = async (body: object, caller = bob) => (await app.as(caller).post("/api/monitors/bulk", body)).body;
  const read = async (id: number) => (await app.as(alice).get(`/api/monitors/${id}`)).body.monitor;
  return { app, alice, bob, charlie, add, ids, bulk, read };
};

describe("a call for many monitors", () => {
  it("pauses them as single calls do: outages end, pauses are written, and checks stop", async () => {
    const { app, ids, bulk, read } = await setUp();
    const [shop = 0] = ids;
    await recordOnly(app, shop, [{ at: app.clock.now(), up: false, error: checkError("timeout", { seconds: 20 }) }]);
    expect(await app.db.$count(outages, isNull(outages.endedAt))).toBe(1);
    expect(await bulk({ ids, action: "pause" })).toMatchObject({ success: true, matched: 3, changed: 3, refused: [] });
    expect(await app.db.$count(outages, isNull(outages.endedAt))).toBe(0);
    expect(await app.db.$count(monitorPauses, isNull(monitorPauses.endedAt))).toBe(3);
    expect(await app.db.$count(monitorStates, isNull(monitorStates.nextCheckAt))).toBe(3);
    expect((await read(shop)).status).toBe("paused");
    expect(await bulk({ ids, action: "pause" })).toMatchObject({ matched: 3, changed: 0 });
    expect(await bulk({ ids: [shop], action: "resume" })).toMatchObject({ matched: 1, changed: 1 });
    expect(await app.db.$count(monitorPauses, isNull(monitorPauses.endedAt))).toBe(2);
    expect((await read(shop)).active).toBe(true);
  });

  it("takes a filter as the list does, and only counts in a dry run", async () => {
    const { add, app, bob, bulk, read, ids } = await setUp();
    const tagged = await add("prod", { tags: [{ name: "env", value: "prod" }] });
    const count = (filter: object) => bulk({ filter, action: "pause", dry_run: true });
    expect(await count({})).toMatchObject({ matched: 4, changed: 4 });
    expect(await count({ tags: ["env:prod"] })).toMatchObject({ matched: 1 });
    expect(await count({ tags: ["env:test"] })).toMatchObject({ ids: [], matched: 0 });
    expect(await count({ search: "sho", status: "active" })).toMatchObject({ matched: 1 });
    expect((await read(tagged)).active).toBe(true);
    await bulk({ filter: { tags: ["env"] }, action: "pause" });
    expect((await app.as(bob).get("/api/monitors?status=paused")).body.monitors.map(({ id }) => id)).toEqual([tagged]);
    expect((await bulk({ filter: { status: "paused" }, action: "delete", dry_run: true })).changed).toBe(1);
    expect(await app.db.$count(monitors)).toBe(ids.length + 1);
  });

  it("deletes them with all that belongs to them, and purges their history later", async () => {
    const { app, bob, ids, bulk, add } = await setUp();
    const tagged = await add("prod", { tags: [{ name: "env", value: "" }] });
    const [shop = 0] = ids;
    await recordOnly(app, shop, [{ at: app.clock.now(), up: false, error: checkError("timeout", { seconds: 20 }) }]);
    expect(await bulk({ ids: [shop, tagged], action: "delete" })).toMatchObject({ matched: 2, changed: 2 });
    const counts = [monitors, monitorStates, outages, targetTags].map((table) => app.db.$count(table));
    expect(await Promise.all(counts)).toEqual([2, 2, 0, 0]);
    expect(await app.db.$count(pendingPurges)).toBe(2);
    expect((await app.as(bob).get(`/api/monitors/${shop}`)).status).toBe(404);
  });

  it("leaves out other users' monitors, except for administrators", async () => {
    const { ids, bulk, charlie, alice, add } = await setUp();
    const foreign = await add("foreign", {}, charlie);
    expect(await bulk({ ids: [...ids, foreign, 999], action: "pause" })).toMatchObject({
      matched: 3,
      changed: 3,
      refused: [
        { id: foreign, code: "not_found" },
        { id: 999, code: "not_found" },
      ],
    });
    expect(await bulk({ filter: {}, action: "resume", dry_run: true }, charlie)).toMatchObject({
      matched: 1,
      changed: 0,
    });
    expect(await bulk({ filter: {}, action: "pause" }, alice)).toMatchObject({ matched: 4, changed: 1 });
  });

  it("sets fields, and leaves out monitors that they do not fit", async () => {
    const { ids, bulk, read, add } = await setUp();
    const slow = await add("slow", { interval: 300, timeout: 120 });
    expect(await bulk({ ids: [...ids, slow], set: { interval: 60, retries: 3 } })).toMatchObject({
      matched: 4,
      changed: 3,
      refused: [{ id: slow, code: "timeout_above_interval" }],
    });
    expect(await read(ids[0] ?? 0)).toMatchObject({ interval: 60, retries: 3, timeout: 20 });
    expect(await read(slow)).toMatchObject({ interval: 300, retries: 0 });
  });

  it("adds and removes tags of each owner, at most 20 on one monitor", async () => {
    const { app, ids, bulk, read, alice, bob, charlie, add } = await setUp();
    const full = await add("full", {
      tags: Array.from({ length: 20 }, (_, index) => ({ name: `t${index}`, value: "" })),
    });
    const foreign = await add("foreign", {}, charlie);
    const set = { add_tags: [{ name: "Prod", value: "eu", color: "teal" }], remove_tags: ["t3", "nothing"] };
    expect(await bulk({ ids: [...ids, foreign, full], set }, alice)).toMatchObject({
      matched: 5,
      changed: 5,
      refused: [],
    });
    for (const id of [ids[0] ?? 0, foreign])
      expect((await read(id)).tags).toEqual([{ name: "Prod", color: "teal", value: "eu" }]);
    expect((await read(full)).tags.map(({ name }) => name)).not.toContain("t3");
    expect((await app.as(charlie).get("/api/tags")).body.tags).toMatchObject([{ name: "Prod", monitors: 1 }]);
    expect(await bulk({ ids: [full], set: { add_tags: [{ name: "one" }] } })).toMatchObject({
      changed: 0,
      refused: [{ id: full, code: "too_many_tags" }],
    });
    expect((await bulk({ ids, set: { add_tags: [{ name: "prod", value: "eu" }] } })).changed).toBe(0);
    expect((await bulk({ ids: [foreign], set: { remove_tags: ["PROD"] } }, charlie)).changed).toBe(1);
    expect((await read(foreign)).tags).toEqual([]);
    expect((await app.as(bob).get("/api/tags")).body.tags).toHaveLength(21);
  });

  it("chooses the channels of the caller's own monitors, and takes that back", async () => {
    const { app, ids, bulk, alice, bob } = await setUp();
    const chat = await addChannel(app, bob);
    expect((await bulk({ ids, set: { channels: [chat] } })).changed).toBe(3);
    const settings = async () => (await app.as(bob).get("/api/notifications")).body.data.settings.specificMonitors;
    for (const id of ids)
      expect((await settings())[id]).toMatchObject({
        overrideGlobal: true,
        enabled: true,
        channels: [chat],
        onDown: true,
      });
    await bulk({ ids, set: { channels: null } });
    expect((await settings())[ids[0] ?? 0]).toMatchObject({ overrideGlobal: false, channels: [chat] });
    expect((await bulk({ ids, set: { channels: [999] } })).code).toBe("validation");
    expect(await bulk({ ids, set: { channels: [] } }, alice)).toMatchObject({
      changed: 0,
      refused: ids.map((id) => ({ id, code: "foreign" })),
    });
    expect(await app.db.$count(notificationRules)).toBe(3);
  });

  it("starts checks without waiting for them, at the pace of single ones", async () => {
    const { app, bulk, add, bob, ids } = await setUp();
    const target = serveHeld();
    const own = [
      await add("a", { url: target.url, active: false }),
      await add("b", { url: target.url, active: false }),
    ];
    expect(await bulk({ ids: own, action: "check" })).toMatchObject({ matched: 2, changed: 2, refused: [] });
    await until(() => target.requests.length === 2, "both checks to run");
    const joined = Promise.all(own.map((id) => app.engine.checkNow(id)));
    target.release();
    await joined;
    expect(await bulk({ ids: own, action: "check" })).toMatchObject({
      changed: 0,
      refused: own.map((id) => ({ id, code: "rate_limited" })),
    });
    expect((await app.as(bob).get(`/api/monitors/${own[0]}`)).body.monitor.checks).toHaveLength(1);
    expect(ids).toHaveLength(3);
  });

  it("leaves out monitors that wait for pings where they can't be checked or have no interval", async () => {
    const { app, bulk, bob } = await setUp();
    const config = { every: 3600, grace: 300 };
    const { monitor } = (await app.as(bob).post("/api/monitors", { name: "backup", kind: "heartbeat", config })).body;
    for (const [change, code] of [
      [{ action: "check" }, "not_checkable"],
      [{ set: { interval: 300 } }, "no_interval"],
    ] as const)
      expect((await bulk({ ids: [monitor.id], ...change })).refused).toEqual([{ id: monitor.id, code }]);
    expect((await bulk({ ids: [monitor.id], action: "pause" })).changed).toBe(1);
    expect((await bulk({ ids: [monitor.id], action: "resume" })).changed).toBe(1);
  });

  it("is refused when it is malformed, or matches too many", async () => {
    const { app, bob, ids, bulk } = await setUp();
    const bad = [
      {},
      { ids },
      { action: "pause" },
      { ids, filter: {}, action: "pause" },
      { ids, action: "pause", set: { retries: 1 } },
      { ids: [], action: "pause" },
      { ids: ["x"], action: "pause" },
      { ids: Array.from({ length: 1001 }, (_, index) => index + 1), action: "pause" },
      { ids, action: "rename" },
      { ids, set: {} },
      { ids, set: { interval: 5 } },
      { ids, set: { add_tags: [{ name: "a" }, { name: "A" }] } },
      { filter: { tags: ["a".repeat(102)] }, action: "pause" },
      { filter: { status: "wrong" }, action: "pause" },
      { filter: { tag: "prod" }, action: "delete" },
      { filter: null, action: "delete" },
      { filter: "prod", action: "delete" },
      { ids, action: "delete", dryRun: true },
      { ids, set: { retries: 1, intervall: 60 } },
    ];
    for (const body of bad) {
      const { status, body: answer } = await app.as(bob).post("/api/monitors/bulk", body);
      expect([body, status, answer.code]).toEqual([body, 422, "validation"]);
    }
    expect((await bulk({ filter: { status: "wrong" }, action: "pause" })).message).toContain("status is one of up,");
    expect(await app.db.$count(monitors, eq(monitors.active, true))).toBe(3);
    expect((await bulk({ ids, set: { retries: 0 } })).changed).toBe(0);
  });
});
