import { checkError } from "../../shared/check-error";
import { LocalFailure } from "../local-failure";
import type { Caller, Outbound } from "../outbound";
import { failureOf, type Outcome } from "../outcome";
import type { EchoResult } from "./program";

/** The parameters of one series of echo requests. */
export type PingTarget = {
  /** A name or an IP address, without brackets. */
  host: string;
  /** Requests in the series. */
  count: number;
  /** The percentage of lost packets above which the answer counts as slow; none by default. */
  maxLoss?: number | null;
  /** Seconds. */
  timeout: number;
  /** The owner's limits, and whether the check may reach private addresses. */
  caller: Caller;
  /** Whether private addresses are refused to all users, including administrators. */
  privateBlockedForAll?: boolean;
};

/** The longest wait for an answer in seconds, so that lost ones do not hold up the checks of other hosts. */
const MAX_WAIT = 4;

/** The part of an outcome that follows from lost packets. */
const lossOf = ({ sent, received }: EchoResult, maxLoss: number | null) => {
  const lost = sent === 0 ? 0 : (100 * Math.max(0, sent - received)) / sent;
  return {
    ...(lost > 0 && { packetLoss: Math.round(lost * 10) / 10 }),
    ...(maxLoss !== null && { slow: lost > maxLoss, slowLimit: maxLoss, slowCode: "ping_loss" as const }),
  };
};

/**
 * Sends echo requests (ICMP) to a host. Up means that at least one was answered; the response time is their average.
 * @throws {LocalFailure} when the hub itself could not send any, which says nothing about the target
 */
export const probePing = async (target: PingTarget, outbound: Outbound): Promise<Outcome> => {
  const { host, count, maxLoss = null, timeout, caller } = target;
  const details: Pick<Outcome, "statusCode" | "certExpiresAt" | "address"> = { statusCode: null, certExpiresAt: null };
  try {
    const [address = ""] = await outbound.addressesOf(host, caller, AbortSignal.timeout(timeout * 1000));
    details.address = address;
    const wait = Math.max(1, Math.min(MAX_WAIT, Math.floor(timeout)));
    const result = await outbound.pinger.echo({ address, count, wait });
    const { received, average } = result;
    const loss = lossOf(result, maxLoss);
    const responseTime = average === null ? null : Math.max(0.1, Math.round(average * 10) / 10);
    if (received > 0) return { ...details, ...loss, up: true, responseTime, error: null };
    return {
      ...details,
      packetLoss: loss.packetLoss,
      up: false,
      responseTime: null,
      error: result.unreachable ? checkError(result.unreachable) : checkError("ping_lost", { count }),
    };
  } catch (error) {
    if (error instanceof LocalFailure) throw outbound.reported(error);
    return { ...details, up: false, responseTime: null, error: failureOf(error, target) };
  }
};
