import { describe, expect, it } from "bun:test";
import { EVERYTHING } from "../../../db/owner";
import { isoTime } from "../../../lib/time";
import { checkError } from "../../../shared/check-error";
import { DAY, MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent, sampleAt } from "../../../testing/fixtures/agents";
import { addMonitor, recordOnly } from "../../../testing/fixtures/monitors";
import { markOfflineServers } from "../../servers/ingest/offline";
import { readOutages } from "./list/page";
import { deleteExpiredOutages } from "./service";

const TIMEOUT = checkError("timeout", { seconds: 20 });

/** Monitors of bob's and charlie's that went down in turn, and an offline server; the first monitor is up again. */
const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const add = (owner: typeof bob, name: string) => addMonitor(app, owner, { url: "https://shop.example/", name });
  const [first, second, theirs] = [await add(bob, "first"), await add(bob, "second"), await add(charlie, "theirs")];
  const down = (id: number, minute: number) =>
    recordOnly(app, id, [{ at: START + minute * MINUTE, up: false, error: TIMEOUT }]);
  for (const [index, id] of [first, second, theirs].entries()) await down(id, index);
  await recordOnly(app, first, [{ at: START + 3 * MINUTE }]);
  const agent = await enrollAgent(app, bob);
  await agent.report([sampleAt(START)]);
  app.clock.set(START + 10 * MINUTE);
  await markOfflineServers(app.deps);
  const list = async (owner: typeof bob, query = "") => {
    const { body } = await app.as(owner).get(`/api/outages${query}`);
    return body.outages.map(({ target_name, kind }) => `${target_name} ${kind}`);
  };
  return { app, alice, bob, charlie, add, down, list, agent, first, second, theirs };
};

describe("the list of outages", () => {
  it("has the viewer's own, newest first, and every user's for an administrator", async () => {
    const { app, alice, bob, charlie, list, first } = await setUp();
    expect(await list(bob)).toEqual(["db-1 offline", "second down", "first down"]);
    expect(await list(charlie)).toEqual(["theirs down"]);
    expect(await list(alice)).toEqual(["theirs down", "db-1 offline", "second down", "first down"]);
    const { body } = await app.as(bob).get("/api/outages");
    expect(body.next).toBeNull();
    expect(body.outages[2]).toEqual({
      id: 1,
      target_type: "monitor",
      target_id: first,
      target_name: "first",
      kind: "down",
      subject: null,
      facts: null,
      started_at: isoTime(START),
      started_after: null,
      ended_at: isoTime(START + 3 * MINUTE),
      error_code: "timeout",
      error_detail: { seconds: 20 },
      last_error_code: "timeout",
      checks_failed: 1,
      acknowledged: null,
      cause: null,
      explained_by: null,
      explaining: null,
      note: null,
      flapping: false,
      notified: [],
      failed: 0,
      withheld: null,
    });
  });

  it("is limited to a target, and to open outages", async () => {
    const { bob, charlie, list, agent, first, theirs } = await setUp();
    expect(await list(bob, `?target=monitor:${first}`)).toEqual(["first down"]);
    expect(await list(bob, `?target=agent:${agent.id}`)).toEqual(["db-1 offline"]);
    expect(await list(bob, `?target=monitor:${theirs}`)).toEqual([]);
    expect(await list(bob, "?open=1")).toEqual(["db-1 offline", "second down"]);
    expect(await list(bob, "?open=0")).toEqual(["first down"]);
    expect(await list(bob, `?open=1&target=monitor:${first}`)).toEqual([]);
    expect(await list(charlie, "?open=1")).toEqual(["theirs down"]);
  });

  it("has pages, each of which names the next", async () => {
    const { app, bob } = await setUp();
    const seen: number[] = [];
    for (let next: number | null | undefined; next !== null; ) {
      const { body } = await app.as(bob).get(`/api/outages?limit=1${next ? `&before=${next}` : ""}`);
      seen.push(...body.outages.map(({ id }) => id));
      next = body.next;
    }
    expect(seen).toEqual([4, 2, 1]);
  });

  it("refuses a malformed target, an unknown or foreign cursor, and other limits with 422", async () => {
    const { app, bob, charlie } = await setUp();
    const targets = ["monitor", "monitor:", "monitor:0", "monitor:x", "agent:1:2", "user:1", "monitor:-1", "agent:1e3"];
    for (const query of [
      ...targets.map((target) => `target=${target}`),
      "open=2",
      "limit=0",
      "limit=101",
      "before=99",
    ]) {
      const { status, body } = await app.as(bob).get(`/api/outages?${query}`);
      expect([query, status, body.code]).toEqual([query, 422, "validation"]);
      expect(body.errors[0]?.path).toBe(query.split("=")[0]!);
    }
    expect((await app.as(charlie).get("/api/outages?before=1")).status).toBe(422);
    expect((await app.as(charlie).get("/api/outages?before=3")).body.outages).toEqual([]);
  });
});

describe("monitors and servers", () => {
  it("show since when and why they are down, in lists, details and the dashboard", async () => {
    const { app, bob, agent, first, second, add } = await setUp();
    await add(bob, "unchecked");
    const reader = app.as(bob);
    const since = isoTime(START + MINUTE);
    const downSince = { status: "down", since, error_code: "timeout", error_detail: { seconds: 20 } } as const;
    const upSince = { status: "up", since: isoTime(START + 3 * MINUTE), error_code: null, error_detail: null } as const;
    const pending = { status: "pending", since: null, error_code: null, error_detail: null } as const;
    const list = (await reader.get("/api/monitors")).body.monitors;
    expect(list).toMatchObject([upSince, downSince, pending]);
    const detail = (await reader.get(`/api/monitors/${second}`)).body.monitor;
    expect(detail).toMatchObject({ ...downSince, outages: [{ target_id: second, ended_at: null }] });
    expect((await reader.get(`/api/monitors/${first}`)).body.monitor).toMatchObject({
      ...upSince,
      outages: [{ id: 1 }],
    });
    const dashboard = (await reader.get("/api/dashboard")).body;
    expect(dashboard.latest_monitors[0]).toMatchObject(downSince);

    const offline = { status: "inactive", since: isoTime(START + MINUTE) } as const;
    expect(dashboard.latest_agents[0]).toMatchObject(offline);
    expect((await reader.get("/api/agents")).body.agents).toMatchObject([offline]);
    const server = (await reader.get(`/api/agents/${agent.id}`)).body.agent;
    expect(server).toMatchObject({ ...offline, outages: [{ kind: "offline", error_code: null, checks_failed: null }] });
  });

  it("show nothing while a monitor is paused, and its last change when it is resumed", async () => {
    const { app, bob, second } = await setUp();
    const paused = (await app.as(bob).post(`/api/monitors/${second}/pause`)).body.monitor;
    expect(paused).toMatchObject({ status: "paused", since: null, error_code: null });
    const resumed = (await app.as(bob).post(`/api/monitors/${second}/resume`)).body.monitor;
    expect(resumed).toMatchObject({ status: "down", since: isoTime(START + MINUTE), error_code: null });
  });
});

it("outages are kept as long as hourly sums, and open ones always", async () => {
  const { app } = await setUp();
  const kept = async () => {
    while (await deleteExpiredOutages(app.deps));
    const { outages } = await readOutages(app.deps, EVERYTHING, {});
    return outages.map(({ id }) => id);
  };
  app.clock.set(START + 3 * MINUTE + app.deps.config.retention.hourDays * DAY);
  expect(await kept()).toEqual([3, 4, 2, 1]);
  await app.clock.advance(1);
  expect(await kept()).toEqual([3, 4, 2]);
});
