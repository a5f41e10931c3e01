import { INSTANCE_TIMEOUT } from "../../db/instances";
import { instances } from "../../db/schema";
import type { Deps } from "../../deps";
import { releaseDead } from "./schedule";

const PAUSE = INSTANCE_TIMEOUT / 4;

/** Shows the others that this instance lives, when it is time to, and frees what those that died had claimed. */
export const createHeartbeat = ({ db, clock, instance }: Pick<Deps, "db" | "clock" | "instance">) => {
  let seenAt = 0;
  return async (): Promise<void> => {
    const now = clock.now();
    if (now - seenAt < PAUSE && now >= seenAt) return;
    await db
      .insert(instances)
      .values({ id: instance, seenAt: now })
      .onConflictDoUpdate({ target: instances.id, set: { seenAt: now } });
    await db.atomically(() => releaseDead(now));
    seenAt = now;
  };
};
