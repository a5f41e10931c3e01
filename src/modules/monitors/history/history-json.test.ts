import { expect, it } from "bun:test";
import { isoTime } from "../../../lib/time";
import { historyJson } from "./history-json";
import { encodePack, lastChecks } from "./pack";

const TIMES = [
  0,
  Date.UTC(2001, 8, 9, 1, 46, 40),
  Date.UTC(2026, 0, 15, 12, 0, 0, 7),
  Date.UTC(2026, 11, 31, 23, 59, 59, 999),
  Date.UTC(2049, 1, 28, 5, 6, 7, 80),
];

const packsOf = (outcomes: { at: number; up: boolean }[]) => ({
  pack: encodePack(
    outcomes.map(({ at, up }) => ({ checkedAt: at, up, responseTime: 5, statusCode: 200, error: null })),
  ),
  tail: null,
});
const recent = packsOf(TIMES.map((at, index) => ({ at, up: index % 2 === 0 })));

it("historyJson equals JSON.stringify", () => {
  const items = lastChecks(recent, 40).map(({ at, up }) => ({
    id: at,
    monitor_id: 12,
    status: up ? "up" : "down",
    timestamp: new Date(at).toISOString(),
  }));
  expect(JSON.parse(historyJson(12, recent, 40))).toEqual(items);
  expect(historyJson(12, recent, 2)).toBe(JSON.stringify(items.slice(-2)));
  expect(historyJson(12, { pack: null, tail: null }, 24)).toBe("[]");
});

it("historyJson writes equal and different outcomes of one day", () => {
  const morning = Date.UTC(2026, 0, 15, 0, 0, 0, 5);
  const outcomes = [0, 60_000, 61_001, 3_600_000, 36_000_000, 86_399_994, 86_399_995].map((after, index) => ({
    at: morning + after,
    up: ![2, 3].includes(index),
  }));
  const packed = packsOf(outcomes);
  const items = outcomes.map(({ at, up }) => ({
    id: at,
    monitor_id: 7,
    status: up ? "up" : "down",
    timestamp: new Date(at).toISOString(),
  }));
  expect(historyJson(7, packed, 40)).toBe(JSON.stringify(items));
});

it("isoTime equals toISOString", () => {
  for (const at of TIMES) expect(isoTime(at)).toBe(new Date(at).toISOString());
});
