import { describe, expect, it, onTestFinished } from "bun:test";
import { processDialect } from "../../../core/config";
import { TIMEOUTS, type Timeouts } from "../../../db/postgres/watchdog-pool";
import { events } from "../../../db/schema";
import type { Sample } from "../../../shared/agents/report";
import { createTestApp } from "../../../testing/app";
import { START, until } from "../../../testing/clock";
import { openTestDatabase } from "../../../testing/db/database";
import { enrollAgent, sampleAt } from "../../../testing/fixtures/agents";
import { finishChecks, readState } from "../../../testing/fixtures/engine";
import { addMonitor, countHistory, storedChecks } from "../../../testing/fixtures/monitors";
import { openLink } from "../../../testing/servers/link";
import { serveHeld, serveStatus } from "../../../testing/servers/targets";

/** Short enough for a test. Not too short, because nothing answers while they apply. */
const SHORT: Timeouts = { query: 40, inspection: 40 };

const setUp = async () => {
  const link = await openLink();
  const timeouts = { ...TIMEOUTS };
  const db = await openTestDatabase(link.through, timeouts);
  onTestFinished(() => db.close());
  const app = await createTestApp({ db });
  const { alice } = await app.people();
  // The first tick writes the heartbeat.
  await app.engine.tick();
  return { app, link, alice, timeouts };
};

describe.if(processDialect === "postgres")("a lost database connection", () => {
  it("during a claim leaves no claim without a check", async () => {
    const { app, link, alice } = await setUp();
    const { url, requests } = serveStatus();
    const id = await addMonitor(app, alice, { url });
    // The commit of the claim is the first one then.
    app.deps.changedMonitors.clear();
    link.loseCommits(1);
    await app.engine.tick();
    expect(link.lost()).toBe(1);
    expect(requests).toHaveLength(0);
    expect((await readState(app, id)).claimedBy).toBe(app.deps.instance);
    await finishChecks(app);
    expect(requests).toHaveLength(1);
    expect(await readState(app, id)).toMatchObject({ status: "up", claimedBy: null });
  });

  it("during the claim of a manual check leaves no claim without a check", async () => {
    const { app, link, alice } = await setUp();
    const { url, requests } = serveStatus();
    const id = await addMonitor(app, alice, { url, active: false });
    const check = () => app.as(alice).post(`/api/monitors/${id}/check`);
    link.loseCommits(1);
    expect((await check()).status).toBe(503);
    expect((await check()).status).toBe(200);
    expect(requests).toHaveLength(1);
  });

  it("while results are written leads to each being recorded once", async () => {
    const { app, link, alice } = await setUp();
    const target = serveHeld();
    const id = await addMonitor(app, alice, { url: target.url });
    await app.engine.tick();
    await until(() => target.requests.length === 1, "the request");
    link.loseCommits(1);
    target.release();
    await until(() => link.lost() === 1, "the answer to be lost");
    // It is due again, and claimed in the transaction that writes the result again.
    app.clock.set(START + 60_000);
    target.release();
    await until(async () => {
      target.release();
      await app.engine.tick();
      return (await countHistory(app, id)).checks === 2 && app.engine.inFlight() === 0;
    }, "the second check");
    expect((await storedChecks(app, id)).map(({ checkedAt }) => checkedAt)).toEqual([START, START + 60_000]);
    expect((await readState(app, id)).claimedBy).toBeNull();
  });

  it.each(["cut", "freeze"] as const)(
    "(%s) keeps what came back, and answers with 503 until it is back",
    async (how) => {
      const { app, link, alice, timeouts } = await setUp();
      const target = serveHeld(500);
      const id = await addMonitor(app, alice, { url: target.url });
      const agent = await enrollAgent(app, alice);
      const samples: Sample[] = [sampleAt(START)];
      await app.engine.tick();
      await until(() => target.requests.length === 1, "the request");
      await link[how]();
      if (how === "freeze") Object.assign(timeouts, SHORT);
      target.release();
      await until(() => app.logged.some((line) => line.includes("results could not be written")), "the write to fail");
      const client = app.as(alice);
      for (let turn = 0; turn < 3; turn++) {
        await app.engine.tick();
        const answers = [
          await client.get("/api/monitors"),
          await client.post("/api/monitors", { name: "a", url: "https://shop.example/" }),
          await app.anybody.post("/api/auth/login", { username: "alice", password: "whatever it is" }),
          await app.anybody.get("/api/status/data"),
          await agent.report(samples),
        ];
        expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(5).fill([503, "unavailable"]));
        expect((await app.anybody.get("/health")).status).toBe(503);
      }
      Object.assign(timeouts, TIMEOUTS);
      await (how === "cut" ? link.mend() : link.thaw());
      await until(async () => (await app.anybody.get("/health")).status === 200, "the console to be well");
      expect((await agent.report(samples)).body.accepted).toBe(1);
      await until(async () => {
        await app.engine.tick();
        return app.engine.inFlight() === 0;
      }, "the result to be written");
      expect(await countHistory(app, id)).toEqual({ checks: 1, hours: 1, days: 1 });
      expect(target.requests).toHaveLength(1);
      expect((await client.get(`/api/monitors/${id}`)).body.monitor.status).toBe("down");
      expect(await app.db.$count(events)).toBe(1);
    },
  );

  it("while a result is committed leads to its being recorded once, whenever the commit ends", async () => {
    const { app, link, alice, timeouts } = await setUp();
    const target = serveHeld(500);
    const id = await addMonitor(app, alice, { url: target.url });
    await app.engine.tick();
    await until(() => target.requests.length === 1, "the request");
    link.freezeAtCommit();
    target.release();
    await until(link.frozen, "the commit to be on its way");
    Object.assign(timeouts, SHORT);
    await until(() => app.logged.some((line) => line.includes("results could not be written")), "the write to fail");
    Object.assign(timeouts, TIMEOUTS);
    link.thaw();
    await until(async () => {
      await app.engine.tick();
      return app.engine.inFlight() === 0;
    }, "the result to be written");
    expect(await countHistory(app, id)).toEqual({ checks: 1, hours: 1, days: 1 });
    expect(await app.db.$count(events)).toBe(1);
    expect(target.requests).toHaveLength(1);
  });
});
