import { expect, it } from "bun:test";
import { explain } from "../shared/check-error";
import { failureOf } from "./errors";

const failing = (code: string) => Object.assign(new Error("x"), { code });

it("gives each cause its word", () => {
  const words: Record<string, string[]> = {
    dns: ["ENOTFOUND", "EAI_AGAIN", "DNS_ENOTFOUND", "ESERVFAIL"],
    refused: ["ECONNREFUSED", "ConnectionRefused", "EHOSTUNREACH", "ENETUNREACH"],
    reset: ["ECONNRESET", "ConnectionClosed", "EPIPE"],
    tls: ["CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "ERR_TLS_CERT_ALTNAME_INVALID", "EPROTO"],
    timeout: ["ETIMEDOUT", "Timeout"],
    invalid: ["HPE_INVALID", "Malformed_HTTP_Response", ""],
  };
  for (const [word, codes] of Object.entries(words)) {
    for (const code of codes)
      expect([code, failureOf(failing(code), { timeout: 30 }).split(":")[0]]).toEqual([code, word]);
  }
});

it("names the timeout that passed", () => {
  expect(failureOf(new DOMException("The operation timed out.", "TimeoutError"), { timeout: 7 })).toBe(
    "timeout: no complete answer within 7 s",
  );
});

it("says why a certificate is refused", () => {
  const reasons = [
    ["CERT_HAS_EXPIRED", "has expired"],
    ["CERT_NOT_YET_VALID", "not valid yet"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "self-signed"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "for another name"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "issuer is not known"],
    ["CERT_REVOKED", "revoked"],
  ];
  for (const [code = "", reason] of reasons) expect(failureOf(failing(code), { timeout: 30 })).toInclude(reason!);
});

it("repeats nothing of the request, whatever is thrown", () => {
  const thrown = [new Error("connect to http://alice:secret@host"), "secret", { message: "secret" }, undefined, null];
  for (const error of thrown)
    expect(failureOf(error ?? {}, { timeout: 30 })).toBe("invalid: the answer is not valid HTTP");
});

it("writes no sentence that an alert in Chinese would leave in English", () => {
  const codes = "ETIMEDOUT ENOTFOUND ECONNREFUSED ECONNRESET HPE_INVALID EPROTO CERT_HAS_EXPIRED CERT_NOT_YET_VALID";
  const certificates = "SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID UNABLE_TO_GET_ISSUER_CERT CERT_REVOKED";
  const told = `${codes} ${certificates}`
    .split(" ")
    .map((code) => explain(failureOf(failing(code), { timeout: 30 }), "zh-CN"));
  expect(told.filter((sentence) => /[a-z]/.test(sentence))).toEqual([]);
  expect(new Set(told).size).toBe(told.length);
});
