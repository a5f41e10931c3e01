import type { DetailedPeerCertificate } from "node:tls";
import { plainFingerprint } from "../../shared/certificate";

/** Certificates of one chain that are read. */
const MAX_CHAIN = 16;

/** The certificate of a server, and the earliest expiry of those that it sent, in epoch milliseconds. */
export type ServerCertificate = {
  /** Null when no date could be read. */
  expiresAt: number | null;
  /** SHA-256 of the leaf in lower-case hexadecimal digits. */
  fingerprint: string;
  /** Whether one of the certificates has expired, or the leaf is not valid yet. */
  dates: "valid" | "expired" | "not_yet_valid";
};

type Link = Pick<DetailedPeerCertificate, "fingerprint256" | "valid_from" | "valid_to" | "subject" | "issuer"> & {
  issuerCertificate?: Link;
};

const isRoot = ({ subject, issuer }: Link) => JSON.stringify(subject) === JSON.stringify(issuer);

/** The certificates that count: the leaf and what lies between it and a root, each once. */
const chainOf = (leaf: Link): Link[] => {
  const chain = [leaf];
  const fingerprints = new Set([leaf.fingerprint256]);
  let link = leaf.issuerCertificate;
  // Bun lists the leaf twice, and links a root to itself.
  for (let count = 0; link && count < MAX_CHAIN; count++) {
    // Clients have their own copy of a root, or none, and ignore the dates of a root that was sent.
    if (!fingerprints.has(link.fingerprint256) && !isRoot(link)) chain.push(link);
    fingerprints.add(link.fingerprint256);
    const next: Link | undefined = link.issuerCertificate;
    if (next === link) break;
    link = next;
  }
  return chain;
};

/**
 * Reads the certificates that a server sent, in order, as of a time in epoch milliseconds. A trusted chain does not need
 * expired ones, such as the old signature of a root by another root.
 */
export const readChain = (leaf: Link, now: number, isTrusted: boolean): ServerCertificate => {
  const ends = chainOf(leaf).map(({ valid_to }) => Date.parse(valid_to));
  const expiresAt = Math.min(...ends.filter((end) => Number.isFinite(end) && !(isTrusted && end <= now)));
  const dates = expiresAt <= now ? "expired" : Date.parse(leaf.valid_from) > now ? "not_yet_valid" : "valid";
  return {
    expiresAt: Number.isFinite(expiresAt) ? expiresAt : null,
    fingerprint: plainFingerprint(leaf.fingerprint256),
    dates,
  };
};
