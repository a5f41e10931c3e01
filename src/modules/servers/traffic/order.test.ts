import { expect, it } from "bun:test";
import { trafficDays } from "../../../db/schema";
import { DAY, MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent, sampleAt, writeReports } from "../../../testing/fixtures/agents";
import { dateOf } from "../plans/months";

it("the list sorts agents by the share of their quota, then by the bytes of their month, and those without traffic last", async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  const today = Math.floor(START / DAY);
  const dayOfMonth = Number(dateOf(today).slice(8, 10));
  const add = async (name: string, [rx, tx]: [number, number], traffic?: object) => {
    const agent = await enrollAgent(app, bob, { name });
    for (const [minute, sent] of [
      [0, [0, 0]],
      [1, [rx, tx]],
    ] as const)
      await agent.report([sampleAt(START + minute * MINUTE, { traffic: { boot: "1", interfaces: { a: [...sent] } } })]);
    const plan = { traffic: { quota: 1000, reset_day: 1, zone: "UTC", mode: "sum", ...traffic } };
    if (traffic) expect((await app.as(bob).put(`/api/agents/${agent.id}`, { name, plan })).status).toBe(200);
    return agent.id;
  };
  app.clock.set(START + MINUTE);
  await add("half", [300, 200]);
  await add("sum 30 %", [200, 100], {});
  await add("tx 10 %", [900, 100], { mode: "tx" });
  await add("max 90 %", [900, 100], { mode: "max" });
  const corrected = { bytes: 600, month: `${dateOf(today).slice(0, 8)}01` };
  await add("corrected 65 %", [50, 0], { correction: corrected });
  // Its month begins today.
  const moved = await add("moved 20 %", [200, 0], { reset_day: dayOfMonth });
  await add("no quota", [900, 900], { quota: null });
  await enrollAgent(app, bob, { name: "none" });
  await enrollAgent(app, bob, { name: "also none" });
  await app.db.insert(trafficDays).values({ agentId: moved, day: today - 1, rx: 5000, tx: 0 });
  await writeReports(app);
  const names = async (query: string, user = bob) =>
    (await app.as(user).get(`/api/agents?sort=traffic${query}`)).body.agents.map(({ name }) => name);
  const byShare = ["max 90 %", "corrected 65 %", "sum 30 %", "moved 20 %", "tx 10 %"];
  const descending = [...byShare, "no quota", "half", "also none", "none"];
  expect(await names("&order=desc")).toEqual(descending);
  expect(await names("&order=desc", alice)).toEqual(descending);
  expect(await names("")).toEqual([...byShare.toReversed(), "half", "no quota", "also none", "none"]);
  expect(await names("&order=desc&limit=2&offset=4")).toEqual(["tx 10 %", "no quota"]);
  expect(await names("&order=desc&search=none")).toEqual(["also none", "none"]);
  // A past day of the month counts.
  await app.db.insert(trafficDays).values({ agentId: moved, day: today, rx: 700, tx: 50 });
  expect((await names("&order=desc"))[0]).toBe("moved 20 %");
});
