import { heapStats } from "bun:jsc";
import { expect, it } from "bun:test";
import { processDialect } from "../../core/config";
import { createTestApp } from "../app";
import { until } from "../clock";
import { fuzzRequests } from "../fuzz/requests";
import { sendFuzz, violationsOf } from "../fuzz/send";
import { createFuzzWorld } from "../fuzz/world";
import { readDocument } from "../openapi";
import { fc } from "../property";
import { repetitions } from "../repetitions";
import { serveStatus } from "../servers/targets";

/** The number of random requests of each kind. A failure names its seed and the request. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? (processDialect === "sqlite" ? repetitions(300, 1000) : 300));
const MEGABYTE = 2 ** 20;

/** Memory in use after garbage collection. */
const heldMemory = (): number => {
  Bun.gc(true);
  return heapStats().heapSize / MEGABYTE;
};

const start = async () => {
  const target = serveStatus();
  const env = { PRIVATE_TARGETS: "all", TELEGRAM_API_URL: target.origin, RESEND_API_URL: target.origin };
  const app = await createTestApp({ env });
  const document = await readDocument(app);
  const world = await createFuzzWorld(app, target.url);
  return { app, document, world, requests: fuzzRequests(document, world.actors, target.url) };
};

it(
  `survives ${REQUESTS} requests of every kind, leaks nothing and answers as it is documented`,
  async () => {
    const { app, document, world, requests } = await start();
    const before = await world.readForeign();
    const held: number[] = [];
    const statuses: Record<string, number> = {};
    let sent = 0;
    const send = fc.asyncProperty(requests, async (request) => {
      if (++sent % 200 === 0) await world.revive();
      // The number of checks of a host that start in one second is limited; others wait for the next one.
      if (sent % 10 === 0) await app.clock.advance(1000);
      if (sent % (REQUESTS / 2) === 0) held.push(heldMemory());
      await world.signInAgain();
      const answer = await sendFuzz(app, world, request);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      expect(violationsOf(document, request, answer)).toEqual([]);
    });
    await fc.assert(send, { numRuns: REQUESTS });

    // A check whose server sends no greeting lasts until its timeout, longer than the engine waits for it here.
    await app.engine.stop();
    await until(() => app.engine.inFlight() === app.engine.running(), "the results of the checks to be written");
    expect(await world.readForeign()).toEqual(before);
    expect(Object.entries(await world.readOrphans()).filter(([, count]) => count > 0)).toEqual([]);
    expect(app.logged.filter((line) => line.includes("request failed"))).toEqual([]);
    // Only the security log names users.
    const others = app.logged.filter((line) => !line.includes('"message":"security event"'));
    expect(others.join("")).not.toInclude("canary");
    const [half = 0, whole = 0] = held;
    expect(whole - half).toBeLessThan(64);
    console.log(`answers: ${JSON.stringify(statuses)}; memory held: ${held.map(Math.round).join(", then ")} MB`);
    // Requests that are all refused would prove little.
    const good = (statuses[200] ?? 0) + (statuses[201] ?? 0);
    expect(good).toBeGreaterThan(REQUESTS / 5);
  },
  60_000 + 60 * REQUESTS,
);
