import { and, asc, gt, lte, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { readSetting, writeSetting } from "../../../db/app-settings";
import { appSettings, sampleDays, sampleHours, agentStates as states } from "../../../db/schema";
import { isOneOf, lockRows } from "../../../db/sql";
import { DAY, HOUR } from "../../../shared/limits";
import { SAMPLES_KEPT } from "./retention";

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

const COLUMNS = "cpu memory disk network".split(" ").map((name) => `${name}_count`);
const SUMS = [...COLUMNS, ..."cpu memory disk rx tx".split(" ").map((name) => `${name}_total`)];
const names = sql.raw(SUMS.join(", "));
const added = sql.raw(SUMS.map((name) => `sum(h.${name})`).join(", "));
const replaced = sql.raw([...SUMS, "cpu_max"].map((name) => `${name} = excluded.${name}`).join(", "));

/**
 * Sums completed days from their hours, some hundred agents at a time. Returns whether more are left.
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
    // Locks the agents, so that none is deleted meanwhile and leaves its days behind.
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
