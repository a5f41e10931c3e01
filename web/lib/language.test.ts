import "../testing/test-dom";

import { afterEach, expect, test } from "bun:test";
import { announceLanguage, preferredLanguage } from "./language";

afterEach(() => localStorage.clear());

test("the preferred language is the stored one, then the browser's, then Chinese", () => {
  expect(preferredLanguage(["fr-FR", "en-GB"])).toBe("en-US");
  expect(preferredLanguage(["zh-TW", "en"])).toBe("zh-CN");
  expect(preferredLanguage(["fr"])).toBe("zh-CN");
  expect(preferredLanguage([])).toBe("zh-CN");
  announceLanguage("en-US");
  expect(preferredLanguage(["zh-CN"])).toBe("en-US");
  localStorage.setItem("i18nextLng", "xx");
  expect(preferredLanguage(["fr"])).toBe("zh-CN");
});

test("the language of the page is named in the document", () => {
  announceLanguage("zh-CN");
  expect(document.documentElement.lang).toBe("zh-CN");
  announceLanguage("en-US");
  expect(document.documentElement.lang).toBe("en-US");
});
