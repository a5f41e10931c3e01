import { expect, test } from "bun:test";
import { LANGUAGES } from "./language";
import { DELIVERY_ERROR_CODES, deliveryError, deliveryErrorText } from "./notifications";

/** A value for each parameter of any code. */
const DETAIL = { status: 403, reply: "stopped by the user", seconds: 10, cause: "ECONNREFUSED", type: "pager" };

test.each(DELIVERY_ERROR_CODES)("%s has a text in each language, with the same parameters", (code) => {
  const texts = LANGUAGES.map((language) => deliveryErrorText({ code, detail: DETAIL }, language));
  for (const text of texts) {
    expect(text).not.toMatch(/[{}]|undefined/);
    expect(text).not.toBe(code);
  }
  const used = (text = "") => Object.values(DETAIL).filter((value) => text.includes(String(value)));
  expect(used(texts[0])).toEqual(used(texts[1]));
  expect(new Set(texts).size).toBe(LANGUAGES.length);
});

test("an answer without a reason is rendered in the reader's language", () => {
  expect(deliveryErrorText(deliveryError("rejected", { status: 503 }), "en-US")).toBe("503: no reason given");
  expect(deliveryErrorText(deliveryError("rejected", { status: 503 }), "zh-CN")).toBe("503：未说明原因");
});

test("the provider's own words are not expanded or translated", () => {
  const error = deliveryError("rejected", { status: 400, reply: "{status} no answer to that" });
  expect(deliveryErrorText(error, "zh-CN")).toBe("400：{status} no answer to that");
});
