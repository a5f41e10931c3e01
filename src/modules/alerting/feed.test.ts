import { expect, it } from "bun:test";
import { isoTime } from "../../lib/time";
import { checkError } from "../../shared/check-error";
import { HOUR, MINUTE } from "../../shared/limits";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { addMonitor, recordOnly } from "../../testing/fixtures/monitors";

const REFUSED = checkError("refused");

const setUp = async () => {
  const app = await createTestApp();
  const people = await app.people();
  const id = await addMonitor(app, people.bob, { url: "https://shop.example/" });
  const check = (minute: number, up: boolean, monitor = id) =>
    recordOnly(app, monitor, [{ at: START + minute * MINUTE, up, error: up ? null : REFUSED }]);
  const read = async (user: typeof people.bob) => (await app.as(user).get("/api/dashboard")).body.events;
  return { app, ...people, id, check, read };
};

it("a monitor that goes down and recovers is one entry, also when it does so repeatedly", async () => {
  const { bob, charlie, id, check, read } = await setUp();
  for (const [minute, up] of [
    [0, true],
    [1, false],
    [4, true],
    [60, false],
    [65, true],
    [170, false],
  ] as const)
    await check(minute, up);
  expect(await read(bob)).toMatchObject([
    {
      target_type: "monitor",
      target_id: id,
      target_name: "shop",
      kind: "down",
      state: "begun",
      at: isoTime(START + 170 * MINUTE),
      first_at: isoTime(START + MINUTE),
      times: 3,
      lasted: 5 * 60,
      error_code: "refused",
      notified: [],
      failed: 0,
    },
  ]);
  expect(await read(charlie)).toEqual([]);
});

it("an outage more than two hours after the last one is an entry of its own, however long each lasts", async () => {
  const { bob, check, read } = await setUp();
  for (const [minute, up] of [
    [0, true],
    [1, false],
    [600, true],
    [900, false],
  ] as const)
    await check(minute, up);
  const entries = (await read(bob)).map(({ state, at, times }) => [state, at, times]);
  expect(entries).toEqual([
    ["begun", isoTime(START + 900 * MINUTE), 1],
    ["ended", isoTime(START + 10 * HOUR), 1],
  ]);
});

it("the feed has at most ten entries, and shows other users' entries to administrators only", async () => {
  const { app, alice, bob, charlie, check, read } = await setUp();
  for (let index = 0; index < 12; index++)
    await check(index + 1, false, await addMonitor(app, charlie, { url: "https://a.example/", name: `m${index}` }));
  expect((await read(charlie)).map(({ target_name }) => target_name)).toEqual(
    Array.from({ length: 10 }, (_, index) => `m${11 - index}`),
  );
  expect(await read(bob)).toEqual([]);
  expect((await read(alice))[0]).toMatchObject({ target_name: "m11", owner: "charlie" });
});
