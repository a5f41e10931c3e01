import { expect, test } from "bun:test";
import { formatBytes, formatRate, formatShare } from "./format-size";

const gigabyte = 1024 ** 3;

test("used and total share the unit of the total", () => {
  expect(formatBytes("en-US", 3.1 * gigabyte, 15.6 * gigabyte)).toEqual(["3.1", "15.6 GB"]);
  expect(formatBytes("en-US", 0.5 * gigabyte, 2048 * gigabyte)).toEqual(["0", "2 TB"]);
  expect(formatBytes("en-US", 100, 1023)).toEqual(["100", "1,023 B"]);
  expect(formatBytes("en-US", 0, 0)).toEqual(["0", "0 B"]);
});

test("rates turn from KB/s to MB/s at 1,024", () => {
  expect(formatRate("en-US", 51.2)).toBe("51.2 KB/s");
  expect(formatRate("en-US", 1023.94)).toBe("1,023.9 KB/s");
  expect(formatRate("en-US", 1024)).toBe("1 MB/s");
  expect(formatRate("en-US", 1_536_000)).toBe("1,500 MB/s");
  expect(formatRate("zh-CN", null)).toBe("–");
});

test("shares keep one decimal", () => {
  expect(formatShare("en-US", 42.567)).toBe("42.6%");
  expect(formatShare("en-US", null)).toBe("–");
});
