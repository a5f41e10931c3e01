import { inArray, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import type { Queries } from "../../../db/database";
import { ownedBy } from "../../../db/owner";
import {
  checkBlocks,
  checkDays,
  checkHours,
  monitors,
  pendingPurges,
  monitorStates as states,
} from "../../../db/schema";
import { isOneOf, lockRows } from "../../../db/sql";
import { readRows, unionPacks } from "../../../history/read";
import { deleteExpired, purgeRows } from "../../../history/retention";
import { DAY, HOUR } from "../../../shared/limits";
import type { OwnedTargets } from "../../accounts/owned";
import { purgeTargets } from "../../alerting/report";
import { purgeTags } from "../../tags/service";
import { presentCheck } from "../present";
import { type StoredCheck, scanPack } from "./pack";
import { checkShape } from "./shape";
import { daySums, hourSums } from "./sums";

type Store = Pick<Deps, "db" | "log">;

/** Reads the checks of a monitor in some hours, oldest first. `only` selects a status. */
export const readChecks = async (
  deps: Store,
  monitorId: number,
  hours: readonly number[],
  only?: "up" | "down",
): Promise<StoredCheck[]> => {
  if (!only) return readRows(deps, checkShape, { id: monitorId, hours });
  const where = sql`exists (select 1 from ${checkHours} as h where h.bucket = ${checkBlocks.hour} and h.monitor_id = ${monitorId} and h.${sql.raw(only)} > 0)`;
  const checks = await readRows(deps, checkShape, { id: monitorId, hours, where });
  return checks.filter(({ up }) => up === (only === "up"));
};

/** Hours that the first query reads, the newest first, and the most that one reads. */
const FIRST_HOURS = 6;
const MOST_HOURS = 24 * 60;

/** Reads a monitor's checks before a time, newest first. */
export const readHistory = async (
  { db, log, clock, config }: Deps,
  { id: monitorId, kind }: { id: number; kind: string },
  { status, before = clock.now() + DAY, limit = 50 }: { status?: "up" | "down"; before?: number; limit?: number },
) => {
  const storedChecks: StoredCheck[] = [];
  const newest = Math.floor(Math.min(before, clock.now() + DAY) / HOUR);
  const oldest = Math.floor(clock.now() / HOUR) - config.retention.checkDays * 24;
  // The first range is short, because it is nearly always enough; each later one is twice as long.
  for (
    let hour = newest, stretch = FIRST_HOURS;
    hour >= oldest && storedChecks.length < limit;
    hour -= stretch, stretch = Math.min(2 * stretch, MOST_HOURS)
  ) {
    const hours = Array.from({ length: stretch }, (_, index) => hour - index);
    const checks = await readChecks({ db, log }, monitorId, hours, status);
    storedChecks.push(...checks.filter(({ checkedAt }) => checkedAt < before).reverse());
  }
  return storedChecks.slice(0, limit).map((check) => presentCheck(kind, check));
};

/** The numbers of up and down checks of a monitor on a day. */
type Counts = { monitorId: number; day: number; up: number; down: number };

/** The numbers of up and down checks of some monitors and days. One day may have several entries. */
export const readDailyCounts = async (
  { db }: Pick<Deps, "db">,
  monitorIds: readonly number[],
  days: readonly number[],
): Promise<Counts[]> => {
  const stored = sql`select monitor_id, bucket, up, down, null as pack from ${checkDays}
    where ${isOneOf(checkDays.bucket, days)} and ${isOneOf(checkDays.monitorId, monitorIds)}`;
  const rows = await db.rows(unionPacks(checkShape, stored, 3, monitorIds));
  const wanted = new Set(days);
  return rows.flatMap((row): Counts[] => {
    const monitorId = Number(row.monitor_id);
    if (row.pack === null) return [{ monitorId, day: Number(row.bucket), up: Number(row.up), down: Number(row.down) }];
    const counts = new Map<number, Counts>();
    scanPack(row.pack as Uint8Array, (at, up) => {
      const day = Math.floor(at / DAY);
      if (!wanted.has(day)) return;
      const count = counts.get(day) ?? { monitorId, day, up: 0, down: 0 };
      count[up ? "up" : "down"]++;
      counts.set(day, count);
    });
    return [...counts.values()];
  });
};

/** Purges one batch of checks and sums of hours that are older than their retention. Returns whether more are left. */
export const deleteExpiredHistory = (deps: Pick<Deps, "db" | "clock" | "config">): Promise<boolean> => {
  const { checkDays, hourDays } = deps.config.retention;
  return deleteExpired(deps, checkShape, [
    { ...checkShape.blocks, kept: checkDays * DAY },
    { ...hourSums, kept: hourDays * DAY },
  ]);
};

/** The statements that purge the history of a monitor since a time. */
export const purgeChecks = (tx: Queries, id: number, since: number, now: number) => {
  const tables = [checkShape.blocks, hourSums, daySums].map((table) => ({ ...table, since: since - table.length }));
  return purgeRows(tx, checkShape, tables, { id, now });
};

/**
 * The statements that delete what is stored of the monitors that `ids` selects, but not the monitors themselves. `states` run first in
 * the transaction: from then on no check is recorded. The history can be millions of rows: it is added to pending_purges.
 */
export const purgeMonitors = (tx: Queries, ids: SQL) => {
  const selected = sql`(${ids})`;
  const ofTheirs = inArray(states.monitorId, selected);
  return {
    states: [...lockRows(states, states.monitorId, ofTheirs), tx.delete(states).where(ofTheirs)],
    rest: [
      ...purgeTargets(tx, "monitor", selected),
      purgeTags(tx, "monitor", selected),
      sql`insert into ${pendingPurges} (kind, id, since) select 'monitor', ${monitors.id}, ${monitors.createdAt}
        from ${monitors} where ${monitors.id} in ${selected}`,
    ],
  };
};

/** The monitors of users. */
export const ownedMonitors: OwnedTargets = {
  count: (teamId) => sql`(select count(*) from ${monitors} where ${ownedBy(monitors, teamId)})`,
  purge: (tx, owner) =>
    purgeMonitors(tx, sql`select ${monitors.id} from ${monitors} where ${monitors.teamId} in (${owner})`),
  purgeHistory: purgeChecks,
};
