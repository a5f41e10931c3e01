import type { Socket } from "node:net";
import type { StarttlsProtocol } from "../../shared/monitor";
import { LocalFailure } from "../local-failure";
import type { Caller, Outbound } from "../outbound";
import { failureOf, type Outcome } from "../outcome";
import { endSession, startTls } from "./starttls";
import { upgrade } from "./upgrade";

/** The parameters of one connection. */
export type TlsTarget = {
  /** A name or an IP address, without brackets. */
  host: string;
  port: number;
  /** The protocol whose command begins TLS; null for TLS from the start. */
  starttls: StarttlsProtocol | null;
  /** The name that is asked for and that the certificate must have, if it is not that of the host. */
  serverName: string | null;
  /** SHA-256 of the accepted certificate in hexadecimal digits; null for one of a trusted issuer. */
  fingerprint: string | null;
  /** Seconds. */
  timeout: number;
  /** The owner's limits, and whether the check may connect to private addresses. */
  caller: Caller;
  /** Whether private addresses are refused to all users, including administrators. */
  privateBlockedForAll?: boolean;
};

/**
 * Makes a TLS connection and closes it. Up means that the certificate is valid; the response time includes name
 * resolution and the handshake.
 * @throws {LocalFailure} when the hub itself could not connect, which says nothing about the target
 */
export const probeTls = async (target: TlsTarget, outbound: Outbound): Promise<Outcome> => {
  const { host, port, starttls, serverName, fingerprint, timeout, caller } = target;
  const signal = AbortSignal.timeout(timeout * 1000);
  const found: Pick<Outcome, "statusCode" | "certExpiresAt" | "certFingerprint" | "address"> = {
    statusCode: null,
    certExpiresAt: null,
  };
  const onAddress = (address: string) => {
    found.address = address;
  };
  let socket: Socket | undefined;
  const startedAt = performance.now();
  try {
    socket = await outbound.connect({ hostname: host, port, caller, signal, onAddress });
    if (starttls) await startTls(socket, starttls, signal);
    const secure = await upgrade(socket, {
      hostname: serverName ?? host,
      signal,
      fingerprint: fingerprint ?? undefined,
      onCertificate: ({ expiresAt, fingerprint: seen }) => {
        found.certExpiresAt = expiresAt;
        found.certFingerprint = seen;
      },
    });
    const responseTime = Math.round((performance.now() - startedAt) * 10) / 10;
    endSession(secure, starttls, signal);
    return { ...found, up: true, responseTime, error: null };
  } catch (error) {
    socket?.destroy();
    if (error instanceof LocalFailure) throw error;
    return { ...found, up: false, responseTime: null, error: failureOf(error, target) };
  }
};
