/**
 * Runs: checks in a row with the same result, as one entry, the newest first. Days and hours without a failed check are
 * taken from their sums, so that a year of a healthy monitor is one run without reading its checks.
 */
import type { Static } from "@sinclair/typebox";
import { desc, eq } from "drizzle-orm";
import { longGaps, SHOWN_GAPS } from "../../../cluster/gaps";
import type { Deps } from "../../../core/deps";
import { monitorPauses } from "../../../db/schema";
import type { Interval } from "../../../lib/intervals";
import { average } from "../../../lib/round";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import { boolean, component, integer, nullable, number, oneOf, presentGaps, time } from "../../../server/answers";
import { DAY, HOUR } from "../../../shared/limits";
import { presentMaintenanceTimes, readMaintenanceTimes } from "../../alerting/maintenance/running";
import { readUnknownTimes } from "../heartbeats/lost-pings";
import { errorFields } from "../present";
import { readChecks } from "./checks";
import type { StoredCheck } from "./pack";
import { type Segment, segmentsBefore } from "./segments";

export const Run = component("Run", {
  id: integer("The time of its first check in epoch milliseconds.", 1_768_479_600_000),
  status: oneOf("The outcome of each of its checks.", ["up", "down"]),
  started_at: time("When its first check started.", "2026-01-15T10:04:00.000Z"),
  last_at: time("When its last check started."),
  ended_at: nullable(
    time(
      "When the next check had another result, the monitor was paused, or nothing could be known; null for the current run.",
    ),
    null,
  ),
  checks: integer("How many checks it has.", 137),
  response_time: nullable(number("Average response time in milliseconds; null without a response.", 84.2)),
  status_code: nullable(integer("The status code of its last check; null without a response.", 503)),
  ...errorFields,
  continues: boolean("Whether its older checks are on the next page.", false),
});
type Run = Static<typeof Run>;

/** Hours whose checks one call reads at most. */
const MAX_HOURS = 1000;
/** Pauses that end runs. */
const MAX_PAUSES = 1000;
/** Hours that are read at once. */
const HOURS_AT_ONCE = 24;

/** Reads the checks of segments, and of those after it that will be needed, too. */
const createReader = (deps: Deps, monitorId: number) => {
  let read = 0;
  const checksByHour = new Map<number, StoredCheck[]>();
  const hoursOf = ({ first, last }: Segment) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return {
    isExhausted: () => read >= MAX_HOURS,
    /** The checks of a segment, newest first. `next` are the segments after it. */
    checksOf: async (segment: Segment, next: readonly Segment[] = []): Promise<StoredCheck[]> => {
      const wanted = hoursOf(segment);
      if (!checksByHour.has(segment.first)) {
        const further = next.filter(({ isUp }) => !isUp).slice(0, HOURS_AT_ONCE - 1);
        const hours = [...wanted, ...further.flatMap(hoursOf)];
        read += hours.length;
        const readByHour = Map.groupBy(await readChecks(deps, monitorId, hours), (one) =>
          Math.floor(one.checkedAt / HOUR),
        );
        checksByHour.clear();
        for (const hour of hours) checksByHour.set(hour, readByHour.get(hour) ?? []);
      }
      return wanted.flatMap((hour) => checksByHour.get(hour) ?? []).reverse();
    },
  };
};

/** A run that is being read, from its last check to its first. */
type Draft = {
  last: StoredCheck;
  from: number;
  endedAt: number | null;
  checks: number;
  answered: number;
  totalTime: number;
  /** The segment whose sums were added last: the time of its first check is not known yet. */
  edge: Segment | null;
};

const present = ({ last, from, endedAt, checks, answered, totalTime }: Draft, continues: boolean): Run => ({
  id: from,
  status: last.up ? "up" : "down",
  started_at: isoTime(from),
  last_at: isoTime(last.checkedAt),
  ended_at: isoTimeOrNull(endedAt),
  checks,
  response_time: average(totalTime, answered),
  status_code: last.statusCode,
  error_code: last.error?.code ?? null,
  error_detail: last.error?.detail ?? null,
  continues,
});

const isSame = (a: StoredCheck, b: StoredCheck): boolean =>
  a.up === b.up && (a.up || (a.error?.code === b.error?.code && a.statusCode === b.statusCode));

/** The first pause that began after a time, and not after `until`. `pauses` are in order. */
const pauseBetween = (pauses: readonly number[], after: number, until: number): number | undefined =>
  pauses.find((start) => start > after && start <= until);

const startDraft = (last: StoredCheck, endedAt: number | null): Draft => ({
  last,
  from: last.checkedAt,
  endedAt,
  checks: 0,
  answered: 0,
  totalTime: 0,
  edge: null,
});

const addCheck = (draft: Draft, { checkedAt, responseTime }: StoredCheck): void => {
  draft.from = checkedAt;
  draft.checks++;
  if (responseTime === null) return;
  draft.answered++;
  draft.totalTime += responseTime;
};

const addSegment = (draft: Draft, segment: Segment): void => {
  draft.edge = segment;
  draft.checks += segment.up;
  draft.answered += segment.answered;
  draft.totalTime += segment.totalTime;
};

/** `after`: the time of the earliest check that is read. `gaps`: when the hub could know nothing, in order. */
type Wanted = { status?: "up" | "down"; after?: number; before?: number; limit?: number; gaps?: readonly Interval[] };

/** Folds checks and sums, from the newest to the oldest, into runs. `newer` is the time of the check after them. */
const createFold = (
  pauses: readonly number[],
  { status, limit }: Required<Pick<Wanted, "limit">> & Wanted,
  before: number,
) => {
  const runs: Run[] = [];
  let draft: Draft | null = null as Draft | null;
  /** After a sum, a time that is not before its last check. */
  let newer = before;
  const finish = (continues = false): void => {
    if (draft && (!status || (status === "up") === draft.last.up)) runs.push(present(draft, continues));
  };
  return {
    finish,
    page: (isLast: boolean) => ({ runs, next: isLast ? null : newer }),
    hasStarted: (): boolean => draft !== null,
    /** Adds the sums of a segment. Returns whether they continue the run. */
    addSums: (segment: Segment): boolean => {
      if (!segment.isUp || !draft?.last.up) return false;
      if (pauseBetween(pauses, segment.first * HOUR - 1, newer) !== undefined) return false;
      addSegment(draft, segment);
      newer = (segment.last + 1) * HOUR;
      return true;
    },
    /** The segment whose first check is needed. */
    edge: (): Segment | null => draft?.edge ?? null,
    settle: (edge: Segment, first: StoredCheck | undefined): void => {
      if (!draft) return;
      draft.from = newer = first?.checkedAt ?? edge.first * HOUR;
      draft.edge = null;
    },
    /** Adds a check. Returns whether the page is full without it. */
    addCheck: (check: StoredCheck): boolean => {
      const pause = pauseBetween(pauses, check.checkedAt, newer);
      if (!draft || pause !== undefined || !isSame(draft.last, check)) {
        finish();
        if (runs.length === limit) return true;
        draft = startDraft(check, pause ?? (newer === Number.POSITIVE_INFINITY ? null : newer));
      }
      addCheck(draft, check);
      newer = check.checkedAt;
      return false;
    },
  };
};

/** The latest pauses of a monitor, in order. */
const readPauses = async ({ db }: Deps, monitorId: number): Promise<number[]> => {
  const rows = await db
    .select({ at: monitorPauses.startedAt })
    .from(monitorPauses)
    .where(eq(monitorPauses.monitorId, monitorId))
    .orderBy(desc(monitorPauses.startedAt))
    .limit(MAX_PAUSES);
  return rows.map(({ at }) => at).reverse();
};

/** Reads a page of a monitor's runs before a time, newest first. `next` is `before` of the next page. */
export const readRuns = async (
  deps: Deps,
  monitorId: number,
  { status, after = Number.NEGATIVE_INFINITY, before = Number.POSITIVE_INFINITY, limit = 50, gaps = [] }: Wanted,
): Promise<{ runs: Run[]; next: number | null }> => {
  const latest = deps.clock.now() + DAY;
  // A time beyond all checks ends no run.
  const end = before > latest ? Number.POSITIVE_INFINITY : before;
  const ends = [...(await readPauses(deps, monitorId)), ...gaps.map(({ from }) => from)].toSorted((a, b) => a - b);
  const fold = createFold(ends, { status, limit }, end);
  const reader = createReader(deps, monitorId);
  const settle = async (): Promise<void> => {
    const edge = fold.edge();
    if (edge) fold.settle(edge, (await reader.checksOf(edge)).at(-1));
  };
  const finish = async () => {
    await settle();
    fold.finish();
    return fold.page(true);
  };
  for await (const segments of segmentsBefore(deps, monitorId, Math.min(before, latest))) {
    for (const [index, segment] of segments.entries()) {
      if ((segment.last + 1) * HOUR <= after) return finish();
      if (fold.addSums(segment)) continue;
      await settle();
      for (const check of await reader.checksOf(segment, segments.slice(index + 1))) {
        const isWanted = check.checkedAt < before && check.checkedAt >= after;
        if (isWanted && fold.addCheck(check)) return fold.page(false);
      }
      if (fold.hasStarted() && reader.isExhausted()) {
        fold.finish(true);
        return fold.page(false);
      }
    }
  }
  return finish();
};

/**
 * Reads a page of runs like readRuns, with the long unknown times since the first check of the oldest one, which end runs, and its
 * maintenance since then. Unknown times are no failures: there are none with a `status`.
 */
export const listRuns = async (deps: Deps, monitorId: number, wanted: Pick<Wanted, "status" | "before" | "limit">) => {
  const now = deps.clock.now();
  const to = Math.min(wanted.before ?? now, now);
  const gaps = wanted.status ? [] : longGaps(await readUnknownTimes(deps, monitorId, { from: 0, to }, SHOWN_GAPS), now);
  const page = await readRuns(deps, monitorId, { ...wanted, gaps: gaps.map(({ from, end }) => ({ from, to: end })) });
  const oldest = page.runs.at(-1)?.id ?? now;
  const maintained = await readMaintenanceTimes(deps, { type: "monitor", ids: [monitorId] }, { from: oldest, to });
  return {
    ...page,
    gaps: presentGaps(gaps.filter(({ end }) => end > oldest)),
    maintenance: presentMaintenanceTimes(maintained.get(monitorId)),
  };
};
