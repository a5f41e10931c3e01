import { describe, expect, it } from "bun:test";
import { isoTime } from "../../../lib/time";
import { DAY, HOUR } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent } from "../../../testing/fixtures/agents";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { readDocument } from "../../../testing/openapi";

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const monitor = await addMonitor(app, bob, { url: "https://shop.example/", name: "shop" });
  const agent = await enrollAgent(app, bob);
  const reader = app.as(bob);
  /** The field `muted` wherever the monitor or the server is shown. */
  const shown = async (type: "monitors" | "agents") => {
    const dashboard = (await reader.get("/api/dashboard")).body;
    if (type === "agents")
      return [
        (await reader.get("/api/agents")).body.agents[0]?.muted,
        (await reader.get(`/api/agents/${agent.id}`)).body.agent.muted,
        dashboard.latest_agents[0]?.muted,
      ];
    return [
      (await reader.get("/api/monitors")).body.monitors[0]?.muted,
      (await reader.get("/api/monitors?fields=compact")).body.monitors[0]?.muted,
      (await reader.get(`/api/monitors/${monitor}`)).body.monitor.muted,
      dashboard.latest_monitors[0]?.muted,
    ];
  };
  return { app, alice, bob, charlie, monitor, agent, shown };
};

describe("a mute", () => {
  it("needs no body, and the API document says so", async () => {
    const { app, bob, monitor, agent } = await setUp();
    const { paths } = await readDocument(app);
    for (const [type, id] of [["monitors", monitor] as const, ["agents", agent.id] as const]) {
      expect(paths[`/api/${type}/{id}/mute`]?.post?.requestBody?.required).toBe(false);
      const { status, body } = await app.as(bob).post(`/api/${type}/${id}/mute`);
      expect([type, status, body.muted]).toEqual([type, 200, { until: null, until_recovery: false }]);
    }
  });

  it("is shown with the monitor and the server in lists, details and the dashboard until it ends", async () => {
    const { app, bob, monitor, agent, shown } = await setUp();
    const caller = app.as(bob);
    const until = isoTime(START + HOUR);
    const answer = await caller.post(`/api/monitors/${monitor}/mute`, { until });
    expect([answer.status, answer.body.muted]).toEqual([200, { until, until_recovery: false }]);
    expect(await shown("monitors")).toEqual(Array(4).fill({ until, until_recovery: false }));
    expect(await shown("agents")).toEqual([null, null, null]);
    await caller.post(`/api/agents/${agent.id}/mute`, {});
    expect(await shown("agents")).toEqual(Array(3).fill({ until: null, until_recovery: false }));

    app.clock.set(START + HOUR - 1);
    expect((await shown("monitors"))[0]).not.toBeNull();
    app.clock.set(START + HOUR);
    expect(await shown("monitors")).toEqual([null, null, null, null]);
    expect((await shown("agents"))[0]).not.toBeNull();
    expect((await caller.delete(`/api/agents/${agent.id}/mute`)).status).toBe(200);
    expect(await shown("agents")).toEqual([null, null, null]);
  });

  it("replaces the earlier mute of the same target", async () => {
    const { app, bob, monitor, shown } = await setUp();
    const mute = async (body: object) => (await app.as(bob).post(`/api/monitors/${monitor}/mute`, body)).body.muted;
    await mute({ until: isoTime(START + HOUR) });
    expect(await mute({ minutes: 90, until_recovery: true })).toEqual({
      until: isoTime(START + 1.5 * HOUR),
      until_recovery: true,
    });
    expect(await mute({ until: null })).toEqual({ until: null, until_recovery: false });
    expect((await shown("monitors"))[0]).toEqual({ until: null, until_recovery: false });
  });

  it("is started and ended by the owner and by administrators, and by no other user", async () => {
    const { app, alice, bob, charlie, monitor, agent, shown } = await setUp();
    for (const path of [`/api/monitors/${monitor}/mute`, `/api/agents/${agent.id}/mute`]) {
      expect((await app.as(charlie).post(path, {})).status).toBe(404);
      expect((await app.as(alice).post(path, {})).status).toBe(200);
      expect((await app.as(charlie).delete(path)).status).toBe(404);
      expect((await app.as(bob).delete(path)).status).toBe(200);
    }
    expect([...(await shown("monitors")), ...(await shown("agents"))]).toEqual(Array(7).fill(null));
  });

  it("is refused with an end that is malformed, past, too far away or given twice", async () => {
    const { app, bob, monitor, shown } = await setUp();
    const malformed = ["tomorrow", "2026-01-15", "2026-01-15T12:00:00", "2026-13-45T99:00:00Z", 5, "x".repeat(5000)];
    const ends = [...malformed, isoTime(START), isoTime(START - 1), isoTime(START + 367 * DAY)];
    const bodies = [
      ...ends.map((until) => ({ until })),
      ...[0, -5, 1.5, 366 * 1440 + 1, "soon"].map((minutes) => ({ minutes })),
      { until: isoTime(START + HOUR), minutes: 60 },
      { until_recovery: "perhaps" },
    ];
    for (const body of bodies) {
      const { status, body: answer } = await app.as(bob).post(`/api/monitors/${monitor}/mute`, body as object);
      expect([body, status, answer.code]).toEqual([body, 422, "validation"]);
    }
    expect((await shown("monitors"))[0]).toBeNull();
  });
});
