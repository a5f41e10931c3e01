import { expect, it } from "bun:test";
import { createServer } from "node:net";
import { createLog } from "../../../core/log";
import { createTestClock, START, until } from "../../../testing/clock";
import { closedPort } from "../../../testing/servers/raw";
import { testOutbound } from "../../../testing/servers/target-of";
import { createConnectivity } from "./connectivity";

/** A connectivity target that can be closed and opened again at the same port. */
const createWorld = async () => {
  const port = await closedPort();
  let tested = 0;
  let server: ReturnType<typeof createServer> | undefined;
  const appear = () =>
    new Promise<void>((resolve) => {
      server = createServer((socket) => {
        tested++;
        socket.destroy();
      }).listen(port, "127.0.0.1", resolve);
    });
  const vanish = () => new Promise<unknown>((resolve) => server?.close(resolve));
  return { target: { host: "127.0.0.1", port }, appear, vanish, tested: () => tested };
};

const setUp = async () => {
  const network = await createWorld();
  const clock = createTestClock();
  const lines: string[] = [];
  const log = createLog("info", false, (line) => lines.push(line));
  return {
    network,
    clock,
    lines,
    connectivity: createConnectivity(network.target, { clock, log, outbound: testOutbound }),
  };
};

it("connectivity without a target is always reachable, and its state is null", async () => {
  const log = createLog("silent", false, () => {});
  const connectivity = createConnectivity(null, { clock: createTestClock(), log, outbound: testOutbound });
  expect([await connectivity.reachable(), connectivity.state()]).toEqual([true, null]);
});

it("connectivity is lost and comes back, and logs each once", async () => {
  const { network, clock, lines, connectivity } = await setUp();
  await network.appear();
  expect([await connectivity.reachable(), connectivity.state()]).toEqual([true, "ok"]);
  await network.vanish();
  for (let second = 0; second < 3; second++) {
    await clock.advance(1000);
    expect([await connectivity.reachable(), connectivity.state()]).toEqual([false, "lost"]);
  }
  await network.appear();
  await clock.advance(1000);
  expect([await connectivity.reachable(), connectivity.state()]).toEqual([true, "ok"]);
  expect(lines.map((line) => JSON.parse(line).message)).toEqual([
    "connectivity is lost: checks pause",
    "connectivity is back: checks go on",
  ]);
  await network.vanish();
});

it("connectivity is checked at most once a second for any number of callers, also when the clock goes back", async () => {
  const { network, clock, connectivity } = await setUp();
  await network.appear();
  await Promise.all(Array.from({ length: 20 }, () => connectivity.reachable()));
  await clock.advance(999);
  await connectivity.reachable();
  expect(network.tested()).toBe(1);
  clock.set(clock.now() - 3_600_000);
  await connectivity.reachable();
  expect(network.tested()).toBe(2);
  await network.vanish();
});

it("connectivity is lost since its last success, and not since the failures after it", async () => {
  const { network, clock, connectivity } = await setUp();
  await network.appear();
  await connectivity.reachable();
  expect(connectivity.lostSince()).toBeNull();
  await clock.advance(1000);
  await connectivity.reachable();
  await network.vanish();
  for (let second = 0; second < 3; second++) {
    await clock.advance(1000);
    await connectivity.reachable();
    expect(connectivity.lostSince()).toBe(START + 1000);
  }
  await network.appear();
  await clock.advance(1000);
  await connectivity.reachable();
  expect(connectivity.lostSince()).toBeNull();
  await network.vanish();
});

it("connectivity that was never there is lost since its first failure, and since its failure if the clock went back", async () => {
  const { network, clock, connectivity } = await setUp();
  await connectivity.reachable();
  await clock.advance(1000);
  await connectivity.reachable();
  expect(connectivity.lostSince()).toBe(START);
  await network.appear();
  await clock.advance(1000);
  await connectivity.reachable();
  await network.vanish();
  clock.set(START - 3_600_000);
  await connectivity.reachable();
  expect(connectivity.lostSince()).toBe(START - 3_600_000);
});

it("connectivity whose target answers decides at once, except for wrong answers, as a captive portal gives", async () => {
  const { network, clock } = await setUp();
  await network.appear();
  const log = createLog("silent", false, () => {});
  const portal = { gateway: "answers", nameServers: "silent", channels: "unknown" } as const;
  const connectivity = createConnectivity(
    network.target,
    { clock, log, outbound: testOutbound },
    { ask: async () => portal, learn: () => {}, place: () => "outside" },
  );
  connectivity.recheckWith(async () => false);
  const checked = (monitorId: number) => {
    const address = `10.0.${monitorId}.1`;
    return { monitorId, host: address, address, startedAt: clock.now() };
  };
  for (const id of [1, 2, 3, 4]) connectivity.reached({ ...checked(id), responseTime: 20, verified: true });
  const failed = { ...checked(1), fresh: true };
  // A cut may have ended since the check began, so a target that was up is checked once more.
  expect(await connectivity.judge({ ...failed, code: "refused" })).toBe("again");
  expect(await connectivity.judge({ ...failed, code: "refused", fresh: false })).toBe("failed");
  const wrong = connectivity.judge({ ...failed, code: "keyword_missing" });
  await until(async () => {
    await clock.advance(1000);
    await connectivity.reachable();
    return connectivity.state() === "lost";
  }, "the loss");
  expect(await wrong).toBe("unknown");
  expect(await connectivity.reachable()).toBe(false);
  await network.vanish();
});

it("a failure is judged by a test of the connection that begins after it, because a cut may just have begun", async () => {
  const { network, connectivity } = await setUp();
  await network.appear();
  const failed = { monitorId: 1, host: "10.0.1.1", address: "10.0.1.1", startedAt: START, fresh: true } as const;
  expect(await connectivity.judge({ ...failed, code: "refused" })).toBe("again");
  await network.vanish();
  expect(await connectivity.judge({ ...failed, code: "refused" })).toBe("unknown");
});

it("a failure of a name is suspect although the target of the connectivity answers", async () => {
  const { network, clock } = await setUp();
  await network.appear();
  const connectivity = createConnectivity(
    network.target,
    { clock, log: createLog("silent", false, () => {}), outbound: testOutbound },
    {
      ask: async () => ({ gateway: "answers", nameServers: "silent", channels: "unknown" }),
      learn: () => {},
      place: () => "outside",
    },
  );
  connectivity.recheckWith(async (monitorId) => monitorId !== 1);
  for (const monitorId of [1, 2, 3, 4]) {
    const address = `10.0.${monitorId}.1`;
    const host = monitorId === 1 ? "shop.example" : address;
    connectivity.reached({ monitorId, host, address, startedAt: START, responseTime: 20, verified: true });
  }
  const failed = { monitorId: 1, host: "shop.example", address: "10.0.9.1", startedAt: START, fresh: true } as const;
  const judged: string[] = [];
  void connectivity.judge({ ...failed, code: "refused" }).then((judgement) => judged.push(judgement));
  await until(async () => {
    await clock.advance(1000);
    await connectivity.reachable();
    return judged.length > 0;
  });
  expect(judged).toEqual(["unknown"]);
});
