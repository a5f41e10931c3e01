import type { Deps } from "../../../../core/deps";
import { rateLimited } from "../../../../core/errors";
import { createExpiringMap } from "../../../../lib/expiring-map";
import type { Outcome } from "../../../../probe/outcome";
import { MINUTE } from "../../../../shared/limits";
import { type AnyKind, type Config, requireAvailable } from "../../kinds/kind";
import { callerOf } from "../job";
import type { Admission } from "../limits";
import { refusalOf } from "../run-check";

/** Probes of one user in a minute, on this process. */
export const PROBES_PER_MINUTE = 30;
/** Users whose probes are counted; the oldest is dropped first. */
const REMEMBERED = 10_000;

type Prober = { id: number; role: "admin" | "user" };
/** What is probed. `timeout` is in seconds. */
type Trial = { kind: AnyKind; config: Config; timeout: number };

/** Probes of monitors that are not saved, within the limits of checks. Nothing of them is stored. */
export const createProbes = (
  { clock, config: settings, outbound }: Pick<Deps, "clock" | "config" | "outbound">,
  admission: Admission,
) => {
  const counters = createExpiringMap<number, { probes: number; until: number }>(REMEMBERED);

  /** @throws {AppError} rate_limited */
  const count = (userId: number): void => {
    const now = clock.now();
    const known = counters.get(userId, now);
    const counter = known ?? { probes: 0, until: now + MINUTE };
    if (!known) counters.set(userId, counter, now, { lifetime: MINUTE });
    if (counter.probes >= PROBES_PER_MINUTE) throw rateLimited(Math.ceil((counter.until - now) / 1000));
    counter.probes++;
  };

  /**
   * Makes one request, without retries, and returns its outcome.
   * @throws {AppError} rate_limited also while the limits of running checks are reached, hub_unavailable, or that this
   * machine can't check the kind
   */
  return async ({ id, role }: Prober, { kind, config, timeout }: Trial): Promise<Outcome> => {
    count(id);
    await requireAvailable(kind, outbound);
    const size = Buffer.byteLength(JSON.stringify(config));
    const request = { userId: id, limited: role !== "admin", host: kind.host(config), size };
    if (!admission.tryEnter(request)) throw rateLimited(1);
    try {
      const privateBlockedForAll = settings.privateTargets === "none";
      return await kind.probe(config, {
        outbound,
        caller: callerOf(id, role, settings),
        privateBlockedForAll,
        timeout,
      });
    } catch (error) {
      throw refusalOf(error);
    } finally {
      admission.leave(request);
    }
  };
};
