import { describe, expect, it } from "bun:test";
import { isoTime } from "../../../lib/time";
import type { TrafficCounters } from "../../../shared/agents/report";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { START } from "../../../testing/clock";
import { fc } from "../../../testing/property";
import { type Bytes, countTraffic, type TrafficState } from "./count";

const NOW = START + DAY;
const sample = (at: number, interfaces: TrafficCounters["interfaces"], more: Partial<TrafficCounters> = {}) => ({
  at: isoTime(at),
  traffic: { boot: "one", interfaces, ...more },
});
const sumOf = (state: TrafficState | null): Bytes =>
  Object.values(state?.days ?? {}).reduce<Bytes>(([rx, tx], [more, other]) => [rx + more, tx + other], [0, 0]);
/** Counts samples one minute apart, each in a report of its own. */
const count = (...sent: [interfaces: TrafficCounters["interfaces"], more?: Partial<TrafficCounters>][]) =>
  sent.reduce<TrafficState | null>(
    (state, [interfaces, more], index) =>
      countTraffic(state, [sample(NOW + index * MINUTE, interfaces, more)], "UTC", NOW + index * MINUTE),
    null,
  );

describe("traffic", () => {
  it("is the difference of counters, from the first sample on", () => {
    expect(sumOf(count([{ eth0: [1000, 500] }]))).toEqual([0, 0]);
    expect(sumOf(count([{ eth0: [1000, 500] }], [{ eth0: [1100, 520] }]))).toEqual([100, 20]);
  });

  it("after a start of the machine is the whole counter", () => {
    const sum = sumOf(count([{ eth0: [1000, 500] }], [{ eth0: [1100, 7] }, { boot: "two" }]));
    expect(sum).toEqual([1100, 7]);
  });

  it("of an interface that was created again is its new counter", () => {
    expect(sumOf(count([{ ppp0: [1000, 500] }], [{ ppp0: [30, 600] }]))).toEqual([30, 100]);
  });

  it("of counters of 32 bits continues over their return to zero", () => {
    const near = 2 ** 32 - 10;
    expect(sumOf(count([{ a: [near, 0] }, { wraps: true }], [{ a: [5, 0] }, { wraps: true }]))).toEqual([15, 0]);
  });

  it("of an interface that was absent is what it counted during its absence, also after a start", () => {
    expect(sumOf(count([{ a: [10, 0], b: [10, 0] }], [{ a: [10, 0] }], [{ a: [10, 0], b: [17, 0] }]))).toEqual([7, 0]);
    const other = { boot: "two" };
    expect(sumOf(count([{ a: [10, 0], b: [10, 0] }], [{ a: [1, 0] }, other], [{ b: [17, 0] }, other]))).toEqual([
      18, 0,
    ]);
  });

  it("of a new interface begins with its first sample", () => {
    expect(sumOf(count([{ a: [10, 0] }], [{ a: [11, 0], b: [500, 0] }], [{ a: [11, 0], b: [502, 0] }]))).toEqual([
      3, 0,
    ]);
  });

  it("of two machines that report in turn is what each of them counts, and their earlier counters once", () => {
    const [one, other] = [{ boot: "one" }, { boot: "other" }];
    const sent = [10, 20, 30].flatMap((more): [TrafficCounters["interfaces"], object][] => [
      [{ eth0: [1000 + more, 0] }, one],
      [{ eth0: [500 + more, 0] }, other],
    ]);
    expect(sumOf(count(...sent))).toEqual([20 + 510 + 20, 0]);
  });

  it("of an earlier start is known for a day", () => {
    const play = (apart: number) =>
      ["one", "two", "one"].reduce<TrafficState | null>((state, boot, index) => {
        const at = NOW + index * apart;
        return countTraffic(state, [sample(at, { a: [100 + index, 0] }, { boot })], "UTC", at);
      }, null);
    expect([sumOf(play(HOUR)), sumOf(play(DAY))]).toEqual([
      [101 + 2, 0],
      [101 + 102, 0],
    ]);
    expect(countTraffic(play(HOUR), [sample(NOW + 3 * DAY, { a: [103, 0] })], "UTC", NOW + 3 * DAY)).not.toHaveProperty(
      "others",
    );
  });

  it("of samples that are repeated, late or from a wrong clock is not counted twice", () => {
    const state = count([{ a: [10, 0] }], [{ a: [15, 0] }]);
    const again = [sample(NOW, { a: [10, 0] }), sample(NOW + MINUTE, { a: [15, 0] })];
    expect(countTraffic(state, again, "UTC", NOW + MINUTE)).toBe(state);
    const wrong = [sample(NOW + HOUR, { a: [900, 0] }), sample(NOW - 3 * DAY, { a: [900, 0] })];
    expect(countTraffic(state, wrong, "UTC", NOW + MINUTE)).toBe(state);
  });

  it("continues after the clock of the hub was set back", () => {
    const ahead = countTraffic(null, [sample(NOW + DAY, { a: [10, 0] })], "UTC", NOW + DAY);
    expect(sumOf(countTraffic(ahead, [sample(NOW, { a: [12, 0] })], "UTC", NOW))).toEqual([2, 0]);
  });

  it("belongs to the date of its sample in the time zone", () => {
    const midnight = Date.parse("2026-03-01T16:00:00Z");
    const times = [midnight - 2 * MINUTE, midnight - MINUTE, midnight];
    const sent = times.map((at, index) => sample(at, { a: [index, 0] }));
    const day = Date.parse("2026-03-02") / DAY;
    expect(countTraffic(null, sent, "Asia/Shanghai", midnight)?.days).toEqual({ [day - 1]: [1, 0], [day]: [1, 0] });
  });

  it("of interfaces with names of JavaScript's objects is counted, and at most 32 absent ones are kept", () => {
    const names = ["__proto__", "constructor", "toString"];
    const all = (rx: number) => JSON.parse(`{${names.map((name) => `"${name}":[${rx},0]`).join(",")}}`);
    const state = count([all(1)], [all(3)]);
    expect(sumOf(state)).toEqual([6, 0]);
    expect(Object.keys(state?.counters ?? {})).toEqual(names);
    const many = Array.from({ length: 100 }, (_, index): [Record<string, Bytes>] => [{ [`veth${index}`]: [1, 1] }]);
    expect(Object.keys(count(...many)?.counters ?? {})).toHaveLength(33);
  });

  it("beyond exact numbers stays at the greatest one, in whole bytes", () => {
    const state = count([{ a: [0, 0.5] }], [{ a: [2 ** 60, 3.7] }]);
    expect(sumOf(state)).toEqual([Number.MAX_SAFE_INTEGER, 3]);
  });
});

type Step = {
  kind: "transfer" | "sample" | "restart" | "recreate" | "unplug" | "report" | "race" | "repeat";
  bytes: number;
  which: number;
};

/** A machine with two interfaces and an agent; tests compare with its true traffic. */
const createMachine = (wraps: boolean) => {
  const counters = new Map<string, Bytes>([
    ["eth0", [5000, 70]],
    ["eth1", [2 ** 32 - 5, 100]],
  ]);
  const shown = new Map(counters);
  let [boot, at, truth, isRestarted]: [number, number, Bytes, boolean] = [1, NOW - DAY, [0, 0], false];
  const [absent, recreated] = [new Set<string>(), new Set<string>()];
  const pending = new Map<string, Bytes>();
  const names = [...counters.keys()];
  const wrap = (value: number) => (wraps ? value % 2 ** 32 : value);
  return {
    truth: () => truth,
    now: () => at,
    transfer: (which: number, bytes: number) => {
      const name = names[which % 2] as string;
      const [rx, tx] = counters.get(name) as Bytes;
      const [moreRx, moreTx] = pending.get(name) ?? [0, 0];
      // 32-bit counters are read before they wrap twice, and a new interface's before they reach the old values.
      if ((wraps && moreRx + bytes >= 2 ** 32) || recreated.has(name)) return;
      counters.set(name, [wrap(rx + bytes), wrap(tx + which)]);
      pending.set(name, [moreRx + bytes, moreTx + which]);
    },
    restart: () => {
      boot++;
      isRestarted = true;
      recreated.clear();
      for (const name of names) counters.set(name, [0, 0]);
      pending.clear();
    },
    /** Only seen by counters that are smaller than before. */
    recreate: (which: number) => {
      const name = names[which % 2] as string;
      const [rx, tx] = shown.get(name) as Bytes;
      if (wraps || absent.has(name) || isRestarted || rx < 1 || tx < 1) return;
      counters.set(name, [rx - 1, tx - 1]);
      pending.set(name, [rx - 1, tx - 1]);
      recreated.add(name);
    },
    unplug: (which: number) => {
      const name = names[which % 2] as string;
      if (!absent.delete(name)) absent.add(name);
    },
    sample: () => {
      at += MINUTE;
      const present = names.filter((name) => !absent.has(name));
      for (const name of present) {
        const [rx, tx] = pending.get(name) ?? [0, 0];
        truth = [truth[0] + rx, truth[1] + tx];
        pending.delete(name);
        recreated.delete(name);
        shown.set(name, counters.get(name) as Bytes);
      }
      if (present.length > 0) isRestarted = false;
      const interfaces = Object.fromEntries(present.map((name) => [name, counters.get(name) as Bytes]));
      return sample(at, interfaces, { boot: `${boot}`, wraps });
    },
  };
};

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom(
      "transfer",
      "transfer",
      "sample",
      "sample",
      "restart",
      "recreate",
      "unplug",
      "report",
      "race",
      "repeat",
    ),
    bytes: fc.oneof(fc.nat(5000), fc.nat(2 ** 32 - 1)),
    which: fc.nat(9),
  }),
  { maxLength: 60 },
);

it("sums equal the truth of the counters over random starts, wraps, resets, absent interfaces and repeated reports", () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (sequence, wraps) => {
      const machine = createMachine(wraps);
      let state = countTraffic(null, [machine.sample()], "Europe/Berlin", machine.now());
      let queue: ReturnType<typeof machine.sample>[] = [];
      let sent: typeof queue = [];
      const deliver = (samples: typeof queue, from = state) => {
        const next = countTraffic(from, samples, "Europe/Berlin", machine.now());
        // Like the SQL statement, ignores results from an older state.
        if (next && state && next.revision > state.revision) state = next;
      };
      for (const { kind, bytes, which } of sequence) {
        if (kind === "transfer") machine.transfer(which, bytes);
        if (kind === "restart") machine.restart();
        if (kind === "recreate") machine.recreate(which);
        if (kind === "unplug") machine.unplug(which);
        if (kind === "sample") queue.push(machine.sample());
        if (kind === "repeat") deliver(sent);
        if (kind === "report" || kind === "race") {
          const before = state;
          deliver(queue);
          // The other instance gets the same report, and computes from the same state.
          if (kind === "race") deliver(queue, before);
          [sent, queue] = [queue, []];
        }
      }
      deliver(queue);
      expect(sumOf(state)).toEqual(machine.truth());
    }),
    { numRuns: 2000 },
  );
});
