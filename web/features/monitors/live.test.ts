import { expect, test } from "bun:test";
import type { LiveMonitor } from "../../../src/shared/live";
import type { Monitor } from "./api";
import { byMonitor, HISTORY, withListedResult, withResult } from "./live";

const monitor = {
  id: 3,
  active: true,
  status: "up",
  response_time: 10,
  last_checked: "2026-01-15T12:20:00.000Z",
  since: "2026-01-15T10:00:00.000Z",
  error_code: null,
  error_detail: null,
  unknown: null,
  history: [],
} as unknown as Monitor;

const down: LiveMonitor = {
  id: 3,
  status: "down",
  response_time: null,
  last_checked: "2026-01-15T12:21:00.000Z",
  since: "2026-01-15T12:21:00.000Z",
  error_code: "timeout",
  error_detail: { seconds: 20 },
};

test("a result that is not newer than what is shown changes nothing", () => {
  expect(withResult(monitor, undefined)).toBe(monitor);
  expect(withResult(monitor, { ...down, last_checked: "2026-01-15T12:20:00.000Z" })).toBe(monitor);
});

test("a newer result sets the status, since when it holds, and the error", () => {
  const after = withResult(monitor, down);
  expect(after).toMatchObject({ status: "down", since: down.last_checked, error_code: "timeout" });
  const later = withResult(after, { ...down, since: undefined as never, last_checked: "2026-01-15T12:22:00.000Z" });
  expect(later.since).toBe(down.last_checked);
  const { error_code: _, error_detail: __, ...up } = { ...down, status: "up" as const };
  expect(withResult(later, { ...up, last_checked: "2026-01-15T12:23:00.000Z" })).toMatchObject({
    status: "up",
    error_code: null,
    error_detail: null,
  });
});

test("a ping makes known what one that may have been lost left unknown; what the hub can't know is unknown since then", () => {
  const unknown = { since: "2026-01-15T12:19:00.000Z", reason: "ping_possibly_lost" } as const;
  expect(withResult({ ...monitor, unknown }, down).unknown).toBeNull();
  const offline = { ...unknown, reason: "hub_offline" } as const;
  expect(withResult({ ...monitor, unknown: offline }, down).unknown).toMatchObject({ since: down.last_checked });
});

test("a paused monitor stays paused after a manual check", () => {
  const paused = { ...monitor, active: false, status: "paused" as const };
  expect(withResult(paused, { ...down, status: "paused" })).toMatchObject({ status: "paused", response_time: null });
});

test("a result becomes the last of the listed history, which keeps its length", () => {
  const one = withListedResult(monitor, down);
  expect(one.history).toEqual([
    {
      ...{ id: Date.parse(down.last_checked), monitor_id: 3, status: "down" },
      ...{ timestamp: down.last_checked, response_time: null },
    },
  ]);
  const full = { ...monitor, history: Array.from({ length: HISTORY }, () => one.history[0]!) };
  expect(withListedResult(full, down).history).toHaveLength(HISTORY);
});

test("only the newest result of each monitor counts", () => {
  const later = { ...down, last_checked: "2026-01-15T12:22:00.000Z" };
  expect([...byMonitor([down, later]).values()]).toEqual([later]);
});
