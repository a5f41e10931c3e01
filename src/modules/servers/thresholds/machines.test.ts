import { expect, it } from "bun:test";
import type { AlarmState, KnownMachine } from "../../../shared/agents/thresholds";
import { DAY, MINUTE } from "../../../shared/limits";
import { START } from "../../../testing/clock";
import { evaluateMachines } from "./machines";

const machines: Record<string, KnownMachine> = {
  A: { hostname: "web-1", boot: "a", address: "10.0.0.1" },
  B: { hostname: "web-1-clone", boot: "b", address: "10.0.0.2" },
  a: { hostname: "web-1", boot: "a2", address: "10.0.0.1" },
  C: { hostname: "web-1", boot: "c", address: "10.0.0.3" },
  "?": { hostname: "web-1" },
};

/** Plays reports, a time apart, of machines. Gives what began (+) and ended (-). */
const play = (story: string, apart = MINUTE): string => {
  let states: AlarmState[] = [];
  let previous = machines[story[0] ?? ""] as KnownMachine;
  return [...story]
    .map((name, index) => {
      const machine = machines[name] as KnownMachine;
      const { alarms, changes } = evaluateMachines(states, {
        ...{ machine, previous, interval: 60 },
        now: START + index * apart,
      });
      states = alarms;
      previous = machine;
      return changes
        .map(({ begins, event }) => (begins ? `+${index} ${event?.machines?.join(" ")}` : `-${index}`))
        .join();
    })
    .filter(Boolean)
    .join(" ");
};

it("machines that report in turn with one key are noticed, until only one of them reports for an hour", () => {
  expect(play("AABABABA")).toBe("+4 web-1 web-1-clone");
  expect(play(`ABAB${"B".repeat(70)}`)).toBe("+3 web-1 web-1-clone -63");
  expect(play("ACACAC")).toBe("+3 web-1 (10.0.0.1) web-1 (10.0.0.3)");
  expect(play("A?BAC?BA")).toBe("+6 web-1 web-1-clone");
});

it("a restart, a new name, another installation, a restored snapshot and a report without counters are no second machine", () => {
  for (const story of ["AAaaaa", "AABBBB", "AaBC", "AAABBAAA", "A?A?A?A?", "AaAAAA"])
    expect([story, play(story)]).toEqual([story, ""]);
  expect(play("ABABABAB", DAY)).toBe("");
});
