import { type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { logErrorOnce } from "../../../core/log";
import { samplePacks as packs, sampleBlocks, sampleDays, sampleHours, sampleTens } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { bucketsSince } from "../../../lib/time";
import { DAY, HOUR, SECOND } from "../../../shared/limits";
import { pendingPack } from "../ingest/pending";
import { decodeBlock, decodePack, decodeTimes, firstOfSeconds, hourOf, type StoredSample } from "./samples";
import { addSpans, decodeTens, readSums, type Span, SUM_COLUMNS, sumHours, sumTens } from "./sums";

type Reading = Pick<Deps, "db" | "log">;

const logDamage = ({ log }: Reading, agent: number, hour: number | null): void =>
  logErrorOnce(log, "stored samples are damaged, they are skipped", { agent, hour });

/*
 * Samples move from pending reports to packs, and from packs to blocks and sums. What is pending is taken before the one
 * statement that reads the others, so that no sample is missed.
 */

/** The samples of a pack and of pending reports in some hours, each second once. */
const runningSamples = (pack: Uint8Array | null, waiting: Uint8Array | null, hours: readonly number[]) => {
  const wanted = new Set(hours);
  const samples = firstOfSeconds([...decodePack(pack).samples, ...decodePack(waiting).samples]);
  return samples.filter((sample) => wanted.has(hourOf(sample)));
};

/** The packs of these agents in a union with their stored rows: samples move from packs, and are read once. */
const withPacks = (stored: SQL, agentIds: readonly number[]): SQL =>
  sql`${stored} union all select null, ${packs.agentId}, ${packs.data} from ${packs} where ${isOneOf(packs.agentId, agentIds)} and ${packs.data} is not null`;

type Row = Record<string, unknown>;

/** Reads what is stored of some agents in some hours: rows in the order in which they were stored, then pending reports. */
const readRows = async (deps: Reading, agentIds: readonly number[], hours: readonly number[]) => {
  const waiting = new Map(agentIds.map((id) => [id, pendingPack(deps.db, id)]));
  const rows: Row[] = await deps.db.rows(
    withPacks(
      sql`select hour, agent_id, data from ${sampleBlocks} where ${isOneOf(sampleBlocks.hour, hours)} and ${isOneOf(sampleBlocks.agentId, agentIds)}`,
      agentIds,
    ),
  );
  // A sample of a block was stored before one of the pack, and that before one of pending reports.
  const ordered = [...rows.filter(({ hour }) => hour !== null), ...rows.filter(({ hour }) => hour === null)];
  return {
    waiting,
    stored: ordered.map((row) => ({
      agentId: Number(row.agent_id),
      hour: row.hour === null ? null : Number(row.hour),
      bytes: row.data as Uint8Array,
    })),
  };
};

/** What is stored in the seconds of new samples. */
type StoredTimes = {
  /** The times of samples by the numbers of their seconds. */
  seconds: ReadonlyMap<number, number>;
  /** The spans of ten seconds that have a sample, by their numbers. */
  spans: ReadonlySet<number>;
};

const secondOf = (at: number): number => Math.floor(at / SECOND);

/** The number of the ten seconds of a sample. */
export const tenSecondsOf = (at: number): number => Math.floor(at / (10 * SECOND));

const timesOfBlock = (hour: number, bytes: Uint8Array) => {
  const { samples, corrupt } = decodeBlock(hour, bytes);
  return { times: samples.map(({ at }) => at), corrupt };
};

/** Reads the times of the stored samples in the seconds of new ones, which are given by agent. */
export const readStoredTimes = async (
  deps: Reading,
  samples: ReadonlyMap<number, readonly Pick<StoredSample, "at">[]>,
): Promise<Map<number, StoredTimes>> => {
  const found = new Map<number, { seconds: Map<number, number>; spans: Set<number> }>();
  const wanted = new Map<number, Set<number>>();
  const hours = new Set<number>();
  for (const [agentId, added] of samples) {
    if (added.length === 0) continue;
    for (const sample of added) hours.add(hourOf(sample));
    wanted.set(agentId, new Set(added.map(({ at }) => tenSecondsOf(at))));
    found.set(agentId, { seconds: new Map(), spans: new Set() });
  }
  if (wanted.size === 0) return found;
  const { stored, waiting } = await readRows(deps, [...wanted.keys()], [...hours]);
  const add = (agentId: number, times: readonly number[]) => {
    const [near, known] = [wanted.get(agentId), found.get(agentId)];
    for (const at of times) {
      const span = tenSecondsOf(at);
      if (!known || !near?.has(span)) continue;
      known.spans.add(span);
      if (!known.seconds.has(secondOf(at))) known.seconds.set(secondOf(at), at);
    }
  };
  for (const { agentId, hour, bytes } of stored) {
    const { times, corrupt } = hour === null ? decodeTimes(bytes) : timesOfBlock(hour, bytes);
    if (corrupt) logDamage(deps, agentId, hour);
    add(agentId, times);
  }
  for (const [agentId, pack] of waiting) if (pack) add(agentId, decodeTimes(pack).times);
  return found;
};

/** Reads the samples of some agents in some hours: of each agent in the order in which they were stored. */
const readStoredSamples = async (
  deps: Reading,
  agentIds: readonly number[],
  hours: readonly number[],
): Promise<Map<number, StoredSample[]>> => {
  const { stored, waiting } = await readRows(deps, agentIds, hours);
  const wanted = new Set(hours);
  const found = new Map<number, StoredSample[]>();
  const add = (agentId: number, samples: readonly StoredSample[]) =>
    found.set(agentId, [...(found.get(agentId) ?? []), ...samples.filter((sample) => wanted.has(hourOf(sample)))]);
  for (const { agentId, hour, bytes } of stored) {
    const { samples, corrupt } = hour === null ? decodePack(bytes) : decodeBlock(hour, bytes);
    if (corrupt) logDamage(deps, agentId, hour);
    add(agentId, samples);
  }
  for (const [agentId, pack] of waiting) add(agentId, decodePack(pack).samples);
  return found;
};

type Part = { agentId: number; since: number; until: number };

/** The samples of an agent since a time, oldest first. */
export const readSamples = async (deps: Reading, { agentId, since, until }: Part): Promise<StoredSample[]> => {
  const found = await readStoredSamples(deps, [agentId], bucketsSince(since, until, HOUR));
  return firstOfSeconds(found.get(agentId) ?? []).filter(({ at }) => at >= since);
};

/** The sums of an agent's ten minutes since a time, oldest first. */
export const readTens = async (deps: Reading, { agentId, since, until }: Part): Promise<Span[]> => {
  const hours = bucketsSince(since, until, HOUR);
  const waiting = pendingPack(deps.db, agentId);
  const rows = await deps.db.rows(
    withPacks(
      sql`select hour, agent_id, data from ${sampleTens} where ${isOneOf(sampleTens.hour, hours)} and ${sampleTens.agentId} = ${agentId}`,
      [agentId],
    ),
  );
  const pack = rows.find(({ hour }) => hour === null);
  const moved = rows.flatMap((row): Span[] => {
    if (row.hour === null) return [];
    const tens = decodeTens(Number(row.hour), row.data as Uint8Array);
    if (tens === null) logDamage(deps, agentId, Number(row.hour));
    return tens ?? [];
  });
  const running = sumTens(runningSamples((pack?.data ?? null) as Uint8Array | null, waiting, hours));
  return addSpans([...moved, ...running]).filter(({ at }) => at >= since);
};

/** The sums of an agent's days before `until`, from those that are stored for whole days. */
export const readDays = async ({ db }: Reading, { agentId, since, until }: Part): Promise<Span[]> => {
  const rows = await db.rows(sql`select bucket, ${sql.raw(SUM_COLUMNS)} from ${sampleDays}
    where ${isOneOf(sampleDays.bucket, bucketsSince(since, until - 1, DAY))} and ${sampleDays.agentId} = ${agentId} order by bucket`);
  return rows.map((row) => ({ at: Number(row.bucket) * DAY, sums: readSums(row) }));
};

/** The sums of an agent's hours since a time, oldest first. */
export const readHours = async ({ db }: Reading, { agentId, since, until }: Part): Promise<Span[]> => {
  const hours = bucketsSince(since, until, HOUR);
  const waiting = pendingPack(db, agentId);
  const empty = sql.raw(Array.from({ length: SUM_COLUMNS.split(", ").length }, () => "null").join(", "));
  const rows = await db.rows(sql`
    select bucket, ${sql.raw(SUM_COLUMNS)}, null as pack from ${sampleHours}
      where ${isOneOf(sampleHours.bucket, hours)} and ${sampleHours.agentId} = ${agentId}
    union all select null, ${empty}, ${packs.data} from ${packs} where ${packs.agentId} = ${agentId} and ${packs.data} is not null`);
  const pack = rows.find(({ bucket }) => bucket === null);
  const moved = rows.flatMap((row): Span[] =>
    row.bucket === null ? [] : [{ at: Number(row.bucket) * HOUR, sums: readSums(row) }],
  );
  const running = sumHours(runningSamples((pack?.pack ?? null) as Uint8Array | null, waiting, hours));
  return addSpans([...moved, ...running]);
};
