import { expect, it } from "bun:test";
import { createMeters } from "../../../core/deps";
import { createLog } from "../../../core/log";
import { MINUTE, SECOND } from "../../../shared/limits";
import { createTestClock } from "../../../testing/clock";
import { testOutbound } from "../../../testing/servers/target-of";
import { serveStatus } from "../../../testing/servers/targets";
import { createHeartbeat } from "./heartbeat";

const setUp = (heartbeatUrl?: string) => {
  const watcher = serveStatus(200);
  const clock = createTestClock();
  const meters = createMeters();
  const lines: string[] = [];
  const log = createLog("info", false, (line) => lines.push(JSON.parse(line).message));
  let ticked = clock.now();
  const beat = createHeartbeat(
    { clock, log, meters, outbound: testOutbound, config: { heartbeatUrl: heartbeatUrl ?? watcher.url } as never },
    { tickedAt: () => ticked },
  );
  return {
    watcher,
    lines,
    /** Lets a minute pass with the given lateness of checks in seconds; the engine ticks unless it hangs. */
    minute: async (lateness: number[], { hangs = false } = {}) => {
      await clock.advance(MINUTE);
      if (!hangs) ticked = clock.now() - SECOND;
      for (const seconds of lateness) meters.lateness.observe(seconds);
      await beat();
      return watcher.requests.length;
    },
  };
};

it("a heartbeat is sent each minute while checks run on time, also without any check", async () => {
  const { minute, watcher } = setUp();
  expect([await minute([0.01, 0.2]), await minute([]), await minute([1, 2, 40])]).toEqual([1, 2, 3]);
  expect(watcher.requests[0]).toMatchObject({ method: "GET", path: "/" });
});

it("no heartbeat is sent while most checks are late or the engine hangs, and it is sent again after that", async () => {
  const { minute, lines } = setUp();
  expect([await minute([0.1]), await minute([40, 50, 0.1]), await minute([], { hangs: true })]).toEqual([1, 1, 1]);
  expect(lines).toEqual(Array(2).fill("checks are late: the heartbeat is not sent"));
  expect(await minute([0.1, 0.1])).toBe(2);
});

it("a heartbeat that is refused is logged once, and sent again a minute later", async () => {
  const { minute, watcher, lines } = setUp();
  watcher.answer.status = 500;
  await minute([]);
  await minute([]);
  watcher.answer.status = 200;
  await minute([]);
  expect(lines).toEqual(["the heartbeat could not be sent, will retry each minute", "the heartbeat is sent again"]);
});

it("no heartbeat is sent without an address", async () => {
  const { minute, lines } = setUp("");
  expect([await minute([]), lines]).toEqual([0, []]);
});
