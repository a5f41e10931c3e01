import { and, asc, eq, gt, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { readSetting, writeSetting } from "../../../db/app-settings";
import type { Queries } from "../../../db/database";
import {
  agents,
  appSettings,
  samplePacks as packs,
  pendingPurges,
  sampleBlocks,
  sampleDays,
  sampleHours,
  sampleTens,
  agentStates as states,
} from "../../../db/schema";
import { isOneOf, lockRows, skipLocked } from "../../../db/sql";
import { bucketsSince } from "../../../lib/time";
import { DAY, HOUR } from "../../../shared/limits";
import { purgeTargets } from "../../notifications/events";
import { purgeOutages } from "../../outages/statements";
import { rememberDeletedOf } from "../ingest/report-keys";
import { hasPackedBefore } from "./rollup";

/** How late samples are accepted. They are stored for longer, so that duplicates are detected. */
export const SAMPLES_ACCEPTED = 48 * HOUR;
/** The longest retention of sums. That of samples is a setting. */
const SUMS_KEPT = 366 * DAY;

/** Buckets deleted at once, for each table: some thousand rows. */
const AT_ONCE = 5000;
const TABLES = [
  { table: sampleBlocks, bucket: sampleBlocks.hour, length: HOUR, kept: 3651 * DAY },
  { table: sampleTens, bucket: sampleTens.hour, length: HOUR, kept: SUMS_KEPT },
  { table: sampleHours, bucket: sampleHours.bucket, length: HOUR, kept: SUMS_KEPT },
  { table: sampleDays, bucket: sampleDays.bucket, length: DAY, kept: SUMS_KEPT },
] as const;

/** Statements that delete what was recorded of an agent since a time, for one transaction or several. */
export const purgeSamples = (tx: Queries, id: number, since: number, now: number) => [
  tx.delete(packs).where(eq(packs.agentId, id)),
  ...TABLES.flatMap(({ table, bucket, length, kept }) => {
    // Samples from before the agent was enrolled are accepted, and the clock may have been set.
    const first = Math.max(now - kept, Math.min(now - SUMS_KEPT, since - SAMPLES_ACCEPTED - DAY));
    const buckets = bucketsSince(first, now + DAY, length);
    return Array.from({ length: Math.ceil(buckets.length / AT_ONCE) }, (_, index) =>
      tx
        .delete(table)
        .where(and(isOneOf(bucket, buckets.slice(index * AT_ONCE, (index + 1) * AT_ONCE)), eq(table.agentId, id))),
    );
  }),
];

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
      purgeOutages(tx, "agent", theirs),
      ...purgeTargets(tx, "agent", theirs),
      sql`insert into ${pendingPurges} (kind, id, since) select 'agent', ${agents.id}, ${agents.createdAt}
        from ${agents} where ${agents.userId} in (${owner})`,
    ],
  };
};

const SWEEP_ROWS = 5000;

/** Deletes expired rows of each table in small pieces. Returns whether more are left. */
export const deleteExpiredSamples = async ({ db, clock, config }: Pick<Deps, "db" | "clock" | "config">) => {
  const before = (length: number, kept: number) => Math.floor((clock.now() - kept) / length);
  const expired = [
    { table: sampleBlocks, bucket: sql`hour`, last: before(HOUR, config.retention.sampleDays * DAY) },
    { table: sampleTens, bucket: sql`hour`, last: before(HOUR, 30 * DAY) },
    { table: sampleHours, bucket: sql`bucket`, last: before(HOUR, 365 * DAY) },
    { table: sampleDays, bucket: sql`bucket`, last: before(DAY, 365 * DAY) },
  ];
  const results = (await db.atomically(() =>
    expired.map(
      ({ table, bucket, last }) =>
        sql`with old as (select ${bucket}, agent_id from ${table} where ${bucket} < ${last} limit ${SWEEP_ROWS}${skipLocked})
          delete from ${table} where (${bucket}, agent_id) in (select ${bucket}, agent_id from old) returning 1 as gone`,
    ),
  )) as unknown[][];
  return results.some((deleted) => deleted.length === SWEEP_ROWS);
};

/** Progress of daily sums: all days before `day`, and of this one the agents up to `agent`. */
type Mark = { day: number; agent: number };

/** Some hours longer than samples are accepted: clocks of instances may differ, and late samples wait in packs. */
const SETTLED = SAMPLES_ACCEPTED + HOUR;
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
  if (day >= open || (await hasPackedBefore(deps, (day + 1) * (DAY / HOUR)))) return false;
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
