/** Downtime of the hub: no instance ran, so nothing is known. An instance detects it from the last write when it starts. */
import { gt, sql } from "drizzle-orm";
import type { Deps } from "../core/deps";
import { readSetting, writeSetting } from "../db/app-settings";
import { agentStates, instances, monitorStates } from "../db/schema";
import type { Interval } from "../lib/intervals";
import { SECOND } from "../shared/limits";
import { writeGaps } from "./gaps";
import { INSTANCE_TIMEOUT } from "./instances";

/** A client that cannot connect gives up at once, so a restart of a second can lose a ping. */
const SHORTEST = SECOND;

type Store = Pick<Deps, "db" | "clock">;

/** When an instance last ran, or 0. */
const lastSeen = async ({ db }: Pick<Store, "db">): Promise<number> => {
  const [row] = await db.rows<{ check: number | null; report: number | null; beat: number | null }>(sql`select
    (select max(${monitorStates.lastCheckedAt}) from ${monitorStates}) as "check",
    (select max(${agentStates.reportedAt}) from ${agentStates}) as report,
    (select max(${instances.seenAt}) from ${instances}) as beat`);
  const stopped = await readSetting(db, "stopped_at");
  return Math.max(...[row?.check, row?.report, row?.beat, stopped].map((time) => Number(time ?? 0)));
};

/**
 * Stores the time since an instance last ran, unless another one runs, and returns it. Call it at the start, before this
 * instance's first heartbeat.
 */
export const recordDowntime = async ({ db, clock }: Store): Promise<Interval | null> => {
  const now = clock.now();
  const alive =
    db.engine === "postgres" && (await db.$count(instances, gt(instances.seenAt, now - INSTANCE_TIMEOUT))) > 0;
  const from = await lastSeen({ db });
  if (alive || from === 0 || now - from < SHORTEST) return null;
  // A gap that was open when the process ended goes on until then.
  await writeGaps(db, { ended: [{ from, to: now, reason: "hub_stopped" }], open: null, now: from });
  return { from, to: now };
};

/** Stores when this instance stops, so that the interruption that may follow begins then. */
export const recordStop = ({ db, clock }: Store): Promise<void> => writeSetting(db, "stopped_at", String(clock.now()));
