import type { Deps } from "../../core/deps";
import { describeError } from "../../core/errors";
import { EVERYTHING, type Viewer } from "../../db/owner";
import { createCoalescedRunner } from "../../lib/concurrency";
import type { LiveCounts } from "../../shared/live";
import { ALL_TEAMS, isOf, type Scope } from "./log";

/** Milliseconds between two counts, and how many times as long as the counting itself took. */
const PAUSE = 500;
const PAUSE_FACTOR = 20;

/** Counts the monitors and servers that a viewer sees. */
export type ReadCounts = (deps: Deps, viewer: Viewer) => Promise<LiveCounts>;

/** Counts the monitors and servers of open streams when they change, and sends the counts. */
export const countForStreams = (deps: Deps, read: ReadCounts): void => {
  const { live, clock, log } = deps;
  const waiting = new Set<Scope>();

  const count = async (scope: Scope): Promise<void> => {
    const teams = new Map(scope.split(",").map((id) => [Number(id), "viewer" as const]));
    const viewer = scope === ALL_TEAMS ? EVERYTHING : { ...EVERYTHING, teams, seesAll: false };
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

  live.on("count", (teamId) => {
    for (const scope of live.scopes()) if (teamId === undefined || isOf(scope, teamId)) waiting.add(scope);
    if (waiting.size > 0) void run();
  });
};
