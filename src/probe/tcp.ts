import { LocalFailure } from "./local-failure";
import type { Caller, Outbound } from "./outbound";
import { failureOf, type Outcome } from "./outcome";

/** The parameters of one connection. */
export type TcpTarget = {
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

/**
 * Connects to a port and closes the connection. Up means connected; the response time includes DNS and the handshake.
 * @throws {LocalFailure} when the hub itself could not connect, which says nothing about the target
 */
export const probeTcp = async (target: TcpTarget, outbound: Outbound): Promise<Outcome> => {
  const { host, port, timeout, caller } = target;
  const found: Pick<Outcome, "statusCode" | "certExpiresAt" | "address"> = { statusCode: null, certExpiresAt: null };
  const startedAt = performance.now();
  try {
    const socket = await outbound.connect({
      hostname: host,
      port,
      caller,
      signal: AbortSignal.timeout(timeout * 1000),
      onAddress: (address) => {
        found.address = address;
      },
    });
    socket.destroy();
    const responseTime = Math.round((performance.now() - startedAt) * 10) / 10;
    return { ...found, up: true, responseTime, error: null };
  } catch (error) {
    if (error instanceof LocalFailure) throw error;
    return { ...found, up: false, responseTime: null, error: failureOf(error, target) };
  }
};
