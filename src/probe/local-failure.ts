import { closeSync, openSync } from "node:fs";
import { isIP } from "node:net";
import { devNull, networkInterfaces } from "node:os";
import type { Log } from "../core/log";
import type { Clock } from "../lib/time";
import { MINUTE } from "../shared/limits";
import { type ActiveCondition, CONDITION_WORDS, type Condition } from "../shared/monitor";

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

/** Whether this machine has an IPv6 address other than loopback; if not, EADDRNOTAVAIL does not mean a lack of ports. */
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

/** A condition that was not reported again for this long has ended. */
const CONDITION_EXPIRY = MINUTE;

/** Stores which local conditions occurred in the last minute, and logs when each begins and ends. */
export const createConditions = (clock: Pick<Clock, "now">, log: Log) => {
  const active = new Map<Condition, { since: number; lastAt: number }>();
  const end = (code: Condition) => {
    if (active.delete(code)) log.info("the hub can make requests again", { condition: code });
  };
  return {
    /** Reports that a request could not be made because of this condition. */
    report: (code: Condition): void => {
      const now = clock.now();
      const episode = active.get(code);
      if (!episode) {
        const reason = CONDITION_WORDS[code];
        log.warn("the hub itself cannot make requests, affected checks are skipped", { condition: code, reason });
      }
      active.set(code, { since: episode?.since ?? now, lastAt: now });
    },
    /** Ends a condition at once. */
    clear: end,
    active: (): ActiveCondition[] => {
      const now = clock.now();
      for (const [code, { lastAt }] of active) if (Math.abs(now - lastAt) > CONDITION_EXPIRY) end(code);
      return [...active].map(([code, { since }]) => ({ code, since }));
    },
  };
};
