import { expect, it } from "bun:test";
import { MINUTE, SECOND } from "../../../../shared/limits";
import { createTestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { finishChecks } from "../../../../testing/fixtures/engine";
import { addMonitor, type inputWith } from "../../../../testing/fixtures/monitors";
import { serveTarget } from "../../../../testing/servers/targets";
import type { Result } from "../record";
import { createRecheckBudget } from "./rechecks";

/** A target that is checked for a time, and the times of its checks in seconds. */
const watch = async (wanted: Partial<ReturnType<typeof inputWith>> = {}) => {
  const app = await createTestApp({ env: { PRIVATE_TARGETS: "all" } });
  const { alice } = await app.people();
  let [status, times]: [number, number[]] = [503, []];
  const target = serveTarget(() => {
    times.push((app.clock.now() - START) / SECOND);
    return new Response(null, { status });
  });
  await addMonitor(app, alice, { url: target.url, ...wanted });
  return {
    recover: () => {
      status = 200;
    },
    pass: async (length: number): Promise<number[]> => {
      times = [];
      for (const end = app.clock.now() + length; app.clock.now() < end; ) {
        await finishChecks(app);
        await app.clock.advance(SECOND);
      }
      return times;
    },
  };
};

const gaps = (times: readonly number[]) => times.slice(1).map((time, index) => time - (times[index] ?? 0));

it("a monitor that is down is checked every 15 seconds for ten minutes, and then at its interval", async () => {
  const { pass } = await watch({ interval: 300 });
  const first = await pass(10 * MINUTE);
  expect(first.length).toBeWithin(37, 46);
  expect(Math.max(...gaps(first))).toBeLessThanOrEqual(20);
  await pass(10 * MINUTE);
  expect((await pass(50 * MINUTE)).length).toBeWithin(9, 12);
});

it("a monitor that is up again is checked at its interval", async () => {
  const { pass, recover } = await watch({ interval: 300 });
  await pass(2 * MINUTE);
  recover();
  await pass(MINUTE);
  expect((await pass(50 * MINUTE)).length).toBeWithin(9, 12);
});

it("a monitor without quick rechecks, or with a short interval, is checked at its interval", async () => {
  const { pass } = await watch({ interval: 300, quickRecheck: false });
  await pass(MINUTE);
  expect((await pass(50 * MINUTE)).length).toBeWithin(9, 12);
  const { pass: passShort } = await watch({ interval: 15, timeout: 5 });
  expect((await passShort(5 * MINUTE)).length).toBeWithin(19, 23);
});

it("when very many fail at once, some are checked again soon, and the checks of the others stay on time", () => {
  let now = START;
  const take = createRecheckBudget({ now: () => now });
  const results = Array.from({ length: 700 }, (_, monitorId) => ({ monitorId, up: false }) as Result);
  const counts = [take(results), take([{ up: true } as Result, ...results]), take(results)].map(({ length }) => length);
  expect(counts).toEqual([700, 300, 0]);
  now += 15 * SECOND;
  expect(take(results)).toHaveLength(700);
});
