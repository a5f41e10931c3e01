import { describe, expect, it } from "bun:test";
import { desc } from "drizzle-orm";
import { events, outages } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent, readServerState, reportOf, sampleAt, sendReport } from "../../../testing/fixtures/agents";
import { saveRule } from "../../../testing/fixtures/alerts";
import { readOutageRows } from "../../../testing/fixtures/outages";
import { markOfflineServers } from "./offline";

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  const allow = (on: boolean) =>
    saveRule(app, bob, { target_type: "global-agent", on_cpu_threshold: on, on_memory_threshold: on });
  await allow(true);
  const agent = await enrollAgent(app, bob);
  /** One report a minute: h is high, l is low, - is missing. */
  const play = async (steps: string) => {
    for (const step of steps) {
      await app.clock.advance(MINUTE);
      if (step !== "-") await agent.report([sampleAt(app.clock.now(), { cpu: step === "h" ? 95 : 5 })]);
      await markOfflineServers(app.deps);
    }
    return (await readOutageRows(app, agent.id)).map(({ kind, startedAt, endedAt }) => {
      const minute = (time: number | null) => (time === null ? "" : (time - START) / MINUTE);
      return `${kind} ${minute(startedAt)}-${minute(endedAt)}`;
    });
  };
  return { app, alice, bob, agent, allow, play };
};

describe("the outages of an agent", () => {
  const cases: [string, string, string[]][] = [
    ["it reports", "lll", []],
    ["it does not report for three intervals", "l----", ["offline 2-"]],
    ["it reports again", "l-----l", ["offline 2-7"]],
    ["it is offline twice", "l----l----", ["offline 2-6", "offline 7-"]],
    ["a figure is above its threshold in one report", "lhl", []],
    ["a figure is above its threshold", "lhhh", ["cpu 3-"]],
    ["a figure is low again", "lhhhlhll", ["cpu 3-8"]],
    ["it is offline while a figure is above its threshold", "hh----l", ["cpu 2-", "offline 3-7"]],
    ["figures are low after it was offline", "hh----ll", ["cpu 2-8", "offline 3-7"]],
  ];
  it.each(cases)("follow from its reports: %s", async (_, steps, rows) => {
    const { play } = await setUp();
    expect(await play(steps)).toEqual(rows);
  });

  it("begin an interval after the last report, which is the last time that all was well", async () => {
    const { app, play } = await setUp();
    await play("ll----");
    const at = (minute: number) => START + minute * MINUTE;
    expect(await app.db.select().from(outages)).toMatchObject([
      { startedAfter: at(2), countedFrom: at(2.5), startedAt: at(3), detectedAt: at(5) },
    ]);
  });

  it("of an agent end with the start of its machine, if that was restarted since its last report", async () => {
    const { app, agent } = await setUp();
    const report = (boot_time: number, boot?: string) =>
      agent.report([
        sampleAt(app.clock.now(), {
          boot_time: isoTime(boot_time),
          ...(boot && { traffic: { boot, interfaces: { eth0: [1, 1] } } }),
        }),
      ]);
    const startOf = async (...next: Parameters<typeof report>) => {
      await app.clock.advance(10 * MINUTE);
      await markOfflineServers(app.deps);
      await report(...next);
      const [event] = await app.db.select().from(events).orderBy(desc(events.id)).limit(1);
      return [event?.kind, event?.facts];
    };
    await report(START - MINUTE);
    expect(await startOf(START - MINUTE + 900)).toEqual(["online", null]);
    expect(await startOf(START + 2 * MINUTE)).toEqual(["online", { restarted_at: isoTime(START + 2 * MINUTE) }]);
    await report(START + 2 * MINUTE, "one");
    // The clock was set, and the machine was not restarted.
    expect(await startOf(START + 20 * MINUTE, "one")).toEqual(["online", null]);
    expect(await startOf(START + 20 * MINUTE, "two")).toEqual([
      "online",
      { restarted_at: isoTime(START + 20 * MINUTE) },
    ]);
  });

  it("of a figure end with the next report after its threshold is switched off", async () => {
    const { allow, play } = await setUp();
    await play("hh");
    await allow(false);
    expect(await play("h")).toEqual(["cpu 2-3"]);
  });

  it("are deleted with the agent, and with its owner", async () => {
    const { app, alice, bob, agent, play } = await setUp();
    const other = await enrollAgent(app, bob);
    await other.report([sampleAt(START)]);
    await play("l----");
    expect(await app.db.$count(outages)).toBe(2);
    await app.as(bob).delete(`/api/agents/${agent.id}`);
    expect((await app.db.select().from(outages)).map(({ targetId }) => targetId)).toEqual([other.id]);
    await app.as(alice).delete(`/api/users/${bob.id}`);
    expect(await app.db.$count(outages)).toBe(0);
  });

  it("are open exactly while the agent is offline, also when two instances mark it and it reports at the same time", async () => {
    const { app, agent } = await setUp();
    const second = await createTestApp({ db: app.db, clock: app.clock });
    await agent.report([sampleAt(START)]);
    for (let round = 1; round <= 10; round++) {
      await app.clock.advance(10 * MINUTE);
      const report = () => sendReport(second, agent.key, reportOf([sampleAt(app.clock.now())]));
      await Promise.all([
        markOfflineServers(app.deps),
        markOfflineServers(second.deps),
        ...(round % 2 ? [report()] : []),
        markOfflineServers(app.deps),
      ]);
      const open = (await readOutageRows(app, agent.id)).filter(({ endedAt }) => endedAt === null);
      expect(open.length).toBe((await readServerState(app, agent.id)).status === "inactive" ? 1 : 0);
      if (open.length > 0) await report();
    }
  });
});
