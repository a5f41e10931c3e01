import { expect, it } from "bun:test";
import { repetitions } from "../../src/testing/repetitions";
import { bench as connections } from "../bench/faults/connections";
import { bench as database } from "../bench/faults/database";
import { bench as kill } from "../bench/faults/kill";
import { bench as killMove } from "../bench/faults/kill-move";

/** Losses only; figures that depend on the machine's speed are ignored. */
const lossesOf = ({ losses }: { losses: Record<string, number> }) =>
  Object.entries(losses).filter(([name, count]) => count !== 0 && name !== "slower_than_1_s");

it("loses no answered write when the hub is killed during writes", async () => {
  const found = await kill(["--kills", String(repetitions(2, 4)), "--alert-kills", "0"]);
  expect(lossesOf(found)).toEqual([]);
  for (const kind of ["samples", "monitors", "checks"] as const) expect(found.answered[kind]).toBeGreaterThan(0);
}, 300_000);

it("loses and duplicates no check when the hub is killed while it moves checks to blocks", async () => {
  for (const engine of [[], ["--instances", "2"]]) {
    const found = await killMove(["--kills", String(repetitions(1, 2)), "--monitors", "1000", ...engine]);
    expect(lossesOf(found)).toEqual([]);
    expect(found.answered.checks).toBeGreaterThan(0);
  }
}, 300_000);

it("loses and duplicates nothing when PostgreSQL crashes, is cut off and freezes", async () => {
  const found = await database(["--rounds", "1", "--seconds", "0.5"]);
  expect(lossesOf(found)).toEqual([]);
}, 300_000);

it("answers other clients during idle and endless requests", async () => {
  const found = await connections(["--idle", "500", "--idle-seconds", "1", "--endless", "200", "--seconds", "2"]);
  expect(found.idle.opened).toBe(500);
  expect(lossesOf(found)).toEqual([]);
});
