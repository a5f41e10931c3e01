/** Domains of status pages, as the hub and its settings read them. */

export const DOMAIN_LIMITS = { perPage: 5, length: 253 };

/** Why a text is not the domain of a page. */
export const DOMAIN_PROBLEMS = {
  address: "an IP address can't be used",
  port: "leave out the port",
  path: "leave out the protocol and the path",
  wildcard: "a wildcard can't be used",
  local: "a name of one part, and localhost, can't be used",
  invalid: "expected a name such as status.example.com",
} as const;
type DomainProblem = keyof typeof DOMAIN_PROBLEMS;

const LABEL = /^(?!-)[a-z\d-]{1,63}(?<!-)$/;

/** A host name in lower case, as punycode and without a dot at the end; null for other texts. */
const canonicalHost = (text: string): string | null =>
  URL.parse(`http://${text}/`)?.hostname.replace(/\.$/, "") ?? null;

/** The canonical form of a domain that a person has entered, or the reason why a page can't have it. */
export const parseDomain = (text: string): { domain: string } | { problem: DomainProblem } => {
  const sent = text.trim();
  if (sent.includes("*")) return { problem: "wildcard" };
  if (/^\[|^[\da-f]*:[\da-f:.]*:/i.test(sent)) return { problem: "address" };
  if (/[/?#\\@]/.test(sent)) return { problem: "path" };
  if (/:\d*$/.test(sent)) return { problem: "port" };
  // URLs drop white space and control characters within a host, and decode %2e.
  if (/[\s\p{C}%:]/u.test(sent) || sent.length > DOMAIN_LIMITS.length) return { problem: "invalid" };
  const domain = canonicalHost(sent);
  if (!domain || domain.length > DOMAIN_LIMITS.length) return { problem: "invalid" };
  if (/^[\d.]+$/.test(domain)) return { problem: "address" };
  const labels = domain.split(".");
  if (!labels.every((label) => LABEL.test(label))) return { problem: "invalid" };
  if (labels.length < 2 || labels.at(-1) === "localhost") return { problem: "local" };
  return { domain };
};
