import type { Deps } from "../../../../core/deps";
import { rateLimited } from "../../../../core/errors";
import type { Viewer } from "../../../../db/owner";
import type { Outcome } from "../../../../probe/outcome";
import type { Config } from "../../../../shared/monitor-kinds/field";
import { type AnyKind, requireAvailable } from "../../kinds/kind";
import type { Admission } from "../limits";
import { callerOf } from "../run-check";
import { refusalOf } from "./refusal";

type Prober = Pick<Viewer, "id" | "role" | "teamId">;
/** `timeout` is in seconds. */
type Trial = { kind: AnyKind; config: Config; timeout: number };

/** Probes of monitors that are not saved, within the limits of checks. Nothing of them is stored. */
export const createProbes = (
  { trials, config: settings, outbound }: Pick<Deps, "trials" | "config" | "outbound">,
  admission: Admission,
) => {
  /**
   * Makes one request, without retries, and returns its outcome.
   * @throws {AppError} rate_limited also while the limits of running checks are reached, hub_unavailable, or that this
   * machine can't check the kind
   */
  return async ({ id, role, teamId }: Prober, { kind, config, timeout }: Trial): Promise<Outcome> => {
    trials.count(id);
    await requireAvailable(kind, config, outbound);
    const size = Buffer.byteLength(JSON.stringify(config));
    const request = { userId: id, teamId, limited: role !== "admin", host: kind.host(config), size };
    if (!admission.tryEnter(request)) throw rateLimited(1);
    try {
      const privateBlockedForAll = settings.privateTargets === "none";
      const caller = callerOf(id, role, settings);
      return await kind.probe(config, { outbound, caller, privateBlockedForAll, timeout });
    } catch (error) {
      throw refusalOf(error);
    } finally {
      admission.leave(request);
    }
  };
};
