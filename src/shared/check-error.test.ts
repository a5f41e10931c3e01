import { expect, test } from "bun:test";
import { explain, reasonOf } from "./check-error";

test("the first word tells the reason, whatever follows it", () => {
  expect(reasonOf("status: 503, expected 2xx")).toBe("status");
  expect(reasonOf("timeout: no complete answer within 30 s")).toBe("timeout");
  expect(reasonOf("dns")).toBe("dns");
});

test("an unknown word is no reason of ours", () => {
  expect(reasonOf("statuses")).toBeUndefined();
  expect(reasonOf("")).toBeUndefined();
});

test("Chinese says why, with the figures", () => {
  expect(explain("status 503, expected 2xx", "zh-CN")).toBe("状态码 503，期望 2xx");
  expect(explain("timeout: no complete answer within 30 s", "zh-CN")).toBe("30 秒内没有收到完整响应");
  expect(explain("redirects: more than 10 in a row", "zh-CN")).toBe("连续重定向超过 10 次");
});

test("a detail without a sentence of its own stays, behind the word for its reason", () => {
  expect(explain("tls: the handshake was cut off", "zh-CN")).toBe("证书或加密连接有问题（the handshake was cut off）");
  expect(explain("refused", "zh-CN")).toBe("连接被拒绝");
  expect(explain("something else", "zh-CN")).toBe("something else");
});

test("English stays as checks write it", () => {
  expect(explain("status 503, expected 2xx", "en-US")).toBe("status 503, expected 2xx");
});
