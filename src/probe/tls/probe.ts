import type { StarttlsProtocol } from "../../shared/monitor";
import { type ConnectionTarget, probeConnection } from "../connection/connection";
import type { Outbound } from "../outbound";
import type { Outcome } from "../outcome";
import { farewellOf, startTls } from "./starttls";

/** The parameters of one connection. */
type TlsTarget = ConnectionTarget & {
  /** The protocol whose command begins TLS; null for TLS from the start. */
  starttls: StarttlsProtocol | null;
  /** The name for SNI and for the certificate; null for the host. */
  serverName: string | null;
  /** SHA-256 of the accepted certificate in hexadecimal digits; null for one of a trusted issuer. */
  fingerprint: string | null;
};

/**
 * Makes a TLS connection and closes it. Up means that the certificate is valid; the response time includes name
 * resolution and the handshake.
 * @throws {LocalFailure} when the hub itself could not connect, which says nothing about the target
 */
export const probeTls = (target: TlsTarget, outbound: Outbound): Promise<Outcome> => {
  const { starttls, serverName, fingerprint } = target;
  return probeConnection(
    target,
    {
      ...(starttls && { prepare: (socket, signal) => startTls(socket, starttls, signal) }),
      tls: { ...(serverName && { hostname: serverName }), ...(fingerprint && { fingerprint }) },
      talk: async () => ({ farewell: starttls ? farewellOf(starttls) : undefined }),
    },
    outbound,
  );
};
