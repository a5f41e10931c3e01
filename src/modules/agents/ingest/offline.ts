import type { Deps } from "../../../core/deps";
import { SECOND } from "../../../shared/limits";
import { extendDeadlines, markOfflineAgents } from "../service";

/** After a pause of this length the hub cannot know which agents tried to report. */
const PAUSE = 30 * SECOND;

/**
 * Creates the job that marks agents offline, to be called every few seconds; it returns whether events were
 * written. After a pause of the job itself (the machine slept, its clock was set, the database was unavailable) all
 * deadlines are extended first.
 */
export const createOfflineSweep = (deps: Pick<Deps, "db" | "clock">) => {
  let sweptAt = deps.clock.now();
  return async (): Promise<boolean> => {
    const now = deps.clock.now();
    if (now - sweptAt >= PAUSE || now < sweptAt) await extendDeadlines(deps, now < sweptAt);
    const eventsWritten = await markOfflineAgents(deps);
    sweptAt = now;
    return eventsWritten;
  };
};
