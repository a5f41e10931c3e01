import type { Deps } from "../../core/deps";
import { isoTime } from "../../lib/time";
import type { LiveChange } from "../../shared/live";
import { publishOutages } from "../outages/live";
import { isChange, type Result } from "./engine/record";

type OwnedResult = Result & { userId: number; paused: boolean };

const toChange = (result: OwnedResult): LiveChange => {
  const { monitorId, userId, up, paused, responseTime, checkedAt, error } = result;
  const changed = !paused && isChange(result);
  const last_checked = isoTime(checkedAt);
  return {
    event: "monitor",
    userId,
    changed,
    data: {
      id: monitorId,
      status: paused ? "paused" : up ? "up" : "down",
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
  const changed = results.filter((result) => !result.paused && isChange(result));
  // The first failed check after a pause opens an outage, although the status is the one before the pause.
  const failedAgain = results.filter((result) => !result.paused && !result.up && !isChange(result));
  const ids = [...changed, ...failedAgain].map(({ monitorId }) => monitorId);
  void publishOutages(
    deps,
    "monitor",
    ids,
    new Map(failedAgain.map(({ monitorId, checkedAt }) => [monitorId, checkedAt])),
  );
};
