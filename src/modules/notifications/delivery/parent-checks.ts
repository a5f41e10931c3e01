import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import { type Held, readHolds } from "./plan/holds";

/** Checks a monitor now; fulfilled when the result is stored. */
export type CheckNow = (monitorId: number) => Promise<unknown>;

/** Monitors that are checked at the same time. The others are checked when these have their results. */
const MAX_RUNNING = 200;

const keyOf = ({ eventId, holdUntil }: Held, monitorId: number) => `${eventId} ${holdUntil} ${monitorId}`;

/**
 * Checks the monitors whose answers held events wait for, once for each hold. `onAnswer` is called after each check. A
 * process that starts while events are held checks them again.
 */
export const createParentChecks = (
  deps: Pick<Deps, "db" | "clock" | "log">,
  checkNow: CheckNow,
  onAnswer: () => void,
) => {
  const running = new Set<number>();
  /** The holds and monitors for which a check was started. */
  let started = new Set<string>();

  const check = async (id: number): Promise<void> => {
    running.add(id);
    try {
      await checkNow(id);
    } catch (error) {
      // The hold ends at its time all the same.
      deps.log.debug("a monitor that held alerts depend on could not be checked", {
        monitor: id,
        error: describeError(error),
      });
    }
    running.delete(id);
    onAnswer();
  };

  return async (): Promise<void> => {
    const holds = await readHolds(deps);
    const open = holds.flatMap((hold) =>
      hold.awaited.flatMap(({ type, id }) => (type === "monitor" ? [{ id, key: keyOf(hold, id) }] : [])),
    );
    started = new Set(open.flatMap(({ key }) => (started.has(key) ? [key] : [])));
    for (const { id, key } of open) {
      if (started.has(key) || running.has(id) || running.size >= MAX_RUNNING) continue;
      // All holds that wait for this monitor have their answer by one check.
      for (const other of open) if (other.id === id) started.add(other.key);
      void check(id);
    }
  };
};
