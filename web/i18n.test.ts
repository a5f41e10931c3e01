import "./testing/test-dom";

import { expect, test } from "bun:test";
import { detectLanguage } from "./i18n";
import { enUS } from "./locales/en-US";
import { zhCN } from "./locales/zh-CN";

test("detectLanguage prefers the stored language, then the browser's, then Chinese", () => {
  expect(detectLanguage("en-US", ["zh-CN"])).toBe("en-US");
  expect(detectLanguage(null, ["fr-FR", "en-GB"])).toBe("en-US");
  expect(detectLanguage(null, ["zh-TW", "en"])).toBe("zh-CN");
  expect(detectLanguage("xx", ["fr"])).toBe("zh-CN");
  expect(detectLanguage(null, [])).toBe("zh-CN");
});

const leaves = (words: object, path = ""): [string, string][] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${path}${key}`, value] as [string, string]] : leaves(value, `${path}${key}.`),
  );
const holes = (text: string) => [...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name).sort();

test("both locales have the same keys with the same placeholders", () => {
  const english = new Map(leaves(enUS));
  for (const [key, text] of leaves(zhCN)) {
    expect(text, key).not.toBe("");
    expect(english.get(key), key).toBeTruthy();
    expect(holes(english.get(key) ?? ""), key).toEqual(holes(text));
  }
  expect(english.size).toBe(leaves(zhCN).length);
});
