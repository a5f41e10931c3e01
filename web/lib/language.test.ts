import "../testing/test-dom";

import { beforeEach, expect, test } from "bun:test";
import { announceLanguage, preferredLanguage } from "./language";

beforeEach(() => localStorage.clear());

test("the preferred language is the stored one, then the browser's, then the installation's", () => {
  expect(preferredLanguage("zh-CN", ["fr-FR", "en-GB"])).toBe("en-US");
  expect(preferredLanguage("en-US", ["zh-TW", "en"])).toBe("zh-CN");
  expect(preferredLanguage("zh-CN", ["fr"])).toBe("zh-CN");
  expect(preferredLanguage("en-US", ["fr"])).toBe("en-US");
  expect(preferredLanguage("en-US", [])).toBe("en-US");
  announceLanguage("en-US");
  expect(preferredLanguage("zh-CN", ["zh-CN"])).toBe("en-US");
  localStorage.setItem("i18nextLng", "xx");
  expect(preferredLanguage("zh-CN", ["fr"])).toBe("zh-CN");
});

test("the language of the page is named in the document", () => {
  announceLanguage("zh-CN");
  expect(document.documentElement.lang).toBe("zh-CN");
  announceLanguage("en-US");
  expect(document.documentElement.lang).toBe("en-US");
});
