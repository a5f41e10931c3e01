import { expect, it } from "bun:test";
import { fault as connection } from "../bench/faults/connection";
import { fault as idle } from "../bench/faults/idle";
import { fault as kill } from "../bench/faults/kill";
import { fault as slowLoris } from "../bench/faults/slow-loris";

/** A slow machine is no loss: only what is measured in time is left out here. */
const lossesOf = ({ losses }: { losses: Record<string, number> }) =>
  Object.entries(losses).filter(([name, count]) => count !== 0 && name !== "slower_than_1_s");

it("a console that is killed while it is written to keeps all that it answered for", async () => {
  const found = await kill(["--kills", "4", "--alert-kills", "0"]);
  expect(lossesOf(found)).toEqual([]);
  for (const kind of ["samples", "monitors", "checks"] as const) expect(found.answered[kind]).toBeGreaterThan(0);
}, 120_000);

it("a console whose PostgreSQL crashes, is cut off and freezes loses and doubles nothing", async () => {
  const found = await connection(["--rounds", "1", "--seconds", "0.5"]);
  expect(lossesOf(found)).toEqual([]);
}, 120_000);

it("idle and endless requests keep nobody else waiting for ever", async () => {
  expect(lossesOf(await idle(["--connections", "500", "--seconds", "1"]))).toEqual([]);
  expect(lossesOf(await slowLoris(["--connections", "200", "--seconds", "2"]))).toEqual([]);
}, 60_000);
