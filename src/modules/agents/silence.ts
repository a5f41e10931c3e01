import type { Deps } from "../../deps";
import { SECOND } from "../../shared/limits";
import { forgiveSilence, sweepSilentAgents } from "./service";

/** Whoever has not listened for so long cannot say who was silent. */
const PAUSE = 30 * SECOND;

/**
 * What finds the agents that fell silent, to be called every few seconds; gives whether there is something to tell.
 * After a pause - the machine slept, its clock was set, the database was away - all of them have their whole time again.
 */
export const createSilenceSweep = (deps: Pick<Deps, "db" | "clock">) => {
  let sweptAt = deps.clock.now();
  return async (): Promise<boolean> => {
    const now = deps.clock.now();
    if (now - sweptAt >= PAUSE || now < sweptAt) await forgiveSilence(deps, now < sweptAt);
    const told = await sweepSilentAgents(deps);
    sweptAt = now;
    return told;
  };
};
