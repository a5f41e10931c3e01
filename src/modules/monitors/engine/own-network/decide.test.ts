import { expect, it } from "bun:test";
import { START } from "../../../../testing/clock";
import { decide, HOLD, type Observed, type Verdict } from "./decide";

/** A hub with many networks after the first round: three fail, and none was reached since. */
const SUSPECT: Observed = {
  since: START,
  answered: false,
  everReached: true,
  onlyNames: false,
  networks: 20,
  failing: 3,
  gateway: "answers",
  nameServers: "answers",
  channels: "unknown",
  rounds: 1,
};
const AGAIN = { rounds: 2 };
const SMALL = { networks: 2, failing: 2 };
const ALL_SILENT = { gateway: "silent", nameServers: "silent", channels: "silent" } as const;

const table: [what: string, observed: Partial<Observed>, verdict: Verdict, afterAMinute?: Verdict][] = [
  ["nothing was asked yet", { rounds: 0 }, "open"],
  ["two of many networks fail", { failing: 2 }, "targets"],
  ["three fail, and everything near the hub answers", {}, "open", "targets"],
  ["the same in the next round", { ...AGAIN }, "targets"],
  ["three fail, and the gateway is silent", { gateway: "silent" }, "open", "own"],
  ["the same in the next round", { gateway: "silent", ...AGAIN }, "own"],
  ["a channel's host answers while all else is silent", { ...ALL_SILENT, channels: "answers", ...AGAIN }, "targets"],
  ["the gateway answers while the provider is down", { nameServers: "silent", channels: "silent", ...AGAIN }, "own"],
  ["the same without channels", { nameServers: "silent", ...AGAIN }, "own"],
  ["name servers answer for unknown names, and no channel is to be asked", { ...AGAIN }, "targets"],
  [
    "name servers answer, but no channel's host does, as behind a captive portal",
    { channels: "silent", ...AGAIN },
    "open",
    "own",
  ],
  ["there is nothing to be asked", { gateway: "unknown", nameServers: "unknown", ...AGAIN }, "open", "own"],
  ["answers everywhere are wrong, and nothing else is silent", { answered: true }, "targets"],
  [
    "answers everywhere are wrong, and no channel's host is who it should be",
    { answered: true, channels: "silent", ...AGAIN },
    "open",
    "own",
  ],
  ["a small hub's target answers wrongly", { ...SMALL, ...ALL_SILENT, answered: true, rounds: 0 }, "targets"],
  ["a small hub's targets fail while gateway and name servers answer", SMALL, "targets"],
  ["a small hub's gateway is silent", { ...SMALL, gateway: "silent", ...AGAIN }, "own"],
  ["a small hub's name servers are silent", { ...SMALL, nameServers: "silent", ...AGAIN }, "own"],
  ["a small hub can ask nothing", { ...SMALL, gateway: "unknown", nameServers: "unknown" }, "targets"],
  [
    "a small hub can ask nothing, and never reached anything",
    { ...SMALL, gateway: "unknown", nameServers: "unknown", everReached: false },
    "open",
    "targets",
  ],
  ["a small hub never reached anything, but its name servers answer", { ...SMALL, everReached: false }, "targets"],
  ["only names fail, and the name servers answer truthfully", { onlyNames: true, ...AGAIN }, "targets"],
  ["only names fail, and the name servers lie", { onlyNames: true, nameServers: "silent" }, "open", "names"],
  ["the same in the next round", { onlyNames: true, nameServers: "silent", ...AGAIN }, "names"],
  [
    "only names fail, with wrong answers, and the name servers lie",
    { onlyNames: true, answered: true, nameServers: "silent", ...AGAIN },
    "names",
  ],
  [
    "only names fail, and no name server ever answered",
    { onlyNames: true, nameServers: "unknown", ...AGAIN },
    "targets",
  ],
  [
    "nothing was ever reached since the start, and all fail",
    { nameServers: "unknown", channels: "silent", everReached: false, ...AGAIN },
    "own",
  ],
];

it.each(table)("the verdict when %s", (_, observed, verdict, afterAMinute = verdict) => {
  expect(decide({ ...SUSPECT, ...observed }, START)).toBe(verdict);
  expect(decide({ ...SUSPECT, ...AGAIN, ...observed, ...(observed.rounds !== 0 && { rounds: 9 }) }, START + HOLD)).toBe(
    observed.rounds === 0 ? verdict : afterAMinute,
  );
});

it("a verdict is not held longer because the clock was set back", () => {
  const conflicting = { ...SUSPECT, ...AGAIN, channels: "silent" } as const;
  expect(decide(conflicting, START + 1000)).toBe("open");
  expect(decide(conflicting, START - 3_600_000)).toBe("own");
});
