import {
  type CheckError,
  type CheckErrorCode,
  checkError,
  type TimeoutPhase,
  timeoutError,
} from "../shared/check-error";
import type { Registration } from "../shared/domains/registration";
import type { Phases } from "../shared/monitor";
import { AddressBlocked, NoSuchFamily } from "./address-errors";
import { LookupFailed } from "./dns/resolver";

/** The outcome of one request. */
export type Outcome = {
  up: boolean;
  /** Milliseconds from before name resolution until the answer was complete; null without an answer. */
  responseTime: number | null;
  /** The status of an HTTP response, otherwise null. */
  statusCode: number | null;
  /** Null when up. */
  error: CheckError | null;
  /** When the certificate expires, in epoch milliseconds: the earliest of those that the server sent. */
  certExpiresAt: number | null;
  /** SHA-256 of the server's certificate in lower-case hexadecimal digits; absent when none was seen. */
  certFingerprint?: string | undefined;
  /** Whether the answer exceeded the limit for degraded; absent without a limit or an answer. */
  slow?: boolean | undefined;
  /** That limit: milliseconds, or the percentage of packets that may be lost. */
  slowLimit?: number | undefined;
  /** The limited figure; the response time if absent. */
  slowCode?: "slow_response" | "ping_loss" | undefined;
  /** The percentage of the packets that were not answered; absent when all were, or none was sent. */
  packetLoss?: number | undefined;
  /** The DNS records of the answer in their order as texts, shortened; absent for other kinds, and without records. */
  records?: string[] | undefined;
  /** Of a domain; absent for other kinds, and where it is not registered. */
  registration?: Registration | undefined;
  /** Where the time went, up to the failure if there was one; absent for kinds that do not measure it. */
  phases?: Phases | undefined;
  /** The address that was connected to, or tried first when none accepted the connection; absent when none is known. */
  address?: string | undefined;
};

/** A check that failed for a known reason. */
export class CheckFailed extends Error {
  override name = "CheckFailed";
  constructor(readonly reason: CheckError) {
    super(reason.code);
  }
}

/** The time of a check ran out after a part of the answer had arrived. */
export class AnswerIncomplete extends Error {
  override name = "TimeoutError";
}

/** `phase`: the phase that the request was in when it failed, if that is known. */
type Limits = { timeout: number; privateBlockedForAll?: boolean; phase?: TimeoutPhase | undefined };

/** Why no packet reaches an address, as the system or a router reports it. */
export type Unreachable = CheckErrorCode & `unreachable_${string}`;

/** Errors of name resolution. */
const LOOKUP_ERRORS = {
  no_name: "dns_no_name",
  no_address: "dns_not_found",
  failed: "dns_server_failed",
  refused: "dns_refused",
  silent: "dns_no_answer",
} as const;

/** Errors of connections. */
type Cause = "timeout" | "dns_not_found" | "refused" | "reset" | Unreachable;

/** Patterns of the codes and names of thrown errors, with the error of the check; the first match counts. */
const CAUSES: [RegExp, Cause][] = [
  [/^(TimeoutError|AbortError|ETIMEDOUT|Timeout)$/, "timeout"],
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EFORMERR|DNS_)/, "dns_not_found"],
  [/^(EHOSTUNREACH|EHOSTDOWN)/, "unreachable_host"],
  [/^(ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)/, "unreachable_network"],
  [/^(EACCES|EPERM)/, "unreachable_prohibited"],
  [/^(ECONNREFUSED|FailedToOpenSocket|ConnectionRefused)/, "refused"],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|ConnectionClosed)/, "reset"],
];

/** Errors of certificates, by patterns of the codes that match `TLS`. */
const TLS = /(CERT|TLS|SSL|EPROTO|ISSUER|SELF_SIGNED|UNABLE_TO|CRL)/;
const TLS_CAUSES: [RegExp, Exclude<CheckErrorCode & `tls_${string}`, "tls_wrong_fingerprint" | "tls_no_starttls">][] = [
  [/EXPIRED/, "tls_expired"],
  [/NOT_YET_VALID/, "tls_not_yet_valid"],
  [/SELF_SIGNED/, "tls_self_signed"],
  [/ALTNAME/, "tls_wrong_name"],
  [/ISSUER|UNABLE_TO/, "tls_unknown_issuer"],
  [/REVOKED/, "tls_revoked"],
];

/** Maps what a request threw to the error of its check, which contains nothing of the request. `timeout` is in seconds. */
export const failureOf = (error: unknown, { timeout, privateBlockedForAll, phase }: Limits): CheckError => {
  if (error instanceof CheckFailed) return error.reason;
  if (error instanceof AddressBlocked)
    return checkError(privateBlockedForAll ? "blocked_by_setting" : "blocked_private");
  if (error instanceof NoSuchFamily) return checkError("dns_no_family", { family: error.family });
  if (error instanceof LookupFailed) return checkError(LOOKUP_ERRORS[error.reason]);
  const { code, name } = error as { code?: unknown; name?: unknown };
  const key =
    [code, name].find((part): part is string => typeof part === "string" && part !== "TypeError" && part !== "Error") ??
    "";
  const cause = CAUSES.find(([pattern]) => pattern.test(key))?.[1];
  if (cause === "timeout") return timeoutError(timeout, error instanceof AnswerIncomplete ? "download" : phase);
  if (cause) return checkError(cause);
  if (TLS.test(key)) return checkError(TLS_CAUSES.find(([pattern]) => pattern.test(key))?.[1] ?? "tls_failed");
  return checkError("invalid_response");
};
