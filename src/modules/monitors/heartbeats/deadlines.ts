/**
 * Finds the heartbeats whose pings are missing. Nothing runs for one before its deadline: on SQLite the next deadline is
 * known, and on PostgreSQL it is the first entry of an index.
 */
import { and, gt, isNotNull, lte, min, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { createDueCheck } from "../../../db/due";
import { heartbeats, monitorStates as states } from "../../../db/schema";
import { isOneOf, lockRows, withValues } from "../../../db/sql";
import type { Interval } from "../../../lib/intervals";
import { CLOCK_JUMP_MS } from "../../../lib/time";
import { SECOND } from "../../../shared/limits";
import { readMaintenance } from "../../alerting/maintenance/running";
import { EARLY, nextExpected } from "./schedule";
import { applyDeadline } from "./state";
import { type Read, readHeartbeats, writeEntries } from "./write";

/** Heartbeats that are written in one transaction. */
const BATCH = 500;
/** How long after a deadline an earlier ping may still be written, by this instance or another (ms). */
const WRITTEN_WITHIN = SECOND;

type Parts = Pick<Deps, "db" | "clock" | "log" | "live" | "meters">;

const COLUMNS = { monitor_id: "bigint", before: "bigint", deadline_at: "bigint", unknown_since: "bigint" } as const;

/** Moves deadlines that have not moved since they were read. */
const moveDeadlines = async (
  { db }: Pick<Deps, "db">,
  moved: readonly { read: Read; deadlineAt: number | null; unknownSince: number | null }[],
): Promise<void> => {
  if (moved.length === 0) return;
  const ids = moved.map(({ read }) => read.monitorId);
  const values = moved.map(({ read, deadlineAt, unknownSince }) => [
    ...[read.monitorId, read.stored.deadlineAt, deadlineAt, unknownSince],
  ]);
  await db.atomically(() => [
    // In the same order as the writes of pings, which would otherwise wait for this one and this one for them.
    ...lockRows(states, states.monitorId, isOneOf(states.monitorId, ids)),
    sql`${withValues("g", COLUMNS, values)} update ${heartbeats}
      set deadline_at = g.deadline_at, unknown_since = g.unknown_since
      from g where ${heartbeats.monitorId} = g.monitor_id and ${heartbeats.deadlineAt} = g.before`,
  ]);
};

/**
 * Moves deadlines that have passed in maintenance to its end, plus the grace time, because jobs may rest in it. Returns the
 * heartbeats whose deadlines stay.
 */
const moveToMaintenanceEnd = async (deps: Pick<Deps, "db">, due: readonly Read[]): Promise<Read[]> => {
  const targetOf = ({ teamId, monitorId }: Read) => ({ teamId, type: "monitor" as const, id: monitorId });
  const deadlineOf = ({ stored }: Read) => stored.deadlineAt ?? 0;
  const first = due.reduce((earliest, read) => Math.min(earliest, deadlineOf(read)), Number.POSITIVE_INFINITY);
  const untilOf = await readMaintenance(deps, due.map(targetOf), first);
  const ends = due.map((read) => untilOf(targetOf(read), deadlineOf(read)));
  const moved = due.flatMap((read, index) => {
    const end = ends[index] ?? null;
    const { unknownSince } = read.stored;
    return end === null ? [] : [{ read, deadlineAt: end + read.schedule.grace * SECOND, unknownSince }];
  });
  await moveDeadlines(deps, moved);
  return due.filter((_, index) => ends[index] === null);
};

/** Marks the heartbeats whose deadline has passed as down, as of that time. */
const markMissed = async (deps: Parts & Pick<Deps, "watching">, onChange: () => void): Promise<void> => {
  const now = deps.clock.now();
  // A heartbeat that changes at the same time is due again in the next second.
  for (let batchSize = BATCH; batchSize === BATCH; ) {
    const passed = await readHeartbeats(deps, lte(heartbeats.deadlineAt, now - WRITTEN_WITHIN), BATCH);
    const due = await moveToMaintenanceEnd(deps, passed);
    const missingSince = Math.min(...due.map(({ stored }) => stored.deadlineAt ?? now));
    if (due.length > 0 && !(await deps.watching.confirm(missingSince))) return;
    const entries = due.map((read) => ({ read, change: applyDeadline(read, now), ping: null }));
    const written = await writeEntries(deps, entries, onChange);
    batchSize = written.length + passed.length - due.length;
  }
};

type Deadline = Pick<Read["stored"], "deadlineAt" | "unknownSince">;

/**
 * The deadline after a gap, or after the clock was set back. If the ping was due in the gap, it may have been lost: the
 * next one counts.
 */
const extendedDeadline = (
  { stored, schedule }: Pick<Read, "stored" | "schedule">,
  { now, gap }: { now: number; gap: Interval | null },
): Deadline => {
  const { unknownSince, startedAt, pingedAt } = stored;
  const deadline = stored.deadlineAt ?? 0;
  const grace = schedule.grace * SECOND;
  const next = nextExpected(schedule, now) + grace;
  // A deadline that follows from a ping in the future counts from now, and after a gap again: when it is due is not known.
  if ((pingedAt ?? 0) > now + CLOCK_JUMP_MS)
    return { deadlineAt: gap === null ? Math.min(deadline, next) : next, unknownSince };
  const expected = deadline - grace;
  // The end of a run may come at any time.
  const from = startedAt ?? expected - EARLY;
  const mayBeLost = gap !== null && from <= gap.to && deadline + WRITTEN_WITHIN >= gap.from;
  if (!mayBeLost) return { deadlineAt: deadline, unknownSince };
  // A run that goes on does not hide the ping of another one.
  const since = startedAt === null ? expected : Math.max(startedAt, gap.from, pingedAt ?? 0);
  return { deadlineAt: Math.max(deadline, next), unknownSince: unknownSince ?? since };
};

/**
 * Extends deadlines after a gap of the hub: a ping that was due in it may have been lost, so its job is expected one period
 * from now, plus its grace time. Deadlines that follow from pings in the future, because the clock was set back, count from
 * now.
 */
export const extendDeadlines = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  gap: Interval | null,
): Promise<void> => {
  const now = clock.now();
  for (let last = 0, complete = false; !complete; ) {
    const page = await readHeartbeats(
      { db },
      and(gt(heartbeats.monitorId, last), isNotNull(heartbeats.deadlineAt)),
      BATCH,
      true,
    );
    complete = page.length < BATCH;
    last = page.at(-1)?.monitorId ?? last;
    const extended = page.map((read) => ({ read, ...extendedDeadline(read, { now, gap }) }));
    // A ping in between has set a deadline of its own.
    await moveDeadlines(
      { db },
      extended.filter(({ read, deadlineAt }) => deadlineAt !== read.stored.deadlineAt),
    );
  }
};

const readNextDeadline = async ({ db }: Pick<Deps, "db">): Promise<number | null> => {
  const [row] = await db.select({ at: min(heartbeats.deadlineAt) }).from(heartbeats);
  return row?.at == null ? null : row.at + WRITTEN_WITHIN;
};

/**
 * Creates the job that finds missing pings, to be called once a second. It judges nothing while the hub knows nothing, and
 * extends deadlines first after that, and after the clock was set back.
 */
export const createDeadlineSweep = (deps: Parts & Pick<Deps, "watching">, onChange: () => void) => {
  const isAnyDue = createDueCheck({ ...deps, tables: [heartbeats], read: () => readNextDeadline(deps) });
  const catchUp = deps.watching.follow(({ gap }) => extendDeadlines(deps, gap));
  return async (): Promise<void> => {
    if (deps.watching.isBlind()) return;
    await catchUp();
    if (await isAnyDue()) await markMissed(deps, onChange);
  };
};
