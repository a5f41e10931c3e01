import type { Log } from "../../../core/log";
import type { Check } from "../../../probe/retry";
import { reasonOf } from "../../../shared/check-error";

/** What the log may hold of a failed check: its reason code, and nothing of the address or the answer. */
const reason = ({ error }: Pick<Check, "error">) => (error === null ? undefined : (reasonOf(error) ?? "invalid"));

type Change = Check & { monitorId: number; userId: number; paused: boolean; previous?: "up" | "down" | "pending" };

/** One line when a monitor goes down, and one when it recovers. */
export const logChange = (log: Log, result: Change): void => {
  const { monitorId: monitor, userId: user, previous, up, paused, statusCode } = result;
  if (paused) return;
  if (!up && previous !== "down") {
    log.info("a monitor went down", { monitor, user, reason: reason(result), status: statusCode ?? undefined });
  }
  if (up && previous === "down") log.info("a monitor recovered", { monitor, user });
};

/** One line for each check, at level debug. */
export const logCheck = (log: Log, monitor: number, found: Check): void =>
  log.debug("checked", {
    monitor,
    up: found.up,
    reason: reason(found),
    status: found.statusCode ?? undefined,
    milliseconds: found.responseTime ?? undefined,
  });
