import { expect, it } from "bun:test";
import { createSleepyTime } from "../../testing/agent-program";
import { createMachine } from "../../testing/machine";
import type { Reading } from "../platform/platform";
import { createFacts } from "./facts";
import type { Fact } from "./figure";
import { FIGURE_NAMES, fieldsOf, openFigures } from "./registry";

const reading = (more: Partial<Reading> = {}): Reading => ({
  cpu: null,
  memory: null,
  disks: [],
  unreadable: [],
  network: {},
  ...more,
});

const RUNNING = new AbortController().signal;

it("leaves out every figure that the machine does not have", async () => {
  const figures = openFigures(createMachine(), createSleepyTime());
  const raw = await figures.read(reading());
  expect(fieldsOf(raw, raw, 60)).toEqual({});
  // Facts of every system.
  expect(Object.keys(await figures.facts(RUNNING))).toEqual(["processors"]);
});

it("does not read what --without names", async () => {
  const network = { eth0: { rx: 0, tx: 0 } };
  const figures = openFigures(createMachine(), createSleepyTime(), FIGURE_NAMES);
  expect(await figures.read(reading({ network, boot: "0a1b2c3d" }))).toEqual({});
  expect(await figures.facts(RUNNING)).toEqual({});
});

const factOf = (read: ReturnType<Exclude<Fact["open"], null>>, every = 60): Fact => ({ every, open: () => read });

it("reads each fact as often as it asks for", async () => {
  const time = createSleepyTime();
  let [slow, fast] = [0, 0];
  const facts = createFacts(
    {
      processors: factOf(() => ({ processors: ++slow }), 300),
      failed_units: factOf(() => ({ failed_units: [`${++fast}`] }), 0),
      gpus: factOf(null),
    },
    createMachine(),
    time,
  );
  expect(await facts(RUNNING)).toEqual({ processors: 1, failed_units: ["1"] });
  await time.sleep(200_000);
  expect(await facts(RUNNING)).toEqual({ processors: 1, failed_units: ["2"] });
  await time.sleep(100_000);
  expect(await facts(RUNNING)).toEqual({ processors: 2, failed_units: ["3"] });
});

it("reads a fact with each report that is due at the same pace, also when one is sent a little early", async () => {
  const time = createSleepyTime();
  let asked = 0;
  const facts = createFacts({ processors: factOf(() => ({ processors: ++asked }), 60) }, createMachine(), time);
  for (let round = 1; round <= 4; round++) {
    expect(await facts(RUNNING)).toEqual({ processors: round });
    await time.sleep(54_900);
  }
});

it("leaves out a fact that fails, and logs that once until it can be read again", async () => {
  const machine = createMachine();
  let broken = true;
  const read = () => {
    if (broken) throw new Error("no such device");
    return { processors: 8 };
  };
  const facts = createFacts({ processors: factOf(read, 0) }, machine, createSleepyTime());
  for (let round = 0; round < 3; round++) expect(await facts(RUNNING)).toEqual({});
  expect(machine.said).toEqual(["Cannot read processors: no such device. The other figures are reported."]);
  broken = false;
  expect(await facts(RUNNING)).toEqual({ processors: 8 });
});

it("does not wait for a fact longer than five seconds, nor read it twice at once", async () => {
  const time = createSleepyTime();
  const answer = Promise.withResolvers<{ processors: number }>();
  let asked = 0;
  const read = () => {
    asked++;
    return answer.promise;
  };
  const facts = createFacts(
    { processors: factOf(read, 0), reboot_required: factOf(() => ({ reboot_required: true })) },
    createMachine(),
    time,
  );
  for (let round = 0; round < 3; round++) expect(await facts(RUNNING)).toEqual({ reboot_required: true });
  expect([asked, time.slept]).toEqual([1, [5000, 5000, 5000]]);
  answer.resolve({ processors: 8 });
  expect(await facts(RUNNING)).toEqual({ processors: 8, reboot_required: true });
});

it("leaves out what was read before when a fact has not answered for a minute", async () => {
  const time = createSleepyTime();
  let asked = 0;
  const read = async () => {
    if (++asked > 1) await new Promise(() => {});
    return { processors: 8 };
  };
  const facts = createFacts({ processors: factOf(read, 0) }, createMachine(), time);
  for (let round = 0; round < 3; round++) {
    expect(await facts(RUNNING)).toEqual({ processors: 8 });
    await time.sleep(20_000);
  }
  await time.sleep(20_000);
  expect(await facts(RUNNING)).toEqual({});
});

it("reads nothing while the agent stops", async () => {
  const facts = createFacts({ processors: factOf(() => ({ processors: 8 })) }, createMachine(), createSleepyTime());
  expect(await facts(AbortSignal.abort())).toEqual({});
});
