import { createHeartbeat as createSign } from "../../../cluster/instances";
import type { Deps } from "../../../core/deps";
import { releaseDead } from "./schedule";

/** Shows the others that this instance lives, when it is time to, and frees what those that died had claimed. */
export const createHeartbeat = (deps: Pick<Deps, "db" | "clock" | "instance">) => {
  const { beat, deadAt } = createSign(deps);
  return {
    beat: async (): Promise<void> => {
      if (await beat()) await deps.db.atomically(() => releaseDead(deadAt()));
    },
    deadAt,
  };
};
