/** Imports the history of new monitors: sums, outages, and gaps. */
import { setImmediate } from "node:timers/promises";
import type { Deps } from "../../../core/deps";
import type { Owner } from "../../../db/owner";
import { DAY } from "../../../shared/limits";
import { IMPORT_SOURCES, type ImportSource } from "../../../shared/transfer/sources";
import { importOutages } from "../../alerting/outages/imported";
import { extendWatched, importSums, readCreated } from "../../monitors/history/imported/write";
import { readHistoryOf } from "../reading/process";
import type { HistoryOutage, HistorySum, Upload } from "../sources/source";
import { writeHistoryUntil } from "./known";

/** Rows of one statement, which waits for the disk once and holds up other requests for some 20 ms. */
const ROWS = 4000;
/** Outages of one monitor; the latest are kept. */
const MAX_OUTAGES = 5000;

/** The parts of the history of a monitor that are stored at its end. */
type Collected = { from: number; until: number; days: number[]; outages: HistoryOutage[] };

type Options = {
  owner: Owner;
  source: ImportSource;
  upload: Upload;
  /** The ids here of the monitors whose history is imported, by their ids in the file. */
  ids: ReadonlyMap<number, number>;
};

/** The time between the days of a history that have no checks. */
const gapsOf = ({ days, from, until }: Collected, end: number): { from: number; to: number }[] => {
  const ordered = days.toSorted((a, b) => a - b);
  const gaps = ordered.flatMap((day, index) => {
    const next = ordered[index + 1];
    return next !== undefined && next > day + 1 ? [{ from: (day + 1) * DAY, to: next * DAY }] : [];
  });
  const within = gaps.filter((gap) => gap.from >= from && gap.to <= until);
  return end > until ? [...within, { from: until, to: end }] : within;
};

/** Imports the history of monitors. Returns how many days and outages were added. */
export const importHistory = async (
  deps: Deps,
  { owner, source, upload, ids }: Options,
): Promise<{ days: number; outages: number }> => {
  if (ids.size === 0) return { days: 0, outages: 0 };
  const collected = new Map<number, Collected>();
  const of = (id: number): Collected => {
    const existing = collected.get(id);
    if (existing) return existing;
    const created = { from: Number.POSITIVE_INFINITY, until: 0, days: [] as number[], outages: [] };
    collected.set(id, created);
    return created;
  };
  const write = async (kind: "hours" | "days", sums: readonly HistorySum[]) => {
    let added = 0;
    // The order of the tables, so that neighbouring rows are written together.
    const ordered = sums.toSorted((one, other) => one.bucket - other.bucket);
    for (let start = 0; start < ordered.length; start += ROWS) {
      const rows = ordered.slice(start, start + ROWS);
      added += await importSums(deps, kind, rows, (id) => ids.get(id) as number);
      await setImmediate();
    }
    return added;
  };
  let days = 0;
  for await (const part of readHistoryOf(source, upload, [...ids.keys()])) {
    await write("hours", part.hours ?? []);
    days += await write("days", part.days ?? []);
    for (const { id, bucket } of part.days ?? []) of(id).days.push(bucket);
    for (const outage of part.outages ?? []) {
      const { outages } = of(outage.id);
      outages.push(outage);
      if (outages.length > 2 * MAX_OUTAGES) outages.splice(0, MAX_OUTAGES);
    }
    for (const { id, from, until } of part.spans ?? []) Object.assign(of(id), { from, until });
  }
  const outages = await finish(deps, { owner, source, ids }, collected);
  return { days, outages };
};

/** Stores what is known once all of the history was read. */
const finish = async (
  deps: Deps,
  { owner, source, ids }: Pick<Options, "owner" | "source" | "ids">,
  collected: ReadonlyMap<number, Collected>,
): Promise<number> => {
  const createdAt = await readCreated(deps, [...ids.values()]);
  const now = deps.clock.now();
  let added = 0;
  for (const [fileId, known] of collected) {
    const id = ids.get(fileId) as number;
    const end = createdAt.get(id);
    // The monitor was deleted since.
    if (end === undefined) continue;
    const firstDay = Math.min(...known.days) * DAY;
    const oldest = now - deps.config.retention.hourDays * DAY;
    const from = Math.max(oldest, Math.min(known.from, known.days.length > 0 ? firstDay : known.from));
    const until = Math.min(end, known.until || (Math.max(...known.days) + 1) * DAY);
    if (!(from < until)) continue;
    const outages = known.outages.slice(-MAX_OUTAGES).flatMap(({ from: startedAt, to, text }) => {
      const endedAt = Math.min(to ?? until, until);
      return startedAt < endedAt ? [{ monitorId: id, startedAt, endedAt, text: text || "down" }] : [];
    });
    const gaps = gapsOf({ ...known, from, until }, end);
    // All of it or nothing, so that an import that was interrupted adds no outage twice.
    added += await deps.db.transact(async (tx) => {
      await extendWatched(tx, id, { from, gaps });
      await writeHistoryUntil(tx, owner.teamId, { monitorId: id, until });
      return importOutages({ ...deps, db: tx }, { owner, source: IMPORT_SOURCES[source] }, outages);
    });
    await setImmediate();
  }
  return added;
};
