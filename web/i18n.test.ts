import { expect, test } from "bun:test";
import { enUS } from "./locales/en-US";
import { statusPage as statusPageEn } from "./locales/en-US/status-page";
import { zhCN } from "./locales/zh-CN";
import { statusPage as statusPageZh } from "./locales/zh-CN/status-page";

const leaves = (words: object, path = ""): [string, string][] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${path}${key}`, value] as [string, string]] : leaves(value, `${path}${key}.`),
  );
const holes = (text: string) => [...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name).sort();

test("both locales have the same keys with the same placeholders", () => {
  const chinese = leaves({ ...zhCN, statusPage: statusPageZh });
  const english = new Map(leaves({ ...enUS, statusPage: statusPageEn }));
  for (const [key, text] of chinese) {
    expect(text, key).not.toBe("");
    expect(english.get(key), key).toBeTruthy();
    expect(holes(english.get(key) ?? ""), key).toEqual(holes(text));
  }
  expect(english.size).toBe(chinese.length);
});
