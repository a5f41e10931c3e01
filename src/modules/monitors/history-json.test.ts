import { expect, it } from "bun:test";
import { emptyRecent, packRecent, RECENT_WIDTH, unpackRecent } from "../../shared/recent";
import { isoTime } from "../../shared/time";
import { historyJson } from "./history-json";

const TIMES = [
  0,
  Date.UTC(2001, 8, 9, 1, 46, 40),
  Date.UTC(2026, 0, 15, 12, 0, 0, 7),
  Date.UTC(2026, 11, 31, 23, 59, 59, 999),
  Date.UTC(2049, 1, 28, 5, 6, 7, 80),
];

const recent = TIMES.reduce(
  (packed, at, index) => packed.slice(RECENT_WIDTH) + packRecent({ at, up: index % 2 === 0 }),
  emptyRecent,
);

it("writes the history of a monitor as JSON would", () => {
  const items = unpackRecent(recent, 40).map(({ at, up }) => ({
    id: at,
    monitor_id: 12,
    status: up ? "up" : "down",
    timestamp: new Date(at).toISOString(),
  }));
  expect(JSON.parse(historyJson(12, recent, 40))).toEqual(items);
  expect(historyJson(12, recent, 2)).toBe(JSON.stringify(items.slice(-2)));
  expect(historyJson(12, emptyRecent, 24)).toBe("[]");
});

it("writes a time as ISO 8601 would", () => {
  for (const at of TIMES) expect(isoTime(at)).toBe(new Date(at).toISOString());
});
