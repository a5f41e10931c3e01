import type { Deps } from "../../core/deps";
import { isoTime } from "../../lib/time";
import type { LiveChange } from "../../shared/live";
import { isChange, isDegradedBy, isSlowChange, type Result } from "./engine/record";
import { slowError } from "./history/slow";

type OwnedResult = Result & { teamId: number; paused: boolean };

/** Whether a result gives its monitor another status. */
const isNewStatus = (result: OwnedResult): boolean => !result.paused && (isChange(result) || isSlowChange(result));

const toChange = (result: OwnedResult): LiveChange => {
  const { monitorId, teamId, up, paused, responseTime, checkedAt, slow, slowLimit } = result;
  const changed = isNewStatus(result);
  const degraded = up && isDegradedBy(result);
  const error = degraded && slowLimit !== undefined ? slowError(result) : result.error;
  const last_checked = isoTime(checkedAt);
  return {
    event: "monitor",
    teamId,
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
export const publishResults = ({ live }: Pick<Deps, "live">, results: readonly OwnedResult[]): void => {
  if (results.length > 0 && live.watched()) live.publish(results.map(toChange));
};
