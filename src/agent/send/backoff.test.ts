import { expect, it } from "bun:test";
import { version } from "../../build-info";
import { START, sampleAt } from "../../testing/agent-program";
import { ownPlatform } from "../machine";
import { parseRetryAfter, pauseAfter, pauseAfterUnknownKey } from "./hub-client";
import { fitToBody, reportOf } from "./send";

it("doubles the pause up to a minute", () => {
  const pauses = Array.from({ length: 12 }, (_, index) => pauseAfter(index + 1, 0, () => 1));
  expect(pauses.slice(0, 7)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000]);
  expect(pauses.at(-1)).toBe(60_000);
  expect(pauseAfter(10_000, 0, () => 1)).toBe(60_000);
});

it("adds jitter over half of each pause", () => {
  expect(pauseAfter(20, 0, () => 0)).toBe(30_000);
  const pauses = new Set(Array.from({ length: 50 }, () => pauseAfter(20)));
  expect(pauses.size).toBeGreaterThan(40);
});

it("honours Retry-After up to an hour", () => {
  expect(pauseAfter(1, 30_000, () => 0)).toBe(30_000);
  expect(pauseAfter(20, 20_000, () => 0)).toBe(30_000);
  expect(pauseAfter(1, 10 ** 9, () => 0)).toBe(3_600_000);
});

it("retries after 15 s, 30 s and 1 minute, then after 5 to 60 minutes, when the hub does not know the key", () => {
  const seconds = (random: number) =>
    [1, 2, 3, 4, 5, 6, 7, 20].map((count) => pauseAfterUnknownKey(count, () => random) / 1000);
  expect(seconds(0)).toEqual([15, 30, 60, 300, 600, 1200, 2400, 2400]);
  expect(seconds(1)).toEqual([22.5, 45, 90, 450, 900, 1800, 3600, 3600]);
});

it("parses Retry-After in seconds and as a date", () => {
  expect(parseRetryAfter("120", START)).toBe(120_000);
  expect(parseRetryAfter(new Date(START + 30_000).toUTCString(), START)).toBe(30_000);
  expect(parseRetryAfter(new Date(START - 30_000).toUTCString(), START)).toBe(0);
  for (const header of [null, "", "soon", "-5"]) expect(parseRetryAfter(header, START)).toBe(0);
});

it("fills a report up to the hub's limits", () => {
  const samples = Array.from({ length: 1440 }, (_, index) => sampleAt(index));
  expect(fitToBody(samples, 1000)).toHaveLength(1000);
  expect(fitToBody(samples, 5000)).toHaveLength(1000);
  expect(fitToBody(samples.slice(0, 3), 1000)).toHaveLength(3);
  expect(fitToBody([], 1000)).toEqual([]);
  const size = JSON.stringify(samples[0]).length + 1;
  expect(fitToBody(samples, 1000, size * 10)).toHaveLength(10);
  // A sample larger than the limit is still sent.
  expect(fitToBody(samples, 1000, 5)).toHaveLength(1);
});

it("cuts the machine's identity to the hub's limits", () => {
  const identity = {
    hostname: "",
    ip_addresses: Array(40).fill("192.0.2.1"),
    os: "x".repeat(300),
    version: "6.1",
    processors: 4,
    unreadable_disks: [],
  };
  expect(reportOf(identity, 60, [])).toEqual({
    interval: 60,
    samples: [],
    agent_version: version,
    agent_kind: "executable",
    agent_platform: ownPlatform(),
    processors: 4,
    unreadable_disks: [],
    hostname: "unnamed",
    ip_addresses: Array(16).fill("192.0.2.1"),
    os: "x".repeat(255),
    version: "6.1",
  });
});
