import { createHeartbeat as createSign } from "../../db/instances";
import type { Deps } from "../../deps";
import { releaseDead } from "./schedule";

/** Shows the others that this instance lives, when it is time to, and frees what those that died had claimed. */
export const createHeartbeat = (deps: Pick<Deps, "db" | "clock" | "instance">) => {
  const sign = createSign(deps);
  return async (): Promise<void> => {
    if (await sign()) await deps.db.atomically(() => releaseDead(deps.clock.now()));
  };
};
