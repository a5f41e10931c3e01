import type { Socket } from "node:net";
import type { TimeoutPhase } from "../../shared/check-error";
import { LocalFailure } from "../local-failure";
import type { Caller, Outbound } from "../outbound";
import { failureOf, type Outcome } from "../outcome";
import { type UpgradeOptions, upgrade } from "../tls/upgrade";
import { endConnection } from "./dialogue";

/** The parameters of one connection. */
export type ConnectionTarget = {
  /** A name or an IP address, without brackets. */
  host: string;
  port: number;
  /** Seconds. */
  timeout: number;
  /** The owner's limits, and whether the check may connect to private addresses. */
  caller: Caller;
  /** Whether private addresses are refused to all users, including administrators. */
  privateBlockedForAll?: boolean;
};

/** The exchange of a probe on a connection. */
export type Conversation = {
  /** Before TLS begins, for example the command that begins it. */
  prepare?: (socket: Socket, signal: AbortSignal) => Promise<void>;
  /** How the connection is encrypted, for the name of the host unless another is given; null if it is not. */
  tls: Partial<Pick<UpgradeOptions, "hostname" | "fingerprint" | "alpnProtocols">> | null;
  /** Finds out whether the target is up, and throws when it is not. `farewell` is sent last. */
  talk: (socket: Socket, signal: AbortSignal) => Promise<{ farewell?: Uint8Array | string | undefined } | undefined>;
};

/** Results of a probe besides up and down. */
export type Found = Pick<Outcome, "statusCode" | "certExpiresAt" | "certFingerprint" | "address">;

/**
 * Connects to a port, has a conversation, and closes the connection. The response time includes name resolution and all
 * answers. `found` may be completed by the conversation.
 * @throws {LocalFailure} when the hub itself could not connect, which says nothing about the target
 */
export const probeConnection = async (
  { host, port, timeout, caller, privateBlockedForAll }: ConnectionTarget,
  { prepare, tls, talk }: Conversation,
  outbound: Outbound,
  found: Found = { statusCode: null, certExpiresAt: null },
): Promise<Outcome> => {
  const signal = AbortSignal.timeout(timeout * 1000);
  let phase: TimeoutPhase = "dns";
  const onAddress = (address: string) => {
    phase = "connect";
    found.address = address;
  };
  const startedAt = performance.now();
  let socket: Socket | undefined;
  try {
    socket = await outbound.connect({ hostname: host, port, caller, signal, onAddress });
    phase = "first_byte";
    await prepare?.(socket, signal);
    if (tls) {
      phase = "tls";
      socket = await upgrade(socket, {
        hostname: host,
        signal,
        ...tls,
        onCertificate: ({ expiresAt, fingerprint }) => {
          found.certExpiresAt = expiresAt;
          found.certFingerprint = fingerprint;
        },
      });
      phase = "first_byte";
    }
    const ending = await talk(socket, signal);
    const responseTime = Math.round((performance.now() - startedAt) * 10) / 10;
    endConnection(socket, signal, ending?.farewell);
    return { ...found, up: true, responseTime, error: null };
  } catch (error) {
    if (socket) endConnection(socket, signal);
    if (error instanceof LocalFailure) throw error;
    const reason = failureOf(error, { timeout, privateBlockedForAll, phase });
    return { ...found, up: false, responseTime: null, error: reason };
  }
};
