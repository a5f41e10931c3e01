import { describe, expect, it } from "bun:test";
import { asc } from "drizzle-orm";
import { events, outages } from "../../../../db/schema";
import { createTestApp, type TestApp } from "../../../../testing/app";
import { until } from "../../../../testing/clock";
import { readState } from "../../../../testing/fixtures/engine";
import { addMonitor, countHistory, storedChecks } from "../../../../testing/fixtures/monitors";
import { createSuspiciousHub } from "../../../../testing/fixtures/own-network";
import { createRandom, seeds } from "../../../../testing/random";
import { runsSlowTests } from "../../../../testing/repetitions";
import { createWorld, passUntil } from "../../../../testing/servers/network-world";

/** A hub with monitors of all targets of a world; the last monitor is inverted. */
const setUp = async ({ count = 4, retries = 0, isReachable = true, witnesses = createWorld(count) } = {}) => {
  const world = witnesses;
  const app = await createTestApp({ witnesses: world.witnesses() });
  const { alice } = await app.people();
  const ids: number[] = [];
  const last = world.urls.length - 1;
  if (!isReachable) await world.stop(last);
  for (const [index, url] of world.urls.entries()) {
    const inverted = { name: "closed", retries, inverted: true };
    ids.push(await addMonitor(app, alice, { url, timeout: 5, ...(index === last && inverted) }));
  }
  await passUntil(app, "the first checks", () => app.engine.inFlight() === 0);
  const id = ids.at(-1) as number;
  const status = async () => (await readState(app, id)).status;
  return { world, app, alice, ids, id, last, status };
};

const nextChecks = async (app: TestApp) => {
  await app.clock.advance(66_000);
  await passUntil(app, "the checks", () => app.engine.inFlight() === 0);
};

const eventKinds = async (app: TestApp) =>
  (await app.db.select().from(events).orderBy(asc(events.id))).map(({ kind }) => kind);

describe("an inverted monitor", () => {
  it("is up while its target is not reachable, down while it is, and up again, with one event for each change", async () => {
    const { world, app, id, last, status } = await setUp({ isReachable: false });
    expect(await status()).toBe("up");
    expect(await storedChecks(app, id)).toMatchObject([{ up: true, error: null, responseTime: null }]);
    world.start(last);
    await nextChecks(app);
    expect(await status()).toBe("down");
    const [, failed] = await storedChecks(app, id);
    expect(failed).toMatchObject({ up: false, error: { code: "unexpected_success" }, statusCode: 200 });
    expect(await app.db.select().from(outages)).toMatchObject([{ targetId: id, errorCode: "unexpected_success" }]);
    await world.stop(last);
    await nextChecks(app);
    expect(await status()).toBe("up");
    expect(await eventKinds(app)).toEqual(["down", "recovery"]);
  });

  it("is down when one of its retries succeeds, because the check has then succeeded", async () => {
    let left = 1;
    const target = Bun.serve({
      hostname: "127.1.9.1",
      port: 0,
      fetch: () => new Response(null, { status: left-- > 0 ? 500 : 200 }),
    });
    const { app, alice } = await setUp();
    const url = `http://127.1.9.1:${target.port}/`;
    const id = await addMonitor(app, alice, { url, interval: 3600, timeout: 5, retries: 1, inverted: true });
    await passUntil(app, "the check", () => app.engine.inFlight() === 0);
    await target.stop(true);
    expect(await readState(app, id)).toMatchObject({ status: "down" });
    expect(await storedChecks(app, id)).toMatchObject([{ error: { code: "unexpected_success" } }]);
  });

  it("does not recover by one lost packet: a failure that would end an outage is tried again", async () => {
    const { world, app, id, last, status } = await setUp();
    expect(await status()).toBe("down");
    await app.clock.advance(66_000);
    await world.stop(last);
    await app.engine.tick();
    await until(() => app.logged.some((line) => line.includes('"up":false')), "the failure");
    world.start(last);
    await passUntil(app, "the checks", () => app.engine.inFlight() === 0);
    expect(await status()).toBe("down");
    expect((await storedChecks(app, id)).every(({ up }) => !up)).toBe(true);
  });

  it("is down with the reason of its settings where these refuse its address", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    const client = app.as(bob);
    const body = { name: "metadata", url: "http://169.254.169.254/", inverted: true, interval: 60, retries: 0 };
    const { id } = (await client.post("/api/monitors", body)).body.monitor;
    const { check } = (await client.post(`/api/monitors/${id}/check`)).body;
    expect(check).toMatchObject({ status: "down", error_code: "blocked_private" });
  });
});

describe("an inverted monitor on a hub whose own network is cut", () => {
  it("stays down, and is not up because nothing can be reached", async () => {
    const { world, app, id, status } = await setUp();
    expect(await status()).toBe("down");
    await world.cut();
    await app.clock.advance(66_000);
    await passUntil(app, "the loss", () => app.connectivity.state() === "lost");
    await until(() => app.engine.inFlight() === 0, "the checks to be given back");
    expect(await status()).toBe("down");
    world.mend();
    await passUntil(app, "the network to be back", () => app.connectivity.lostSince() === null);
    await nextChecks(app);
    expect(await status()).toBe("down");
    expect((await storedChecks(app, id)).every(({ up }) => !up)).toBe(true);
    expect(await eventKinds(app)).not.toContain("recovery");
  });

  it("that was added during the cut stays pending until the cut is over", async () => {
    const { world, app, alice } = await setUp();
    await world.cut();
    const [url = ""] = world.urls;
    const id = await addMonitor(app, alice, { url, timeout: 5, inverted: true });
    await passUntil(app, "the loss", () => app.connectivity.state() === "lost");
    await until(() => app.engine.inFlight() === 0, "the checks to be given back");
    expect(await readState(app, id)).toMatchObject({ status: "pending", lastCheckedAt: null });
    world.mend();
    await passUntil(app, "its first check", async () => (await readState(app, id)).status !== "pending");
    expect(await readState(app, id)).toMatchObject({ status: "down" });
  });

  it("refuses a manual check that fails, and records nothing", async () => {
    const { world, app, alice, id } = await setUp();
    const { checks } = await countHistory(app, id);
    await world.cut();
    const answer = app.as(alice).post(`/api/monitors/${id}/check`);
    await passUntil(app, "the loss", () => app.connectivity.state() === "lost");
    expect(await answer).toMatchObject({ status: 503, body: { code: "hub_unavailable" } });
    expect((await countHistory(app, id)).checks).toBe(checks);
  });

  it("takes a manual check that fails as a recovery while other targets answer", async () => {
    const { world, app, alice, id, last, status } = await setUp();
    await world.stop(last);
    const answer = app.as(alice).post(`/api/monitors/${id}/check`);
    await passUntil(app, "the recovery", async () => (await status()) === "up");
    expect(await answer).toMatchObject({ status: 200, body: { check: { status: "up", error: null } } });
  });

  it("is never up because nothing can be reached, whatever happens in which order", async () => {
    for (const seed of seeds(runsSlowTests ? 3 : 1)) {
      const { world, app, last, status } = await setUp();
      const { oneIn } = createRandom(seed);
      let isOpen = true;
      for (let step = 0; step < 8; step++) {
        if (oneIn(2)) {
          const before = await status();
          await world.cut();
          await nextChecks(app);
          expect([seed, step, await status()]).toEqual([seed, step, before]);
          world.mend();
          if (!isOpen) await world.stop(last);
          await passUntil(app, "the network to be back", () => app.connectivity.lostSince() === null);
        }
        if (oneIn(2)) {
          isOpen = !isOpen;
          if (isOpen) world.start(last);
          else await world.stop(last);
        }
        await nextChecks(app);
        expect([seed, step, await status()]).toEqual([seed, step, isOpen ? "down" : "up"]);
      }
    }
  });
});

describe("a failure that counts as up", () => {
  const ALONE = { gateway: "unknown", nameServers: "unknown", channels: "unknown" } as const;

  it("is checked again once a healthy target of another network answers", async () => {
    const { fail, judgement, dead } = createSuspiciousHub();
    dead.add(1);
    expect(await judgement(fail(1, { expected: true }))).toBe("again");
  });

  it("and changes nothing needs only a target that answered in the last minute", async () => {
    const { fail, judgement, asked, pass, reached } = createSuspiciousHub();
    expect(await judgement(fail(1, { expected: true, fresh: false }))).toBe("failed");
    expect(asked).toEqual([]);
    await pass(120_000);
    expect(await judgement(fail(1, { expected: true, fresh: false }))).toBe("failed");
    expect(asked.length).toBeGreaterThan(0);
    asked.length = 0;
    reached(2);
    expect(await judgement(fail(1, { expected: true, fresh: false }))).toBe("failed");
    expect(asked).toEqual([]);
  });

  it.each(["timeout", "status", "dns_no_name"] as const)(
    "(%s) says nothing where nothing else ever answers, and counts by the name servers alone",
    async (code) => {
      const { fail, judgement, world, clock } = createSuspiciousHub({ targets: 0 });
      world.witnesses = ALONE;
      expect(await judgement(fail(1, { expected: true, code }))).toBe("unknown");
      expect(await judgement(fail(1, { expected: true, code, fresh: false }))).toBe("unknown");
      world.witnesses = { ...ALONE, nameServers: "answers" };
      await clock.advance(60_000);
      expect(await judgement(fail(1, { expected: true, code }))).toBeOneOf(["again", "failed"]);
    },
  );

  it("on the link of this machine counts by the gateway, and behind it does not", async () => {
    const { fail, judgement, world } = createSuspiciousHub({ targets: 0 });
    world.witnesses = { ...ALONE, gateway: "answers" };
    expect(await judgement(fail(1, { expected: true, address: "192.168.0.7" }))).toBeOneOf(["again", "failed"]);
    expect(await judgement(fail(2, { expected: true }))).toBe("unknown");
  });

  it("does not make the own network suspect: many inverted monitors that are added at once lose nothing", async () => {
    const { fail, judgement, changes, world } = createSuspiciousHub({ targets: 1 });
    world.witnesses = { ...ALONE, nameServers: "answers" };
    const judged = [101, 102, 103, 104, 105].map((id) => fail(id, { expected: true }));
    for (const one of judged) expect(await judgement(one)).toBeOneOf(["again", "failed"]);
    expect(changes).toEqual([]);
  });
});
