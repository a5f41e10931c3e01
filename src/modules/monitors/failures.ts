/** The words that a check's error may begin with: they stay the same for good, and the page translates them. */
type Word = "timeout" | "dns" | "refused" | "reset" | "tls" | "invalid";

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

/** A sentence for an error of fetch's: its first word stays the same, and nothing of the request is in it. */
export const failureOf = (error: unknown, timeout: number): string => {
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
