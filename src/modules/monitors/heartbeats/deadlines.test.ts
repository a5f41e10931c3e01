import { describe, expect, it } from "bun:test";
import { isNotNull } from "drizzle-orm";
import { heartbeats } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { HOUR, MINUTE, SECOND } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { createTestClock } from "../../../testing/clock";
import { createSweep, watchHeartbeat as setUp } from "../../../testing/fixtures/heartbeats";

describe("a missing ping", () => {
  it("makes the heartbeat down after its period and grace, from the missed time on, and the next ping ends the outage", async () => {
    const { app, ping, pass, detail, outages, changes, statusNow } = await setUp();
    await ping();
    const last = app.clock.now();
    const missed = isoTime(last + HOUR);
    await pass(HOUR);
    expect((await detail()).heartbeat?.state).toBe("late");
    await pass(10 * MINUTE);
    expect([await statusNow(), changes.count]).toEqual(["up", 0]);
    await pass(2 * SECOND);
    expect(await detail()).toMatchObject({ status: "down", error_code: "heartbeat_missed", since: missed });
    await pass(HOUR);
    await ping();
    const [outage] = await outages();
    const times = { started_at: missed, started_after: isoTime(last), ended_at: isoTime(app.clock.now()) };
    expect(outage).toMatchObject(times);
    expect([await statusNow(), changes.count, (await outages()).length]).toEqual(["up", 1, 1]);
  });

  it("is none before the first ping", async () => {
    const { pass, statusNow } = await setUp({ every: 60, grace: 1 });
    await pass(2 * HOUR);
    expect(await statusNow()).toBe("pending");
  });

  it("of the end of a run is noticed when its grace is over, also in the first run", async () => {
    const { app, ping, pass, detail, outages, statusNow } = await setUp({ every: 86_400, grace: 600 });
    await ping("/start");
    await pass(10 * MINUTE);
    expect(await statusNow()).toBe("pending");
    await pass(2 * SECOND);
    expect(await detail()).toMatchObject({ status: "down", error_code: "heartbeat_running" });
    expect(await outages()).toMatchObject([{ started_after: isoTime(app.clock.now() - 602 * SECOND) }]);
    await ping();
    expect(await statusNow()).toBe("up");
  });

  it("is noticed although the job starts again and again", async () => {
    const { ping, pass, statusNow } = await setUp({ every: 600, grace: 1200 });
    await ping();
    await pass(10 * MINUTE);
    await ping("/start");
    await pass(10 * MINUTE);
    await ping("/start");
    await pass(10 * MINUTE + 2 * SECOND);
    expect(await statusNow()).toBe("down");
  });

  it("of a run is reported once, also when another run ends afterwards", async () => {
    const { ping, pass, outages, statusNow } = await setUp({ every: 3600, grace: 60 });
    await ping("/start?rid=a");
    await ping("/start?rid=b");
    await pass(MINUTE + 2 * SECOND);
    expect(await statusNow()).toBe("down");
    await ping("?rid=a");
    await pass(MINUTE);
    expect([await statusNow(), (await outages()).length]).toEqual(["up", 1]);
  });

  it("is none while the job has announced an interruption", async () => {
    const { app, ping, pass, detail, statusNow } = await setUp({ every: 60, grace: 30 });
    await ping();
    expect(await ping("/mute/15", { method: "POST" })).toBe(200);
    const end = app.clock.now() + 15 * MINUTE;
    await pass(15 * MINUTE);
    expect(await statusNow()).toBe("up");
    expect((await detail()).heartbeat).toMatchObject({ deadline: isoTime(end) });
    await pass(2 * SECOND);
    expect(await statusNow()).toBe("down");
    expect((await detail()).since).toBe(isoTime(end));
  });

  it("is none while it is paused; after that its period counts from then", async () => {
    const { app, client, id, ping, pass, detail, statusNow } = await setUp({ every: 60, grace: 30 });
    await ping();
    await client.post(`/api/monitors/${id}/pause`);
    await pass(HOUR);
    await client.post(`/api/monitors/${id}/resume`);
    expect((await detail()).heartbeat?.deadline).toBe(isoTime(app.clock.now() + 90 * SECOND));
    await pass(92 * SECOND);
    expect(await statusNow()).toBe("down");
    await client.post(`/api/monitors/${id}/pause`);
    await client.post(`/api/monitors/${id}/resume`);
    expect(await statusNow()).toBe("pending");
    await ping();
    expect(await statusNow()).toBe("up");
  });

  it("is judged by a changed schedule from its change on", async () => {
    const { app, client, id, ping, pass, detail, statusNow } = await setUp({ every: 86_400, grace: 60 });
    await ping();
    await pass(HOUR);
    await client.put(`/api/monitors/${id}`, { name: "backup", config: { every: 60, grace: 60 } });
    expect((await detail()).heartbeat?.deadline).toBe(isoTime(app.clock.now() + 2 * MINUTE));
    await pass(2 * MINUTE + 2 * SECOND);
    expect(await statusNow()).toBe("down");
    await client.put(`/api/monitors/${id}`, { name: "renamed" });
    await client.put(`/api/monitors/${id}`, { name: "backup", config: { every: 120, grace: 60 } });
    expect((await detail()).heartbeat?.deadline).toBeNull();
  });
});

it("two instances write a missing ping once", async () => {
  const { app, ping, outages, id } = await setUp({ every: 60, grace: 60 });
  const other = await createTestApp({ clock: app.clock, db: app.db });
  const sweeps = [createSweep(app), createSweep(other)];
  await ping();
  for (let second = 0; second < 7; second++) {
    await app.clock.advance(20 * SECOND);
    await Promise.all(sweeps.map(({ sweep }) => sweep()));
  }
  expect(sweeps.map(({ changes }) => changes.count).reduce((sum, count) => sum + count)).toBe(1);
  expect(await outages()).toHaveLength(1);
  expect((await app.db.select().from(heartbeats).where(isNotNull(heartbeats.deadlineAt))).length).toBe(0);
  expect(id).toBeGreaterThan(0);
});

describe("a cron expression", () => {
  /** The deadlines of a job that pings at the times when cron runs it, one each day. */
  const deadlinesOf = async (cron: string, tz: string, pingTimes: string[]) => {
    const clock = createTestClock(Date.parse(pingTimes[0] ?? ""));
    const { ping, detail, sweep, statusNow } = await setUp({ cron, tz, grace: 600 }, clock);
    const deadlines: string[] = [];
    for (const at of pingTimes) {
      for (; clock.now() < Date.parse(at); clock.set(Math.min(Date.parse(at), clock.now() + 20 * SECOND))) {
        if ((Date.parse(at) - clock.now()) % HOUR < 20 * SECOND) await sweep();
      }
      expect(await statusNow()).not.toBe("down");
      await ping();
      deadlines.push(String((await detail()).heartbeat?.deadline));
    }
    return deadlines;
  };

  it("follows both changes of the clock in Berlin", async () => {
    // On 29 March there is no 02:30; on 25 October there are two, and cron runs the job at the first.
    expect(
      await deadlinesOf("30 2 * * *", "Europe/Berlin", [
        "2026-03-28T01:30:05Z",
        "2026-03-29T01:30:05Z",
        "2026-03-30T00:30:05Z",
      ]),
    ).toEqual(["2026-03-29T01:40:00.000Z", "2026-03-30T00:40:00.000Z", "2026-03-31T00:40:00.000Z"]);
    expect(
      await deadlinesOf("30 2 * * *", "Europe/Berlin", [
        "2026-10-24T00:30:05Z",
        "2026-10-25T00:30:05Z",
        "2026-10-26T01:30:05Z",
      ]),
    ).toEqual(["2026-10-25T00:40:00.000Z", "2026-10-26T01:40:00.000Z", "2026-10-27T01:40:00.000Z"]);
  });

  it("takes a ping right after the change in spring for that of the skipped time, when cron runs the job", async () => {
    expect(
      await deadlinesOf("30 2 * * *", "Europe/Berlin", [
        "2026-03-28T01:30:05Z",
        "2026-03-29T01:00:05Z",
        "2026-03-30T00:30:05Z",
      ]),
    ).toEqual(["2026-03-29T01:40:00.000Z", "2026-03-30T00:40:00.000Z", "2026-03-31T00:40:00.000Z"]);
  });

  it("of each half hour is due in both of the hours that are alike in autumn, and in none of the skipped one", async () => {
    const halfHours = (from: string, count: number) =>
      Array.from({ length: count }, (_, index) => isoTime(Date.parse(from) + index * 30 * MINUTE + 5 * SECOND));
    const after = (times: string[]) => times.map((at) => isoTime(Date.parse(at) + 40 * MINUTE - 5 * SECOND));
    for (const from of ["2026-10-24T23:00:00Z", "2026-03-29T00:00:00Z"]) {
      const times = halfHours(from, 8);
      expect(await deadlinesOf("*/30 * * * *", "Europe/Berlin", times)).toEqual(after(times));
    }
  });

  it("has no changes of the clock in Shanghai", async () => {
    expect(await deadlinesOf("30 2 * * *", "Asia/Shanghai", ["2026-03-28T18:30:05Z", "2026-03-29T18:30:05Z"])).toEqual([
      "2026-03-29T18:40:00.000Z",
      "2026-03-30T18:40:00.000Z",
    ]);
  });

  it("expects the next time also when a ping is a few seconds early", async () => {
    const clock = createTestClock(Date.parse("2026-05-01T02:59:58Z"));
    const { ping, detail } = await setUp({ cron: "0 3 * * *", grace: 600 }, clock);
    await ping();
    expect((await detail()).heartbeat?.deadline).toBe("2026-05-02T03:10:00.000Z");
  });
});
