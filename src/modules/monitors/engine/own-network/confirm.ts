/** Decides what counts of a check that has ended, and lets the hub learn from it whether its own network works. */
import type { Clock } from "../../../../lib/time";
import type { Outcome } from "../../../../probe/outcome";
import { countedOutcome, isExpectedFailure } from "../../inverted/outcome";
import type { Config } from "../../kinds/kind";
import type { Connectivity } from "../connectivity";
import type { Admission, Request } from "../limits";

type Check = Outcome & { checkedAt: number };

/** The outcome of a check before it is inverted, and whether only the target itself can have answered. */
export type Attempted = { found: Outcome; verified: boolean; config: Config };
export type Ended = Attempted & { found: Check };

type Checked = {
  monitorId: number;
  request: Request;
  /** The status of the monitor before. */
  status: "up" | "down" | "pending";
  /** Whether a manual check waits for it, which gets what was found, unless that counts as up because it failed. */
  isAwaited: () => boolean;
  /** Whether its result is still wanted. */
  isCurrent: () => boolean;
};

type Parts = {
  clock: Clock;
  connectivity: Connectivity;
  admission: Admission;
  /** Makes one more attempt of a monitor's check, which it reads again; null when the monitor was deleted. */
  attempt: (monitorId: number) => Promise<Attempted | null>;
};

export const createConfirmation = ({ clock, connectivity, admission, attempt }: Parts) => {
  /** Makes one more attempt after a failure that may have been the hub's own. */
  const attemptAgain = async ({ monitorId, request }: Checked): Promise<Ended | null> => {
    await admission.enter(request);
    try {
      const checkedAt = clock.now();
      const again = await attempt(monitorId);
      return again && { ...again, found: { ...again.found, checkedAt } };
    } finally {
      admission.leave(request);
    }
  };

  const judge = ({ monitorId, request: { host }, status }: Checked, { found, config }: Ended) => {
    const { address, checkedAt: startedAt, error } = found;
    const expected = isExpectedFailure(found, config);
    const fresh = status !== (expected ? "up" : "down");
    return connectivity.judge({
      ...{ monitorId, host, address, startedAt, code: error?.code ?? "timeout" },
      ...{ fresh, expected },
    });
  };

  const confirm = async (checked: Checked, ended: Ended): Promise<Ended | null> => {
    const { isCurrent } = checked;
    const isAwaited = () => checked.isAwaited() && !isExpectedFailure(ended.found, ended.config);
    if (isAwaited()) return ended;
    const first = await judge(checked, ended);
    if (first === "failed" || isAwaited()) return ended;
    if (first === "unknown" || !isCurrent()) return null;
    const again = await attemptAgain(checked);
    if (!again || again.found.up) return again;
    const second = await judge(checked, again);
    if (isAwaited()) return again;
    // After another cut the check is made once more by itself.
    if (second === "unknown" || second === "replace") return null;
    return first === "replace" ? again : ended;
  };

  const learn = ({ monitorId, request }: Checked, { found, verified, config }: Ended): Check => {
    const { address, checkedAt: startedAt, responseTime } = found;
    if (found.up) connectivity.reached({ monitorId, host: request.host, address, startedAt, responseTime, verified });
    else connectivity.failed(monitorId, request.host, address);
    return countedOutcome(found, config);
  };

  /**
   * Returns what counts: the result, another attempt, or null when the own network is lost or was cut, because then
   * every target looks down. A success counts at once, and a failure within a minute and an attempt. Of inverted monitors the
   * result is inverted then.
   */
  return (checked: Checked, ended: Ended): Check | Promise<Check | null> =>
    ended.found.up
      ? learn(checked, ended)
      : confirm(checked, ended).then((counted) => counted && learn(checked, counted));
};
