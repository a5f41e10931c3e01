import { expect, it } from "bun:test";
import { repetitions } from "../../src/testing/repetitions";
import { bench } from "../bench/faults/kill-alerts";

it("loses no alert when it is killed during deliveries, and repeats one only across a kill", async () => {
  const found = await bench(["--kills", String(repetitions(5, 10))]);
  console.log(JSON.stringify(found));
  expect(found.losses).toEqual({
    flips_without_event: 0,
    not_delivered: 0,
    unknown_messages: 0,
    out_of_order: 0,
    twice_without_a_kill_between: 0,
  });
  // A slow machine flips less often between two kills; some flips must be in progress.
  expect(found.events).toBeGreaterThan(2);
}, 300_000);
