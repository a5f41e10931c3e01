import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { viewerOf } from "../../../db/owner";
import { deliveries, events, hubGaps, outages } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { checkError } from "../../../shared/check-error";
import { HOUR, MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent, sampleAt } from "../../../testing/fixtures/agents";
import { addMonitor, inputWith, record } from "../../../testing/fixtures/monitors";
import { addOutage } from "../../../testing/fixtures/outages";
import { updateMonitor } from "../../monitors/change";
import { findMonitor } from "../../monitors/service";
import { markOfflineServers } from "../../servers/ingest/offline";

const TIMEOUT = checkError("timeout", { seconds: 20 });
const REFUSED = checkError("refused");
const after = (minutes: number) => START + minutes * MINUTE;

const setUp = async () => {
  const app = await createTestApp();
  const people = await app.people();
  const shop = await addMonitor(app, people.bob, { url: "https://shop.example/", name: "shop" });
  const down = (minute: number, error = TIMEOUT) => ({ at: after(minute), up: false, statusCode: null, error });
  /** The answer without the entries about messages that were not sent: history/unsent.test.ts has these. */
  const read = async (id: number, reader = people.bob) => {
    const answer = await app.as(reader).get(`/api/outages/${id}`);
    const timeline = answer.body.timeline?.filter(({ kind }) => kind !== "unsent");
    return { ...answer, body: { ...answer.body, timeline } };
  };
  /** The kinds of entries with their minutes. */
  const story = async (id: number, reader = people.bob) =>
    (await read(id, reader)).body.timeline.map(({ kind, at }) => `${(Date.parse(at) - START) / MINUTE} ${kind}`);
  return { app, ...people, shop, down, read, story };
};

type Row = Partial<typeof deliveries.$inferInsert>;

/** Stores deliveries of the first event as if they had been planned and sent. */
const addDeliveries = async ({ db }: Awaited<ReturnType<typeof setUp>>["app"], outageId: number, rows: Row[]) => {
  const [event] = await db.update(events).set({ outageId }).where(eq(events.kind, "down")).returning();
  await db.insert(deliveries).values(
    rows.map((row) => ({
      eventId: event?.id ?? 0,
      channelId: 1,
      channelName: "On call",
      channelType: "telegram",
      state: "sent" as const,
      attempts: 1,
      createdAt: START,
      dueAt: START,
      endedAt: START,
      ...row,
    })),
  );
};

describe("the timeline of an outage", () => {
  it("has a change of the monitor's settings in the hour before it, and no earlier or later one", async () => {
    const { app, bob, shop, down, story } = await setUp();
    // By the service: a change through the API also starts a real check, whose time and result are not fixed.
    const change = async (minute: number, timeout: number) => {
      app.clock.set(after(minute));
      const viewer = viewerOf({ userId: bob.id, teamId: bob.teamId });
      const found = await findMonitor(app.deps, viewer, shop);
      await updateMonitor(app.deps, found, inputWith({ url: "https://shop.example/", timeout }), { by: bob.id });
    };
    await change(10, 10);
    await record(app, shop, [down(30)]);
    expect(await story(1)).toEqual(["10 edited", "30 began", "30 checks"]);
    await record(app, shop, [{ at: after(40) }, down(71)]);
    expect(await story(2)).toEqual(["71 began", "71 checks"]);
    await change(90, 15);
    expect(await story(1)).toEqual(["10 edited", "30 began", "30 checks", "40 ended"]);
  });

  it("has how it began, failed checks in a row with the same error, and how it ended", async () => {
    const { app, bob, shop, down, read, story } = await setUp();
    // Checks of other outages, before and after it, are not part of it.
    await record(app, shop, [down(-30), { at: after(-20) }, down(0), down(1), down(2, REFUSED), { at: after(15) }]);
    await record(app, shop, [down(40)]);
    const [, second] = (await app.as(bob).get("/api/outages")).body.outages;
    expect(await story(second?.id ?? 0)).toEqual(["0 began", "0 checks", "2 checks", "15 ended"]);
    const { outage, timeline } = (await read(second?.id ?? 0)).body;
    expect(outage).toMatchObject({ target_name: "shop", kind: "down", checks_failed: 3, cause: null, flapping: false });
    expect(timeline).toEqual([
      {
        kind: "began",
        at: isoTime(START),
        after: isoTime(after(-20)),
        error_code: "timeout",
        error_detail: { seconds: 20 },
        figure: null,
        threshold: null,
        mount: null,
        last_report: null,
      },
      {
        kind: "checks",
        at: isoTime(START),
        until: isoTime(after(1)),
        count: 2,
        status_code: null,
        error_code: "timeout",
        error_detail: { seconds: 20 },
      },
      {
        kind: "checks",
        at: isoTime(after(2)),
        until: isoTime(after(2)),
        count: 1,
        status_code: null,
        error_code: "refused",
        error_detail: null,
      },
      { kind: "ended", at: isoTime(after(15)), how: "recovered", lasted: 900 },
    ]);
  });

  it("says that a monitor was paused where it did not recover", async () => {
    const { app, bob, shop, down, read } = await setUp();
    await record(app, shop, [down(0)]);
    app.clock.set(after(5));
    await app.as(bob).post(`/api/monitors/${shop}/pause`);
    const { timeline } = (await read(1)).body;
    expect(timeline.at(-1)).toEqual({ kind: "ended", at: isoTime(after(5)), how: "paused", lasted: 300 });
  });

  it("of a server has its last report, and no checks", async () => {
    const { app, bob, read } = await setUp();
    const agent = await enrollAgent(app, bob);
    await agent.report([sampleAt(START)]);
    app.clock.set(after(10));
    await markOfflineServers(app.deps);
    const { outage, timeline } = (await read(1)).body;
    expect(outage).toMatchObject({ kind: "offline", target_name: "db-1" });
    expect(timeline).toMatchObject([{ kind: "began", error_code: null, last_report: isoTime(START) }]);
  });

  it("has the messages about it: one entry for each step, and one for all reminders", async () => {
    const { app, shop, down, read } = await setUp();
    await record(app, shop, [down(0)]);
    const mail = { channelId: 2, channelName: "Mail", channelType: "resend" };
    await addDeliveries(app, 1, [
      {},
      { ...mail, state: "failed", attempts: 3, errorCode: "timeout", errorDetail: { seconds: 10 } },
      { sequence: 1, state: "pending", attempts: 0, endedAt: null, nextAttemptAt: after(10), dueAt: after(10) },
      ...[1, 2, 3].flatMap((sequence) =>
        [{}, mail].map((channel) => ({
          ...channel,
          purpose: "reminder" as const,
          sequence,
          endedAt: after(30 * sequence),
        })),
      ),
    ]);
    const messages = (await read(1)).body.timeline.flatMap((entry) => (entry.kind === "message" ? [entry] : []));
    expect(messages.map(({ at }) => (Date.parse(at) - START) / MINUTE)).toEqual([0, 10, 30]);
    expect(messages.map(({ message }) => message)).toMatchObject([
      {
        purpose: "alert",
        step: 0,
        times: 1,
        event: { kind: "down" },
        deliveries: [
          { channel: { name: "On call" }, state: "sent", error: null },
          { channel: { name: "Mail" }, state: "failed", attempts: 3, error: "no answer within 10 s" },
        ],
      },
      { purpose: "alert", step: 1, deliveries: [{ state: "pending", next_attempt_at: isoTime(after(10)) }] },
      {
        purpose: "reminder",
        step: null,
        times: 3,
        until: isoTime(after(90)),
        deliveries: [{ count: 3 }, { count: 3 }],
      },
    ]);
  });

  it("shows messages to the owner of the target only", async () => {
    const { app, alice, shop, down, read, story } = await setUp();
    await record(app, shop, [down(0)]);
    await addDeliveries(app, 1, [{}]);
    expect(await story(1)).toEqual(["0 began", "0 checks", "0 message"]);
    expect(await story(1, alice)).toEqual(["0 began", "0 checks"]);
    expect((await read(1, alice)).body.outage.owner).toBe("bob");
    expect((await read(1)).body.outage.owner).toBeUndefined();
  });

  it("has the gaps of the hub during it of two minutes or more, with the reason", async () => {
    const { app, shop, down, story, read } = await setUp();
    const gap = (from: number, to: number | null, reason: "hub_stopped" | "hub_offline") => ({
      ...{ startedAt: after(from), endedAt: to === null ? null : after(to), reason },
    });
    await app.db
      .insert(hubGaps)
      .values([
        gap(-9, -5, "hub_stopped"),
        gap(2, 3, "hub_stopped"),
        gap(4, 8, "hub_stopped"),
        gap(10, null, "hub_offline"),
      ]);
    await record(app, shop, [down(0), down(9)]);
    app.clock.set(after(15));
    expect(await story(1)).toEqual(["0 began", "0 checks", "4 unknown", "10 unknown"]);
    const { timeline } = (await read(1)).body;
    expect(timeline.at(-1)).toMatchObject({ gap: { from: isoTime(after(10)), to: null, reason: "hub_offline" } });
  });

  it("has the likely cause, the outage that explains it, and those that it explains", async () => {
    const { app, bob, shop, down, read } = await setUp();
    await record(app, shop, [down(0)]);
    const cause = { kind: "agent_silent", agentId: 5, name: "web-1", at: after(-1) } as const;
    await app.db.update(outages).set({ cause });
    for (let number = 1; number <= 12; number++) {
      const targetId = await addMonitor(app, bob, { url: "https://shop.example/", name: `child ${number}` });
      await addOutage(app, bob, { targetId, startedAt: after(number), explainedBy: 1 });
    }
    const { outage, timeline } = (await read(1)).body;
    expect(outage.cause).toMatchObject({ kind: "agent_silent", agent_id: 5, name: "web-1", at: isoTime(after(-1)) });
    expect(timeline).toMatchObject([
      { kind: "began" },
      { kind: "checks" },
      { kind: "cause", cause: { kind: "agent_silent" } },
      { kind: "explains", at: isoTime(after(1)), count: 12, first: { length: 10, 0: { target_name: "child 1" } } },
    ]);
    const child = (await read(3)).body;
    expect(child.outage.explained_by).toBe(1);
    expect(child.timeline[1]).toMatchObject({ kind: "explained", by: { id: 1, target_name: "shop" } });
  });

  it("has the last acknowledgement, also when it is over", async () => {
    const { app, bob, shop, down, read, story } = await setUp();
    await record(app, shop, [down(0)]);
    app.clock.set(after(5));
    const until = isoTime(after(65));
    await app.as(bob).post("/api/outages/1/acknowledge", { until, note: "The disk is being replaced." });
    expect(await story(1)).toEqual(["0 began", "0 checks", "5 acknowledged"]);
    app.clock.set(after(120));
    const { outage, timeline } = (await read(1)).body;
    expect(outage.acknowledged).toBeNull();
    expect(timeline.at(-1)).toMatchObject({
      acknowledgement: { by: "bob", until, note: "The disk is being replaced." },
    });
  });

  it("stays small, however long the outage and however often its error changes", async () => {
    const { app, shop, down, read } = await setUp();
    const errors = [TIMEOUT, REFUSED];
    await record(
      app,
      shop,
      Array.from({ length: 400 }, (_, minute) => down(minute, errors[minute % 2])),
    );
    app.clock.set(START + 8 * HOUR);
    const { outage, timeline } = (await read(1)).body;
    expect(outage.checks_failed).toBe(400);
    expect(timeline.map(({ kind }) => kind)).toEqual(["began", ...Array.from({ length: 50 }, () => "checks" as const)]);
  });
});

describe("an outage", () => {
  it("that does not exist or belongs to another user is not found", async () => {
    const { app, alice, charlie, shop, down, read } = await setUp();
    await record(app, shop, [down(0)]);
    expect((await read(1, alice)).status).toBe(200);
    expect((await read(1, charlie)).body.code).toBe("not_found");
    expect((await read(2)).status).toBe(404);
    for (const id of ["0", "-1", "x", "1.5"]) expect((await app.as(alice).get(`/api/outages/${id}`)).status).toBe(422);
  });
});
