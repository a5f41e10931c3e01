import { expect, test } from "bun:test";
import {
  clampPercent,
  formatAgo,
  formatBytes,
  formatDateTime,
  formatDay,
  formatDays,
  formatDuration,
  formatElapsed,
  formatElapsedBetween,
  formatInZone,
  formatList,
  formatMilliseconds,
  formatMoment,
  formatMomentRange,
  formatNames,
  formatPercent,
  formatRate,
  formatSeconds,
  formatShare,
  formatShortRate,
  formatSize,
  formatUptime,
  resourceLevel,
} from "./format";

test("a percentage is limited to 0–100 and has two decimals", () => {
  expect(formatPercent("en-US", 120)).toBe("100.00%");
  expect(formatPercent("en-US", -3)).toBe("0.00%");
  expect(formatPercent("zh-CN", 97.4183)).toBe("97.42%");
  expect(formatPercent("en-US", null)).toBe("–");
});

test("a percentage just below 100 is not rounded to 100", () => {
  expect(clampPercent(99.9999)).toBe(99.99);
  expect(formatPercent("en-US", 99.996)).toBe("99.99%");
});

test("response times below 10 ms have one decimal, longer ones none", () => {
  expect(formatMilliseconds("en-US", 3.14)).toBe("3.1 ms");
  expect(formatMilliseconds("en-US", 1234.5)).toBe("1,235 ms");
  expect(formatMilliseconds("en-US", null)).toBe("–");
});

test("a duration has at most two units", () => {
  expect(formatDuration("en-US", 90)).toBe("1 minute 30 seconds");
  expect(formatDuration("en-US", 90_061)).toBe("1 day 1 hour");
  expect(formatDuration("en-US", 0)).toBe("0 seconds");
  expect(formatDuration("zh-CN", 60)).toBe("1 分钟");
  expect(formatElapsed("zh-CN", 9_960)).toBe("2 小时 46 分钟");
});

test("a duration between two bounds is never zero", () => {
  expect(formatElapsedBetween("en-US", 0, 0.4)).toBe("< 1 s");
  expect(formatElapsedBetween("zh-CN", 0, 0)).toBe("< 1 秒");
  expect(formatElapsedBetween("en-US", 3, 3)).toBe("3 s");
  expect(formatElapsedBetween("en-US", 180, 240)).toBe("3–4 min");
});

test("interval and timeout are shown in seconds, as they are specified", () => {
  expect(formatSeconds("en-US", 60)).toBe("60 s");
  expect(formatSeconds("zh-CN", 60)).toBe("60 秒");
  expect(formatSeconds("en-US", 86_400)).toBe("86,400 s");
});

test("times have 24 hours and dates one form in each language, also for a moment, a day and a time zone", () => {
  const evening = new Date(2026, 10, 21, 22, 11, 36).getTime();
  expect(formatDateTime("en-US", evening)).toBe("Nov 21, 2026, 22:11:36");
  expect(formatDay("en-US", evening)).toBe("Nov 21, 2026");
  expect(formatDay("zh-CN", evening)).toBe("2026年11月21日");
  expect(formatDays("en-US", "2026-11-21T12:00:00", "2026-11-27T12:00:00")).toBe("Nov 21–27, 2026");
  expect(formatDays("zh-CN", "2026-11-21T12:00:00", "2026-11-27T12:00:00")).toBe("2026年11月21日–27日");
  expect(formatDays("en-US", "2026-10-30T12:00:00", "2026-11-05T12:00:00")).toBe("Oct 30 – Nov 5, 2026");
  expect(formatDays("zh-CN", "2026-10-30T12:00:00", "2026-11-05T12:00:00")).toBe("2026年10月30日–11月5日");
  expect(formatDays("en-US", "2025-12-31T12:00:00", "2026-01-01T12:00:00")).toBe("Dec 31, 2025 – Jan 1, 2026");
  expect(formatDays("en-US", "2026-11-27T12:00:00", "2026-11-27T12:00:00")).toBe("Nov 27, 2026");
  expect(formatInZone("en-US", Date.UTC(2026, 10, 21, 22, 11), "UTC")).toBe("Sat, Nov 21, 22:11");
  expect(formatInZone("zh-CN", Date.UTC(2026, 10, 21, 22, 11), "UTC")).toBe("11月21日周六 22:11");
  expect(formatDateTime("zh-CN", evening)).toBe("2026年11月21日 22:11:36");
});

test("a moment of today is its hour and minute, an earlier one has its day", () => {
  const now = new Date(2026, 10, 21, 22, 11, 36).getTime();
  expect(formatMoment("en-US", new Date(2026, 10, 21, 3, 59).getTime(), now)).toBe("03:59");
  expect(formatMoment("en-US", new Date(2026, 10, 20, 23, 59).getTime(), now)).toBe("Nov 20, 23:59");
  expect(formatMoment("zh-CN", new Date(2026, 10, 20, 0, 5).getTime(), now)).toBe("11月20日 00:05");
  const [day, minutes] = [new Date(2026, 10, 20, 23, 59).getTime(), (count: number) => count * 60_000];
  expect(formatMomentRange("en-US", day, day + 59_000, now)).toBe("Nov 20, 23:59");
  expect(formatMomentRange("en-US", day - minutes(1), day, now)).toBe("Nov 20, 23:58–23:59");
  expect(formatMomentRange("zh-CN", day, day + minutes(1), now)).toBe("11月20日 23:59–00:00");
});

test("relative times are in the language of the locale", () => {
  const now = Date.parse("2026-01-01T12:00:00Z");
  expect(formatAgo("en-US", now - 120_000, now)).toBe("2 minutes ago");
  expect(formatAgo("en-US", now + 3 * 86_400_000, now)).toBe("in 3 days");
  expect(formatAgo("zh-CN", now - 3_600_000, now)).toBe("1 小时前");
});

test("an uptime is in days, hours and minutes", () => {
  expect(formatUptime("en-US", 93_784)).toBe("1 day 2 hours 3 minutes");
  expect(formatUptime("en-US", 2 * 86_400 + 59)).toBe("2 days");
  expect(formatUptime("zh-CN", 93_784)).toBe("1 天 2 小时 3 分钟");
  expect(formatUptime("en-US", 59)).toBe("0 minutes");
});

const gigabyte = 1024 ** 3;

test("used and total bytes share the unit of the total", () => {
  expect(formatBytes("en-US", 3.1 * gigabyte, 15.6 * gigabyte)).toEqual(["3.1", "15.6 GB"]);
  expect(formatBytes("en-US", 0.5 * gigabyte, 2048 * gigabyte)).toEqual(["0", "2 TB"]);
  expect(formatBytes("en-US", 100, 999)).toEqual(["100", "999 B"]);
  expect(formatBytes("en-US", 0, 0)).toEqual(["0", "0 B"]);
});

test("no size reaches 1,000 of its unit", () => {
  const megabyte = 1024 ** 2;
  expect([999.9, 999.96, 1003.6].map((size) => formatSize("en-US", size * megabyte))).toEqual([
    "999.9 MB",
    "1 GB",
    "1 GB",
  ]);
  expect(formatSize("en-US", 1500 * 1024 ** 5)).toBe("1,500 PB");
});

test("a rate changes its unit at 1,000, in a narrow column without decimals of KB/s", () => {
  expect(formatRate("en-US", 51.2)).toBe("51.2 KB/s");
  expect(formatRate("en-US", 0)).toBe("0 KB/s");
  expect(formatRate("en-US", 1003.6)).toBe("1 MB/s");
  expect(formatRate("en-US", 1_536_000)).toBe("1.5 GB/s");
  expect(formatRate("zh-CN", null)).toBe("–");
  const short = [0, 20.5, 999.4, 999.96, 1536, null].map((rate) => formatShortRate("en-US", rate));
  expect(short.map((text) => text.replace("\u00a0", " "))).toEqual([
    "0 KB/s",
    "21 KB/s",
    "999 KB/s",
    "1 MB/s",
    "1.5 MB/s",
    "–",
  ]);
});

test("a share has one decimal", () => {
  expect(formatShare("en-US", 42.567)).toBe("42.6%");
  expect(formatShare("en-US", null)).toBe("–");
});

test("the level of a resource is green below 50 %, amber below 75 %, otherwise red", () => {
  expect([0, 49.9, 50, 74.9, 75, 100].map(resourceLevel)).toEqual(["green", "green", "amber", "amber", "red", "red"]);
});

test("names that no word joins have the comma of the language between them", () => {
  expect(formatNames("zh-CN", ["网站", "CSV"])).toBe("网站、CSV");
  expect(formatNames("en-US", ["A", "B"])).toBe("A, B");
});

test("a Chinese list has spaces between its last word and Latin letters", () => {
  expect(formatList("zh-CN", ["Uptime Kuma", "Statuspage", "CSV"])).toBe("Uptime Kuma、Statuspage 和 CSV");
  expect(formatList("zh-CN", ["网站", "CSV"])).toBe("网站和 CSV");
  expect(formatList("zh-CN", ["网站", "接口"])).toBe("网站和接口");
  expect(formatList("en-US", ["A", "B", "C"])).toBe("A, B, and C");
});
