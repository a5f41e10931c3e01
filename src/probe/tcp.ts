import { failureOf } from "./errors";
import { LocalFailure } from "./local-failure";
import type { Caller, Outbound } from "./outbound";
import type { Outcome } from "./retry";

/** A port to connect to. */
export type TcpTarget = {
  /** A name or an IP address, without brackets. */
  host: string;
  port: number;
  /** Seconds. */
  timeout: number;
  /** Whose check it is, and whether it may connect to addresses off the public internet. */
  caller: Caller;
  /** Private addresses are refused to every user, administrators included. */
  privateForNobody?: boolean;
};

/**
 * Connects to a port and closes the connection. Up means connected; the response time covers the name's resolution and
 * the connection.
 * @throws {LocalFailure} when the hub itself could not connect, which says nothing about the target
 */
export const probeTcp = async (target: TcpTarget, outbound: Outbound): Promise<Outcome> => {
  const { host, port, timeout, caller } = target;
  const found = { statusCode: null, certExpiresAt: null };
  const startedAt = performance.now();
  try {
    await outbound.connect({ hostname: host, port, caller, signal: AbortSignal.timeout(timeout * 1000) });
    const responseTime = Math.round((performance.now() - startedAt) * 10) / 10;
    return { ...found, up: true, responseTime, error: null };
  } catch (error) {
    if (error instanceof LocalFailure) throw error;
    return { ...found, up: false, responseTime: null, error: failureOf(error, target) };
  }
};
