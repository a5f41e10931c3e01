/**
 * Sends the reports that are due. Nothing waits in a timer: `nextAt` of each schedule is moved on in the transaction that writes
 * the event of its report, so that a period is sent once, also by several instances and after restarts and changes of the clock.
 */
import { and, asc, eq, gt, lte, or } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { reportSchedules, users } from "../../../db/schema";
import { lock, lockRows } from "../../../db/sql";
import { DAY } from "../../../shared/limits";
import { nextReportTime, reportedPeriod } from "../../../shared/reports/schedule";
import { readReportChannels } from "../../alerting/reports";
import type { Schedule } from "./link";
import { nextTimeOf, readScopeName, usableOf, writeReportOf } from "./service";

/** Schedules of one turn: where thousands are due at one hour, their reports are spread over a while. */
const BATCH = 100;
/** How late a report is sent at most, when the hub was off at its time. */
const LATEST = 3 * DAY;
/** No schedule is due later than this: the clock was set back. */
const FURTHEST = 40 * DAY;

type Store = Pick<Deps, "db" | "config" | "clock">;

const isDue = (now: number) => or(lte(reportSchedules.nextAt, now), gt(reportSchedules.nextAt, now + FURTHEST));

/** The last due time of a schedule, up to now. */
const lastTimeOf = (schedule: Schedule, now: number): number => {
  let at = schedule.nextAt;
  for (let next = nextReportTime(schedule, at); next <= now; next = nextReportTime(schedule, at)) at = next;
  return at;
};

/** Sends the report of one schedule if it is due, and moves it on. Returns whether an event was written. */
const sendDue = (store: Store, scheduleId: number): Promise<boolean> =>
  store.db.transact(async (tx) => {
    const within = { ...store, db: tx };
    const now = store.clock.now();
    await lock(tx, lockRows(reportSchedules, reportSchedules.id, eq(reportSchedules.id, scheduleId)));
    const [row] = await tx
      .select({ schedule: reportSchedules, role: users.role })
      .from(reportSchedules)
      .innerJoin(users, eq(users.id, reportSchedules.userId))
      .where(and(eq(reportSchedules.id, scheduleId), isDue(now)));
    if (!row) return false;
    const { schedule, role } = row;
    const { teamId, scope, sentPeriod } = schedule;
    const at = lastTimeOf(schedule, now);
    const period = reportedPeriod(schedule, at);
    const name = await readScopeName(within, teamId, scope);
    const recipients = usableOf(schedule, await readReportChannels(within, { teamId, role }));
    const isSent = at <= now && at > now - LATEST && period !== sentPeriod && name !== null && recipients.length > 0;
    const sent = isSent ? period : sentPeriod;
    const nextAt = nextTimeOf({ ...schedule, sentPeriod: sent }, now);
    await tx.update(reportSchedules).set({ nextAt, sentPeriod: sent }).where(eq(reportSchedules.id, scheduleId));
    return isSent && writeReportOf(within, schedule, { at, now, name }, recipients);
  });

/** Sends the reports that are due. Returns whether events were written. */
export const sendDueReports = async (deps: Store): Promise<boolean> => {
  const due = await deps.db
    .select({ id: reportSchedules.id })
    .from(reportSchedules)
    .where(isDue(deps.clock.now()))
    .orderBy(asc(reportSchedules.nextAt))
    .limit(BATCH);
  let written = false;
  for (const { id } of due) written = (await sendDue(deps, id)) || written;
  return written;
};
