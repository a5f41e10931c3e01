import { and, asc, eq, gt, inArray, lt, lte, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { readSetting, writeSetting } from "../../../db/app-settings";
import type { Queries } from "../../../db/database";
import { ownedBy } from "../../../db/owner";
import {
  agents,
  appSettings,
  samplePacks as packs,
  pendingPurges,
  sampleDays,
  sampleHours,
  agentStates as states,
} from "../../../db/schema";
import { isOneOf, lockRows } from "../../../db/sql";
import { deleteExpired, purgeRows } from "../../../history/retention";
import { DAY, HOUR } from "../../../shared/limits";
import type { OwnedTargets } from "../../accounts/owned";
import { purgeTargets } from "../../alerting/report";
import { rememberDeletedOf } from "../ingest/report-keys";
import { sampleShape } from "./shape";
import { hourSums, tenSums } from "./sums";

/** How late samples are accepted. They are stored for longer, so that duplicates are detected. */
export const SAMPLES_ACCEPTED = 48 * HOUR;
/** The longest retentions; the retention of samples is a setting. */
/** How long sums of ten minutes are kept, and with them the history of further figures. */
export const TENS_KEPT = 30 * DAY;
const SUMS_KEPT = 366 * DAY;
const SAMPLES_KEPT = 3651 * DAY;

const dayTable = { table: sampleDays, bucket: "bucket", length: DAY } as const;

/** Statements that delete what was recorded of an agent since a time, for one transaction or several. */
export const purgeSamples = (tx: Queries, id: number, since: number, now: number) => {
  const oldest = now - SUMS_KEPT;
  // Samples from before the agent was enrolled are accepted.
  const first = Math.max(now - SAMPLES_KEPT, Math.min(oldest, since - SAMPLES_ACCEPTED - DAY));
  const sums = [tenSums, hourSums, dayTable].map((table) => ({ ...table, since: oldest }));
  return [
    tx.delete(packs).where(eq(packs.agentId, id)),
    ...purgeRows(tx, sampleShape, [{ ...sampleShape.blocks, since: first }, ...sums], { id, now }),
  ];
};

/** States are deleted first, so that no report finds its agent afterwards. The agents are deleted with their user. */
const purgeUserServers: OwnedTargets["purge"] = (tx, owner, now) => {
  const theirs = sql`(select ${agents.id} from ${agents} where ${agents.teamId} in (${owner}))`;
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
        from ${agents} where ${agents.teamId} in (${owner})`,
    ],
  };
};

/** The servers of users. */
export const ownedServers: OwnedTargets = {
  count: (teamId) => sql`(select count(*) from ${agents} where ${ownedBy(agents, teamId)})`,
  purge: purgeUserServers,
  purgeHistory: purgeSamples,
};

/** Deletes expired rows of each table in small pieces. Returns whether more are left. */
export const deleteExpiredSamples = (deps: Pick<Deps, "db" | "clock" | "config">): Promise<boolean> =>
  deleteExpired(deps, sampleShape, [
    { ...sampleShape.blocks, kept: deps.config.retention.sampleDays * DAY },
    { ...tenSums, kept: TENS_KEPT },
    { ...hourSums, kept: 365 * DAY },
    { ...dayTable, kept: 365 * DAY },
  ]);

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

/** The columns of sums: all but the highest figure are added up for a day. */
const COLUMNS = Object.keys(hourSums.columns);
const names = sql.raw(COLUMNS.join(", "));
const summed = sql.raw(COLUMNS.map((name) => (name === "cpu_max" ? `max(h.${name})` : `sum(h.${name})`)).join(", "));
const replaced = sql.raw(COLUMNS.map((name) => `${name} = excluded.${name}`).join(", "));

/** Whether a pack has samples of an hour before this one. */
const hasPackedBefore = async ({ db }: Pick<Deps, "db">, hour: number): Promise<boolean> =>
  (await db.select({ id: packs.agentId }).from(packs).where(lt(packs.hour, hour)).limit(1)).length > 0;

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
  const batch = await db
    .select({ id: states.agentId })
    .from(states)
    .where(gt(states.agentId, agent))
    .orderBy(asc(states.agentId))
    .limit(AGENTS_AT_ONCE);
  const last = batch.at(-1)?.id;
  const whole = batch.length < AGENTS_AT_ONCE;
  const next: Mark = whole ? { day: day + 1, agent: 0 } : { day, agent: last ?? agent };
  const hours = Array.from({ length: DAY / HOUR }, (_, index) => day * (DAY / HOUR) + index);
  const value = JSON.stringify(next);
  await db.atomically((tx) => [
    // Locks the agents, so that none is deleted at the same time and leaves its days behind.
    ...lockRows(states, states.agentId, and(gt(states.agentId, agent), lte(states.agentId, last ?? agent))),
    sql`insert into ${sampleDays} (bucket, agent_id, ${names})
      select cast(${day} as integer), h.agent_id, ${summed} from ${sampleHours} as h
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
