import { expect, test } from "bun:test";
import { findLanguage } from "../../shared/language";
import { acceptedLanguage } from "./accepted-language";

test.each([
  ["en", "en-US"],
  ["en-GB,en;q=0.9", "en-US"],
  ["zh-TW, zh;q=0.8, en;q=0.5", "zh-CN"],
  ["fr-FR, fr;q=0.9, en;q=0.8, zh;q=0.7", "en-US"],
  ["zh;q=0.2, en;q=0.9", "en-US"],
  ["zh ; q = 0.2 , EN ; Q = 0.9", "en-US"],
  ["en;q=0, zh;q=0.1", "zh-CN"],
  ["zh_CN.UTF-8", "zh-CN"],
  ["en;q=high, zh;q=0.5", "zh-CN"],
  ["en;q=0", undefined],
  ["fr, de-DE;q=0.9, ja", undefined],
  ["*", undefined],
  ["enm, zha, english, chinese", undefined],
  [",;=,;q=1,,q=0.5,\u0001é", undefined],
  ["", undefined],
  [null, undefined],
] as const)("Accept-Language %p asks for %p", (header, language) => expect(acceptedLanguage(header)).toBe(language));

test("of a very long Accept-Language only the beginning is read", () => {
  expect(acceptedLanguage(`${"fr,".repeat(100_000)}en`)).toBeUndefined();
  expect(acceptedLanguage(`en,${"fr,".repeat(100_000)}`)).toBe("en-US");
});

test("the first supported language of a list is found by its primary subtag", () => {
  expect(findLanguage(["xx", "", "EN-gb", "zh"])).toBe("en-US");
  expect(findLanguage(["xx", "__proto__"])).toBeUndefined();
});
