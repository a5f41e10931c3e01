import type { Deps } from "../../core/deps";
import { isoTime } from "../../lib/time";
import type { LiveChange } from "../../shared/live";
import { publishOutages } from "../alerting/outages/live";
import { isChange, isDegradedBy, isSlowChange, type Result } from "./engine/record";
import { slowError } from "./history/slow";

type OwnedResult = Result & { userId: number; paused: boolean };

/** Whether a result gives its monitor another status. */
const isNewStatus = (result: OwnedResult): boolean => !result.paused && (isChange(result) || isSlowChange(result));

const toChange = (result: OwnedResult): LiveChange => {
  const { monitorId, userId, up, paused, responseTime, checkedAt, slow, slowLimit } = result;
  const changed = isNewStatus(result);
  const degraded = up && isDegradedBy(result);
  const error = degraded && slowLimit !== undefined ? slowError(result) : result.error;
  const last_checked = isoTime(checkedAt);
  return {
    event: "monitor",
    userId,
    changed,
    data: {
      id: monitorId,
      status: paused ? "paused" : degraded ? "degraded" : up ? "up" : "down",
      ...(up && slow && { slow }),
      response_time: responseTime,
      last_checked,
      ...(changed && { since: last_checked }),
      ...(error && { error_code: error.code, error_detail: error.detail }),
    },
  };
};

/** Passes stored results to the pages that are open. */
export const publishResults = (
  deps: Pick<Deps, "live" | "db" | "clock" | "log">,
  results: readonly OwnedResult[],
): void => {
  if (results.length === 0 || !deps.live.watched()) return;
  const changes = results.map(toChange);
  deps.live.publish(changes);
  const changed = results.filter(isNewStatus);
  // The first failed check after a pause opens an outage, also if the status was the same before the pause.
  const failedAgain = results.filter((result) => !result.paused && !result.up && !isChange(result));
  const ids = [...changed, ...failedAgain].map(({ monitorId }) => monitorId);
  void publishOutages(
    deps,
    "monitor",
    ids,
    new Map(failedAgain.map(({ monitorId, checkedAt }) => [monitorId, checkedAt])),
  );
};
