import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import { type Held, readHolds } from "./plan/holds";

/** Checks a monitor now; fulfilled when the result is stored. */
export type CheckNow = (monitorId: number) => Promise<unknown>;

/** Monitors that are asked at once. The others are asked when these have answered. */
const MAX_ASKED = 200;

const keyOf = ({ eventId, holdUntil }: Held, monitorId: number) => `${eventId} ${holdUntil} ${monitorId}`;

/**
 * Asks the monitors whose answers held events wait for, once for each hold. `onAnswer` is called after each. A process
 * that starts while events are held asks again.
 */
export const createAsker = (deps: Pick<Deps, "db" | "clock" | "log">, checkNow: CheckNow, onAnswer: () => void) => {
  const running = new Set<number>();
  let asked = new Set<string>();

  const ask = async (id: number): Promise<void> => {
    running.add(id);
    try {
      await checkNow(id);
    } catch (error) {
      // The hold ends in time.
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
    asked = new Set(open.flatMap(({ key }) => (asked.has(key) ? [key] : [])));
    for (const { id, key } of open) {
      if (asked.has(key) || running.has(id) || running.size >= MAX_ASKED) continue;
      // All holds that wait for this monitor have their answer by one check.
      for (const other of open) if (other.id === id) asked.add(other.key);
      void ask(id);
    }
  };
};
