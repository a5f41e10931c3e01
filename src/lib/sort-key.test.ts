import { expect, it } from "bun:test";
import { sortKey } from "./sort-key";

const sorted = (...names: string[]) =>
  names.toSorted((a, b) => Buffer.compare(Buffer.from(sortKey(a)), Buffer.from(sortKey(b))));

it("sort keys order numbers by value", () => {
  expect(sorted("Web 10", "Web 2", "Web 02b", "Web", "Web 123456789", "Web 99")).toEqual([
    "Web",
    "Web 2",
    "Web 02b",
    "Web 10",
    "Web 99",
    "Web 123456789",
  ]);
});

it("sort keys ignore case and accents", () => {
  expect(sorted("Zoo", "Äpfel", "apple", "ÖL", "Oma", "zebra")).toEqual([
    "Äpfel",
    "apple",
    "ÖL",
    "Oma",
    "zebra",
    "Zoo",
  ]);
});

it("sort keys order Chinese characters by pinyin, after letters", () => {
  expect(sorted("支付", "登录", "阿里", "官网", "API")).toEqual(["API", "阿里", "登录", "官网", "支付"]);
});
