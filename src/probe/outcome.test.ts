import { expect, it } from "bun:test";
import { type CheckErrorCode, checkErrorText } from "../shared/check-error";
import { LANGUAGES } from "../shared/language";
import { AddressBlocked } from "./address-errors";
import { LookupFailed } from "./dns/resolver";
import { failureOf } from "./outcome";

const failing = (code: string) => Object.assign(new Error("x"), { code });

/** Errors of requests by the error code of the check. */
const CAUSES: Partial<Record<CheckErrorCode, unknown[]>> = {
  dns_not_found: [new LookupFailed("no_address"), ...["ENOTFOUND", "EAI_AGAIN", "DNS_ENOTFOUND"].map(failing)],
  dns_no_name: [new LookupFailed("no_name")],
  dns_server_failed: [new LookupFailed("failed")],
  dns_refused: [new LookupFailed("refused")],
  dns_no_answer: [new LookupFailed("silent")],
  refused: ["ECONNREFUSED", "ConnectionRefused"].map(failing),
  unreachable_host: ["EHOSTUNREACH", "EHOSTDOWN"].map(failing),
  unreachable_network: ["ENETUNREACH", "ENETDOWN", "EADDRNOTAVAIL"].map(failing),
  unreachable_prohibited: ["EACCES", "EPERM"].map(failing),
  reset: ["ECONNRESET", "ConnectionClosed", "EPIPE"].map(failing),
  tls_expired: ["CERT_HAS_EXPIRED"].map(failing),
  tls_not_yet_valid: ["CERT_NOT_YET_VALID"].map(failing),
  tls_self_signed: ["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN"].map(failing),
  tls_wrong_name: ["ERR_TLS_CERT_ALTNAME_INVALID"].map(failing),
  tls_unknown_issuer: ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY"].map(failing),
  tls_revoked: ["CERT_REVOKED"].map(failing),
  tls_failed: ["EPROTO"].map(failing),
  timeout: ["ETIMEDOUT", "Timeout"].map(failing),
  invalid_response: ["HPE_INVALID", "Malformed_HTTP_Response", ""].map(failing),
  blocked_private: [new AddressBlocked()],
};

it("maps each cause to its error code", () => {
  for (const [code, thrown] of Object.entries(CAUSES))
    for (const error of thrown) expect([error, failureOf(error, { timeout: 30 }).code]).toEqual([error, code as never]);
  const blocked = failureOf(new AddressBlocked(), { timeout: 30, privateBlockedForAll: true });
  expect(blocked).toEqual({ code: "blocked_by_setting", detail: null });
});

it("includes the timeout in seconds", () => {
  expect(failureOf(new DOMException("The operation timed out.", "TimeoutError"), { timeout: 7 })).toEqual({
    code: "timeout",
    detail: { seconds: 7 },
  });
});

it("includes nothing of the request, whatever is thrown", () => {
  const thrown = [new Error("connect to http://alice:secret@host"), "secret", { message: "secret" }, undefined, null];
  for (const error of thrown)
    expect(failureOf(error ?? {}, { timeout: 30 })).toEqual({ code: "invalid_response", detail: null });
});

it("renders each error in each language", () => {
  const found = Object.values(CAUSES).map(([error]) => failureOf(error, { timeout: 30 }));
  for (const language of LANGUAGES) {
    const texts = found.map((error) => checkErrorText(error, language));
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.filter((text) => /[{}]|undefined/.test(text))).toEqual([]);
  }
});
