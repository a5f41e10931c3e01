/**
 * Moves the samples of past hours out of agents' packs:
 *
 *   1. write    the pending reports to packs (ingest/journal.ts)
 *   2. read     the packs whose oldest sample belongs to a past hour, and the blocks of those hours
 *   3. compute  a block and sums for each agent and hour
 *   4. write    all of it in one transaction, for each agent whose pack has not changed since it was read
 */

import { lt, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { samplePacks as packs, sampleBlocks, sampleHours, sampleTens, agentStates as states } from "../../../db/schema";
import { hex, isOneOf, lockRows, withValues } from "../../../db/sql";
import { HOUR, MINUTE } from "../../../shared/limits";
import { writeAllPending } from "../ingest/journal";
import { decodeBlock, decodePack, encodeBlock, encodePack, firstOfSeconds, hourOf, type StoredSample } from "./samples";
import { ADDED_COLUMNS, addSpans, decodeTens, encodeTens, SUM_COLUMNS, sumOf, sumTens, sumValues } from "./sums";

/** Agents per transaction. */
const BATCH = 500;
/** An hour is moved this long after its end, when most reports of it have arrived. */
const GRACE_MS = MINUTE;

type Rolling = Pick<Deps, "db" | "log">;
type Packed = { agentId: number; packHour: number; pack: Uint8Array };
/** What is written for one agent and hour. */
type Hour = { hour: number; added: StoredSample[]; block: Uint8Array; tens: Uint8Array };
type Move = { packed: Packed; hours: Hour[]; rest: StoredSample[] };
type Stored = { block: Uint8Array | null; tens: Uint8Array | null };

const keyOf = (hour: number, agentId: number) => `${hour}:${agentId}`;

const readPacks = async ({ db }: Pick<Deps, "db">, before: number): Promise<Packed[]> => {
  const rows = await db.select().from(packs).where(lt(packs.hour, before)).orderBy(packs.agentId).limit(BATCH);
  return rows.flatMap(({ agentId, hour, data }) =>
    hour === null || data === null ? [] : [{ agentId, packHour: hour, pack: data }],
  );
};

/** The blocks of some hours of these agents, and the sums of their ten minutes. */
const readStored = async ({ db }: Pick<Deps, "db">, hours: number[], ids: number[]): Promise<Map<string, Stored>> => {
  const rows = await db.rows(sql`
    select b.hour, b.agent_id, b.data, t.data as tens from ${sampleBlocks} as b
    left join ${sampleTens} as t on t.hour = b.hour and t.agent_id = b.agent_id
    where ${isOneOf(sql`b.hour`, hours)} and ${isOneOf(sql`b.agent_id`, ids)}`);
  return new Map(
    rows.map((row) => [
      keyOf(Number(row.hour), Number(row.agent_id)),
      { block: row.data as Uint8Array, tens: row.tens as Uint8Array | null },
    ]),
  );
};

/** Adds samples to a block and its sums. What is damaged is replaced. */
const planHour = (
  { log }: Rolling,
  { agentId, hour }: { agentId: number; hour: number },
  samples: StoredSample[],
  stored?: Stored,
): Hour => {
  const before = decodeBlock(hour, stored?.block ?? null);
  const tens = decodeTens(hour, stored?.tens ?? null);
  if (before.corrupt || tens === null)
    log.error("a block of samples is damaged, it is replaced by newer samples", { agent: agentId, hour });
  const known = new Set(before.samples);
  const all = firstOfSeconds([...before.samples, ...samples]);
  const added = all.filter((sample) => !known.has(sample));
  return {
    hour,
    added,
    block: encodeBlock(hour, all),
    tens: encodeTens(addSpans([...(tens ?? []), ...sumTens(added)])),
  };
};

const planMove = (deps: Rolling, packed: Packed, before: number, stored: Map<string, Stored>): Move => {
  const { agentId } = packed;
  const { samples, corrupt } = decodePack(packed.pack);
  if (corrupt) deps.log.error("a pack of samples is damaged, its readable part is kept", { agent: agentId });
  const past = Map.groupBy(
    samples.filter((sample) => hourOf(sample) < before),
    hourOf,
  );
  return {
    packed,
    hours: [...past].map(([hour, found]) => planHour(deps, { agentId, hour }, found, stored.get(keyOf(hour, agentId)))),
    rest: samples.filter((sample) => hourOf(sample) >= before),
  };
};

/** The condition that an agent's pack has not changed since it was read. */
const unchanged = sql`${packs.agentId} = m.agent_id and ${packs.hour} = m.pack_hour and octet_length(${packs.data}) = m.length`;
const movable = sql`join ${packs} on ${unchanged} where true`;
const MOVED = { agent_id: "bigint", pack_hour: "integer", length: "integer" } as const;
const movedValues = ({ agentId, packHour, pack }: Packed) => [agentId, packHour, pack.length];

const writeHourSums = (moves: Move[]): SQL => {
  const columns = Object.fromEntries([...ADDED_COLUMNS, "cpu_max"].map((name) => [name, "double precision"] as const));
  const rows = moves.flatMap(({ packed, hours }) =>
    hours.map(({ hour, added }) => [...movedValues(packed), hour, ...sumValues(sumOf(added))]),
  );
  const add = ADDED_COLUMNS.map((name) => `${name} = t.${name} + excluded.${name}`).join(", ");
  const read = [...ADDED_COLUMNS, "cpu_max"].map((name) => `m.${name}`).join(", ");
  return sql`${withValues("m", { ...MOVED, bucket: "integer", ...columns }, rows)}
    insert into ${sampleHours} as t (bucket, agent_id, ${sql.raw(SUM_COLUMNS)})
    select m.bucket, m.agent_id, ${sql.raw(read)} from m ${movable}
    on conflict (bucket, agent_id) do update set ${sql.raw(add)},
      cpu_max = case when t.cpu_max is null or excluded.cpu_max > t.cpu_max then coalesce(excluded.cpu_max, t.cpu_max) else t.cpu_max end`;
};

const writeMoves = (moves: Move[]): SQL[] => {
  const blocks = withValues(
    "m",
    { ...MOVED, hour: "integer", data: "bytes", tens: "bytes" },
    moves.flatMap(({ packed, hours }) =>
      hours.map(({ hour, block, tens }) => [...movedValues(packed), hour, hex(block), hex(tens)]),
    ),
  );
  const rests = withValues(
    "m",
    { ...MOVED, rest_hour: "integer", rest: "bytes" },
    moves.map(({ packed, rest }) => [
      ...movedValues(packed),
      rest.length > 0 ? Math.min(...rest.map(hourOf)) : null,
      rest.length > 0 ? hex(encodePack(rest)) : null,
    ]),
  );
  const ids = moves.map(({ packed }) => packed.agentId);
  return [
    ...lockRows(states, states.agentId, isOneOf(states.agentId, ids)),
    sql`${blocks} insert into ${sampleBlocks} (hour, agent_id, data) select m.hour, m.agent_id, m.data from m ${movable}
      on conflict (hour, agent_id) do update set data = excluded.data`,
    sql`${blocks} insert into ${sampleTens} (hour, agent_id, data) select m.hour, m.agent_id, m.tens from m ${movable}
      on conflict (hour, agent_id) do update set data = excluded.data`,
    writeHourSums(moves),
    sql`${rests} update ${packs} set hour = m.rest_hour, data = m.rest from m where ${unchanged} returning ${packs.agentId}`,
  ];
};

/** Moves one batch of samples of the hours before `before`. Returns how many agents had some, and how many were moved. */
const moveBatch = async (deps: Rolling, before: number): Promise<{ found: number; moved: number }> => {
  const found = await readPacks(deps, before);
  if (found.length === 0) return { found: 0, moved: 0 };
  const hours = new Set(
    found.flatMap(({ pack }) =>
      decodePack(pack)
        .samples.map(hourOf)
        .filter((hour) => hour < before),
    ),
  );
  const ids = found.map(({ agentId }) => agentId);
  const stored = await readStored(deps, [...hours], ids);
  const moves = found.map((packed) => planMove(deps, packed, before, stored));
  const results = await deps.db.atomically(() => writeMoves(moves));
  return { found: found.length, moved: (results.at(-1) as unknown[]).length };
};

/**
 * Creates the job that moves the samples of each past hour once. A call makes no query when there is nothing to move.
 * Packs that changed while they were moved are left to the next call, and late samples to the next hour.
 */
export const createSampleRollup = (deps: Rolling & Pick<Deps, "clock">) => {
  let movedBefore = 0;
  return async (): Promise<void> => {
    const before = Math.floor((deps.clock.now() - GRACE_MS) / HOUR);
    if (before === movedBefore) return;
    await writeAllPending(deps);
    for (;;) {
      const { found, moved } = await moveBatch(deps, before);
      if (found < BATCH && moved === found) movedBefore = before;
      if (found < BATCH || moved === 0) return;
      await deps.clock.sleep(50);
    }
  };
};

/** Whether a pack has samples of an hour before this one. */
export const hasPackedBefore = async ({ db }: Pick<Deps, "db">, hour: number): Promise<boolean> =>
  (await db.select({ id: packs.agentId }).from(packs).where(lt(packs.hour, hour)).limit(1)).length > 0;
