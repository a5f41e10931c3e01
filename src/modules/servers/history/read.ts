import { sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { sampleBlocks, sampleDays } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { logDamage, readBuckets, readRows, unionPacks } from "../../../history/read";
import { bucketsSince } from "../../../lib/time";
import { DAY, HOUR, SECOND } from "../../../shared/limits";
import { waitingSamples } from "../ingest/states";
import { hourOf, readPackedTimes, type StoredSample, sampleBlock, secondOf } from "./samples";
import { sampleShape } from "./shape";
import { hourSums, readSums, type Span, tenSums } from "./sums";

type Reading = Pick<Deps, "db" | "log">;

/** The stored times in the seconds of new samples. */
type StoredTimes = {
  /** The times of samples by the numbers of their seconds. */
  seconds: ReadonlyMap<number, number>;
  /** The spans of ten seconds that have a sample, by their numbers. */
  spans: ReadonlySet<number>;
};

/** The number of the ten seconds of a sample. */
export const tenSecondsOf = (at: number): number => Math.floor(at / (10 * SECOND));

/** Reads the times of all samples of agents in some hours, in the order they were stored. */
const readTimes = async (deps: Reading, ids: readonly number[], hours: readonly number[]) => {
  // What waits is read first, as in history/read.ts.
  const waiting = ids.map((id) => ({ id, hour: null, bytes: waitingSamples(deps.db, id) }));
  const blocks = sql`select agent_id, hour, data from ${sampleBlocks}
    where ${isOneOf(sampleBlocks.hour, hours)} and ${isOneOf(sampleBlocks.agentId, ids)}`;
  const rows = await deps.db.rows(unionPacks(sampleShape, blocks, 1, ids));
  const stored = rows.map((row) => ({
    id: Number(row.agent_id),
    hour: row.hour === null ? null : Number(row.hour),
    bytes: row.data as Uint8Array | null,
  }));
  const ordered = [...stored.filter(({ hour }) => hour !== null), ...stored.filter(({ hour }) => hour === null)];
  return [...ordered, ...waiting].flatMap(({ id, hour, bytes }) => {
    if (bytes === null) return [];
    const { rows, corrupt } = hour === null ? readPackedTimes(bytes) : sampleBlock.decode(hour, bytes);
    if (corrupt) logDamage(deps, sampleShape, id, hour);
    return [{ id, times: rows.map((row) => (typeof row === "number" ? row : row.at)) }];
  });
};

/** Reads the times of the stored samples in the seconds of new ones, which are given by agent. */
export const readStoredTimes = async (
  deps: Reading,
  samples: ReadonlyMap<number, readonly Pick<StoredSample, "at">[]>,
): Promise<Map<number, StoredTimes>> => {
  const timesByServer = new Map<number, { seconds: Map<number, number>; spans: Set<number> }>();
  const wanted = new Map<number, Set<number>>();
  const hours = new Set<number>();
  for (const [agentId, added] of samples) {
    if (added.length === 0) continue;
    for (const sample of added) hours.add(hourOf(sample));
    wanted.set(agentId, new Set(added.map(({ at }) => tenSecondsOf(at))));
    timesByServer.set(agentId, { seconds: new Map(), spans: new Set() });
  }
  if (wanted.size === 0) return timesByServer;
  for (const { id, times } of await readTimes(deps, [...wanted.keys()], [...hours])) {
    const [near, known] = [wanted.get(id), timesByServer.get(id)];
    for (const at of times) {
      const span = tenSecondsOf(at);
      if (!known || !near?.has(span)) continue;
      known.spans.add(span);
      if (!known.seconds.has(secondOf({ at }))) known.seconds.set(secondOf({ at }), at);
    }
  }
  return timesByServer;
};

type Part = { agentId: number; since: number; until: number };

/** The samples of an agent since a time, oldest first. */
export const readSamples = async (deps: Reading, { agentId, since, until }: Part): Promise<StoredSample[]> => {
  const samples = await readRows(deps, sampleShape, { id: agentId, hours: bucketsSince(since, until, HOUR) });
  return samples.filter(({ at }) => at >= since);
};

/** The sums of the ten minutes of an agent's hours with these numbers, oldest first. */
export const readTensOf = async (deps: Reading, agentId: number, hours: readonly number[]): Promise<Span[]> =>
  (await readBuckets(deps, sampleShape, tenSums, { id: agentId, buckets: hours })).flatMap(({ sums }) => sums);

/** The sums of an agent's ten minutes since a time, oldest first. */
export const readTens = async (deps: Reading, { agentId, since, until }: Part): Promise<Span[]> =>
  (await readTensOf(deps, agentId, bucketsSince(since, until, HOUR))).filter(({ at }) => at >= since);

/** The sums of an agent's hours since a time, oldest first. */
export const readHours = async (deps: Reading, { agentId, since, until }: Part): Promise<Span[]> => {
  const buckets = bucketsSince(since, until, HOUR);
  const hours = await readBuckets(deps, sampleShape, hourSums, { id: agentId, buckets });
  return hours.map(({ bucket, sums }) => ({ at: bucket * HOUR, sums }));
};

/** The sums of an agent's days before `until`, from those that are stored for whole days. */
export const readDays = async ({ db }: Reading, { agentId, since, until }: Part): Promise<Span[]> => {
  const columns = sql.raw(Object.keys(hourSums.columns).join(", "));
  const rows = await db.rows(sql`select bucket, ${columns} from ${sampleDays}
    where ${isOneOf(sampleDays.bucket, bucketsSince(since, until - 1, DAY))} and ${sampleDays.agentId} = ${agentId} order by bucket`);
  return rows.map((row) => ({ at: Number(row.bucket) * DAY, sums: readSums(row) }));
};
