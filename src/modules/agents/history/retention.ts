import { and, asc, eq, gt, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { readSetting, writeSetting } from "../../../db/app-settings";
import type { Queries } from "../../../db/database";
import {
  agents,
  appSettings,
  pendingPurges,
  sampleDays,
  sampleHours,
  samples,
  sampleTens,
  agentStates as states,
} from "../../../db/schema";
import { isOneOf, lockRows, skipLocked } from "../../../db/sql";
import { bucketsSince } from "../../../lib/time";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { purgeTargets } from "../../notifications/events";
import { rememberDeletedOf } from "../ingest/report-keys";

/** How long samples are stored and accepted: a duplicate of an older one could not be detected. */
export const SAMPLES_KEPT = 48 * HOUR;
/** The longest retention of an agent's history. */
const KEPT = 366 * DAY;

/** Buckets deleted at once, for each tier: some thousand rows. */
const TIERS = [
  { table: samples, bucket: samples.hour, length: HOUR, atOnce: 50 },
  { table: sampleTens, bucket: sampleTens.bucket, length: 10 * MINUTE, atOnce: 5000 },
  { table: sampleHours, bucket: sampleHours.bucket, length: HOUR, atOnce: 5000 },
  { table: sampleDays, bucket: sampleDays.bucket, length: DAY, atOnce: 5000 },
] as const;

/** Statements that delete an agent's history, for one transaction or several. */
export const purgeSamples = (tx: Queries, id: number, now: number) =>
  TIERS.flatMap(({ table, bucket, length, atOnce }) => {
    const buckets = bucketsSince(now - KEPT, now + DAY, length);
    return Array.from({ length: Math.ceil(buckets.length / atOnce) }, (_, index) =>
      tx
        .delete(table)
        .where(and(isOneOf(bucket, buckets.slice(index * atOnce, (index + 1) * atOnce)), eq(table.agentId, id))),
    );
  });

/**
 * Statements that delete the agents of the users that `owner` selects. Those of `states` come first in the
 * transaction, so that no report finds its agent afterwards. The agents are deleted with their
 * user, and their samples are added to the pending purges.
 */
export const purgeUserAgents = (tx: Queries, owner: SQL, now: number) => {
  const theirs = sql`(select ${agents.id} from ${agents} where ${agents.userId} in (${owner}))`;
  const ofTheirs = inArray(states.agentId, theirs);
  return {
    states: [
      ...lockRows(states, states.agentId, ofTheirs),
      rememberDeletedOf(owner, now),
      tx.delete(states).where(ofTheirs),
    ],
    rest: [
      ...purgeTargets(tx, "agent", theirs),
      sql`insert into ${pendingPurges} (kind, id, since) select 'agent', ${agents.id}, ${agents.createdAt}
        from ${agents} where ${agents.userId} in (${owner})`,
    ],
  };
};

const KEPT_SUMS = [
  { table: sampleTens, length: 10 * MINUTE, kept: 30 * DAY },
  { table: sampleHours, length: HOUR, kept: 365 * DAY },
  { table: sampleDays, length: DAY, kept: 365 * DAY },
] as const;

const SWEEP_ROWS = 5000;

/** Deletes expired rows of each tier in small pieces. Returns whether more are left. */
export const deleteExpiredSamples = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<boolean> => {
  const now = clock.now();
  const before = (length: number, kept: number) => Math.floor((now - kept) / length);
  const results = (await db.atomically(() => [
    sql`with old as (select hour, agent_id, at from ${samples} where hour < ${before(HOUR, SAMPLES_KEPT)} limit ${SWEEP_ROWS}${skipLocked})
      delete from ${samples} where (hour, agent_id, at) in (select hour, agent_id, at from old) returning 1 as gone`,
    ...KEPT_SUMS.map(
      ({ table, length, kept }) =>
        sql`with old as (select bucket, agent_id from ${table} where bucket < ${before(length, kept)} limit ${SWEEP_ROWS}${skipLocked})
          delete from ${table} where (bucket, agent_id) in (select bucket, agent_id from old) returning 1 as gone`,
    ),
  ])) as unknown[][];
  return results.some((deleted) => deleted.length === SWEEP_ROWS);
};

/** Progress of daily sums: all days before `day`, and of this one the agents up to `agent`. */
type Mark = { day: number; agent: number };

/** An hour longer than samples are accepted, because clocks of instances may differ. */
const SETTLED = SAMPLES_KEPT + HOUR;
const AGENTS_AT_ONCE = 500;

/** The first day bucket that may still get samples. */
const firstOpenDay = (now: number): number => Math.floor((now - SETTLED) / DAY);

const readMark = async ({ db }: Pick<Deps, "db">): Promise<Mark | null> => {
  const text = await readSetting(db, "days_summed");
  return text === undefined ? null : (JSON.parse(text) as Mark);
};

/** The first day bucket without sums, which must be read from its hours. */
export const firstUnsummedDay = async (deps: Pick<Deps, "db" | "clock">): Promise<number> => {
  const mark = await readMark(deps);
  return mark ? Math.min(mark.day, firstOpenDay(deps.clock.now())) : 0;
};

const firstDayOfAll = async ({ db }: Pick<Deps, "db">): Promise<number | undefined> => {
  const [first] = await db
    .select({ bucket: sampleHours.bucket })
    .from(sampleHours)
    .orderBy(asc(sampleHours.bucket))
    .limit(1);
  return first && Math.floor(first.bucket / (DAY / HOUR));
};

const COUNTS = "cpu memory disk network".split(" ").map((name) => `${name}_count`);
/** The columns that are added up for a day. */
const SUMS = [...COUNTS, ..."cpu memory disk rx tx".split(" ").map((name) => `${name}_total`)];
const names = sql.raw(SUMS.join(", "));
const added = sql.raw(SUMS.map((name) => `sum(h.${name})`).join(", "));
const replaced = sql.raw([...SUMS, "cpu_max"].map((name) => `${name} = excluded.${name}`).join(", "));

/**
 * Sums completed days from their hours, 500 agents at a time. Returns whether more are left.
 * Idempotent, also on several instances at once.
 */
export const sumDays = async (deps: Pick<Deps, "db" | "clock">): Promise<boolean> => {
  const { db, clock } = deps;
  const [mark, open] = [await readMark(deps), firstOpenDay(clock.now())];
  // A clock that was ahead may have marked future days as summed.
  if (mark && mark.day > open) await writeSetting(db, "days_summed", JSON.stringify({ day: open, agent: 0 }));
  const { day, agent } = mark ?? { day: (await firstDayOfAll(deps)) ?? open, agent: 0 };
  if (day >= open) return false;
  const found = await db
    .select({ id: states.agentId })
    .from(states)
    .where(gt(states.agentId, agent))
    .orderBy(asc(states.agentId))
    .limit(AGENTS_AT_ONCE);
  const last = found.at(-1)?.id;
  const whole = found.length < AGENTS_AT_ONCE;
  const next: Mark = whole ? { day: day + 1, agent: 0 } : { day, agent: last ?? agent };
  const hours = Array.from({ length: DAY / HOUR }, (_, index) => day * (DAY / HOUR) + index);
  const value = JSON.stringify(next);
  await db.atomically((tx) => [
    // Locks the agents, so that none is deleted at the same time and leaves its days behind.
    ...lockRows(states, states.agentId, and(gt(states.agentId, agent), lte(states.agentId, last ?? agent))),
    sql`insert into ${sampleDays} (bucket, agent_id, cpu_max, ${names})
      select cast(${day} as integer), h.agent_id, max(h.cpu_max), ${added} from ${sampleHours} as h
      cross join ${states} as s
      where s.agent_id = h.agent_id and ${isOneOf(sql`h.bucket`, hours)} and h.agent_id > ${agent} and h.agent_id <= ${last ?? agent}
      group by h.agent_id
      on conflict (bucket, agent_id) do update set ${replaced}`,
    tx
      .insert(appSettings)
      .values({ key: "days_summed", value })
      .onConflictDoUpdate({ target: appSettings.key, set: { value } }),
  ]);
  return true;
};
