import { closeSync, openSync } from "node:fs";
import { isIP } from "node:net";
import { devNull, networkInterfaces } from "node:os";
import type { Condition } from "../shared/monitor";

/** The hub itself could not make a request, so that nothing is known about the target. */
export class LocalFailure extends Error {
  override name = "LocalFailure";
  constructor(readonly condition: Condition) {
    super(condition);
  }
}

/** @see https://man7.org/linux/man-pages/man2/connect.2.html and socket.2 */
const CONDITION_OF: Record<string, Condition> = {
  EMFILE: "descriptors",
  ENFILE: "descriptors",
  EADDRNOTAVAIL: "ports",
  ENOMEM: "memory",
  ENOBUFS: "memory",
};

/** Whether this machine has an IPv6 address other than loopback: without one, EADDRNOTAVAIL is not a lack of ports. */
const hasIpv6 = () =>
  Object.values(networkInterfaces()).some((entries) =>
    entries?.some(({ family, internal }) => family === "IPv6" && !internal),
  );

/** The local condition that caused a failed connection to `address`, or null if the target or the network failed. */
export const localConditionOf = (error: unknown, address: string): Condition | null => {
  const condition = CONDITION_OF[String((error as { code?: unknown } | null)?.code)] ?? null;
  return condition === "ports" && isIP(address) === 6 && !hasIpv6() ? null : condition;
};

/** The condition that prevents this process from opening a file, or null. Lookups report it as a refused connection. */
export const descriptorCondition = (): Condition | null => {
  try {
    closeSync(openSync(devNull, "r"));
    return null;
  } catch (error) {
    return CONDITION_OF[String((error as { code?: unknown }).code)] ?? null;
  }
};
