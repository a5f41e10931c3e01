/**
 * Downtime of the hub: no instance ran, so no monitor has a status. An instance detects it from the last write when it
 * starts, and after a pause of its process, such as sleep.
 */
import { and, gt, ne, sql } from "drizzle-orm";
import type { Deps } from "../core/deps";
import { readSetting, writeSetting } from "../db/app-settings";
import { agentStates, hubGaps, instances, monitorStates } from "../db/schema";
import { MINUTE } from "../shared/limits";
import { INSTANCE_TIMEOUT } from "./instances";

/** No monitor is checked more often, so a shorter interruption loses no check. */
const SHORTEST = MINUTE;

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

const storeGap = async ({ db }: Pick<Store, "db">, from: number, to: number): Promise<void> => {
  if (from > 0 && to - from >= SHORTEST)
    await db.insert(hubGaps).values({ startedAt: from, endedAt: to }).onConflictDoNothing();
};

/**
 * Stores the time since an instance last ran, unless another one runs. Call it at the start, before this instance's first
 * heartbeat.
 */
export const recordDowntime = async ({ db, clock }: Store): Promise<void> => {
  const now = clock.now();
  const alive =
    db.engine === "postgres" && (await db.$count(instances, gt(instances.seenAt, now - INSTANCE_TIMEOUT))) > 0;
  if (!alive) await storeGap({ db }, await lastSeen({ db }), now);
};

/** Stores when this instance stops, so that the interruption that may follow begins then. */
export const recordStop = ({ db, clock }: Store): Promise<void> => writeSetting(db, "stopped_at", String(clock.now()));

/** Creates the job that stores pauses of this process, to be called every few seconds. */
export const createPauseWatch = ({ db, clock, instance }: Store & Pick<Deps, "instance">) => {
  let seenAt = clock.now();
  return async (): Promise<void> => {
    const [since, now] = [seenAt, clock.now()];
    seenAt = now;
    if (now - since < SHORTEST) return;
    const others = and(ne(instances.id, instance), gt(instances.seenAt, since + INSTANCE_TIMEOUT));
    if (db.engine === "sqlite" || (await db.$count(instances, others)) === 0) await storeGap({ db }, since, now);
  };
};
