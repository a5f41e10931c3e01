import type { Deps } from "../../core/deps";
import { describeError } from "../../core/errors";
import type { Viewer } from "../../db/owner";
import { createCoalescedRunner } from "../../lib/concurrency";
import type { LiveCounts } from "../../shared/live";
import { EVERYONE } from "./log";

/** Milliseconds between two counts, and how many times as long as the counting itself took. */
const PAUSE = 500;
const PAUSE_FACTOR = 20;

/** Counts the monitors and servers that a viewer sees. */
export type ReadCounts = (deps: Deps, viewer: Viewer) => Promise<LiveCounts>;

/** Counts the monitors and servers of users with open streams when they change, and sends the counts. */
export const countForStreams = (deps: Deps, read: ReadCounts): void => {
  const { live, clock, log } = deps;
  const waiting = new Set<number>();

  const count = async (scope: number): Promise<void> => {
    const viewer = scope === EVERYONE ? { id: 0, role: "admin" as const } : { id: scope, role: "user" as const };
    live.sendCounts(scope, await read(deps, viewer));
  };

  const run = createCoalescedRunner(async () => {
    const due = [...waiting];
    waiting.clear();
    if (due.length === 0) return;
    const begun = performance.now();
    try {
      for (const scope of due) {
        await count(scope);
        await clock.sleep(0);
      }
    } catch (error) {
      log.warn("counts for open pages could not be read, which their next poll does", { error: describeError(error) });
    }
    await clock.sleep(Math.max(PAUSE, PAUSE_FACTOR * (performance.now() - begun)));
  });

  live.on("count", (userId) => {
    for (const scope of live.scopes())
      if (scope === EVERYONE || userId === undefined || scope === userId) waiting.add(scope);
    if (waiting.size > 0) void run();
  });
};
