import { expect, test } from "bun:test";
import { CHECK_ERROR_CODES, checkError, checkErrorMessage, checkErrorText, timeoutError } from "./check-error";
import { LANGUAGES, type Language } from "./language";

/** A value for each parameter of any code. */
const DETAIL = { actual: 503, expected: "2xx", seconds: 30, limit: 10 };

test.each(CHECK_ERROR_CODES)("%s has its own text in each language, with the same parameters", (code) => {
  const texts = LANGUAGES.map((language) => checkErrorText({ code, detail: DETAIL }, language));
  for (const [index, language] of LANGUAGES.entries()) {
    const text = texts[index] as string;
    expect(text).not.toMatch(/[{}]|undefined/);
    expect(text).not.toBe(code);
    const same = CHECK_ERROR_CODES.filter(
      (other) => checkErrorText({ code: other, detail: DETAIL }, language) === text,
    );
    expect(same).toEqual([code]);
    expect(/\p{Script=Han}/u.test(text)).toBe(language === "zh-CN");
  }
  const figures = (text = "") => (text.match(/\b\d+(xx)?/g) ?? []).toSorted();
  expect(figures(texts[0])).toEqual(figures(texts[1]));
});

test("the English message of the API starts with the stable word of the code", () => {
  expect(checkErrorMessage(checkError("status", { actual: 503, expected: "2xx" }))).toBe("status 503, expected 2xx");
  expect(checkErrorMessage(checkError("timeout", { seconds: 30 }))).toBe("timeout: no complete answer within 30 s");
  expect(checkErrorMessage(checkError("tls_expired"))).toBe("tls: the certificate has expired");
  const words = CHECK_ERROR_CODES.map((code) => /^[a-z]+/.exec(checkErrorMessage({ code, detail: DETAIL }))?.[0]);
  expect([...new Set(words)].toSorted()).toEqual([
    "backup",
    "blocked",
    "body",
    "budget",
    "certificate",
    "dns",
    "domain",
    "grpc",
    "header",
    "heartbeat",
    "imported",
    "invalid",
    "json",
    "keyword",
    "ping",
    "protocol",
    "redirects",
    "refused",
    "reply",
    "reset",
    "slow",
    "status",
    "timeout",
    "tls",
    "unexpected",
    "unreachable",
    "websocket",
  ]);
});

test("downtime of more than twice what an objective allows is a multiple of it", () => {
  const text = (used: number, language: Language = "en-US") =>
    checkErrorText(checkError("budget_spent", { target: 99.9, used }), language);
  expect(text(115)).toBe("115% of the downtime that 99.9% allows");
  expect(text(1284)).toBe("12.8 times the downtime that 99.9% allows");
  expect(text(1284, "zh-CN")).toBe("停机已达允许值的 12.8 倍（目标 99.9%）");
  expect(text(150_000)).toBe("1,500 times the downtime that 99.9% allows");
});

test("a timeout is described by the phase that the check was in, and its code and first word stay the same", () => {
  const texts = (["dns", "connect", "tls", "first_byte", "download"] as const).map((phase) => {
    const error = timeoutError(10, phase);
    expect(error).toEqual({ code: "timeout", detail: { seconds: 10, phase } });
    return [checkErrorMessage(error), checkErrorText(error, "zh-CN")];
  });
  expect(texts).toEqual([
    ["timeout: the name was not resolved within 10 s", "10 秒内没有解析出域名"],
    ["timeout: no connection within 10 s", "10 秒内未能建立连接"],
    ["timeout: connected, but no TLS handshake within 10 s", "已建立连接，但 10 秒内没有完成 TLS 握手"],
    ["timeout: connected, but no answer within 10 s", "已建立连接，但 10 秒内没有收到响应"],
    ["timeout: answered, but not completely within 10 s", "已收到部分响应，但 10 秒内没有收完"],
  ]);
  expect(checkErrorMessage(timeoutError(10))).toBe("timeout: no complete answer within 10 s");
});

test("the Chinese texts contain the parameters", () => {
  expect(checkErrorText(checkError("status", { actual: 503, expected: "2xx" }), "zh-CN")).toBe("状态码 503，期望 2xx");
  expect(checkErrorText(checkError("timeout", { seconds: 30 }), "zh-CN")).toBe("30 秒内没有收到完整响应");
  expect(checkErrorText(checkError("redirects_too_many", { limit: 10 }), "zh-CN")).toBe("连续重定向超过 10 次");
});

test("a common error of a service is named in plain words with its code, and any other by its code", () => {
  const text = (code: string) =>
    checkErrorText(checkError("protocol_error", { protocol: "PostgreSQL", code }), "zh-CN");
  expect(text("57P03")).toBe("PostgreSQL 服务器正在启动或关闭（57P03）");
  expect(text("XX000")).toBe("PostgreSQL 服务器返回错误 XX000");
});

test("an error is stored with the parameters of its text, or null without any", () => {
  expect(checkError("timeout", { seconds: 7 })).toEqual({ code: "timeout", detail: { seconds: 7 } });
  expect(checkError("refused")).toEqual({ code: "refused", detail: null });
});

test("an unknown code of a newer version is rendered as the code itself", () => {
  expect(checkErrorText({ code: "quic_failed" as never, detail: null }, "zh-CN")).toBe("quic_failed");
});
