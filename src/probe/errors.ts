import { AddressBlocked } from "./outbound";
import { LookupFailed } from "./resolver";

type Limits = { timeout: number; privateForNobody?: boolean };

/** The words that a check's error may begin with: they stay the same for good, and the page translates them. */
type Word = "timeout" | "dns" | "refused" | "reset" | "tls" | "invalid";

const SILENT = "dns: the name servers of this name do not answer";

const SENTENCES: Record<Exclude<Word, "timeout" | "tls">, string> = {
  dns: "dns: the name has no address",
  refused: "refused: nothing accepts connections there",
  reset: "reset: the connection was closed before the answer was complete",
  invalid: "invalid: the answer is not valid HTTP",
};

const WORDS: [RegExp, Word][] = [
  [/^(TimeoutError|AbortError|ETIMEDOUT|Timeout)$/, "timeout"],
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EFORMERR|DNS_)/, "dns"],
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN|ENETDOWN|EACCES|FailedToOpenSocket|ConnectionRefused)/,
    "refused",
  ],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|ConnectionClosed)/, "reset"],
  [/(CERT|TLS|SSL|EPROTO|ISSUER|SELF_SIGNED|UNABLE_TO|CRL)/, "tls"],
];

const TLS_REASONS: [RegExp, string][] = [
  [/EXPIRED/, "the certificate has expired"],
  [/NOT_YET_VALID/, "the certificate is not valid yet"],
  [/SELF_SIGNED/, "the certificate is self-signed"],
  [/ALTNAME/, "the certificate is for another name"],
  [/ISSUER|UNABLE_TO/, "the certificate's issuer is not known"],
  [/REVOKED/, "the certificate was revoked"],
];

/**
 * A sentence for what a request threw: its first word stays the same, and nothing of the request is in it. `timeout` is
 * in seconds.
 */
export const failureOf = (error: unknown, { timeout, privateForNobody }: Limits): string => {
  if (error instanceof AddressBlocked) {
    return privateForNobody
      ? "blocked: the address is private, and PRIVATE_TARGETS=none allows those to nobody"
      : "blocked: the address is private or this machine's own, and only administrators may check those";
  }
  if (error instanceof LookupFailed && error.reason === "silent") return SILENT;
  const { code, name } = error as { code?: unknown; name?: unknown };
  const key =
    [code, name].find((part): part is string => typeof part === "string" && part !== "TypeError" && part !== "Error") ??
    "";
  const word = WORDS.find(([pattern]) => pattern.test(key))?.[1] ?? "invalid";
  if (word === "timeout") return `timeout: no complete answer within ${timeout} s`;
  if (word === "tls")
    return `tls: ${TLS_REASONS.find(([pattern]) => pattern.test(key))?.[1] ?? "no secure connection could be made"}`;
  return SENTENCES[word];
};
