/**
 * Alerts about disks that will be full soon. Each hour the mounts of all servers are evaluated: an alert begins if the mount
 * will be full in less than 72 hours at the rate of the last day and of the last six hours, and ends beyond 96 hours.
 */
import { and, asc, eq, gt } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { agents, agentStates as states } from "../../../db/schema";
import { isOneOf, lock, lockRows } from "../../../db/sql";
import { isoTime } from "../../../lib/time";
import { usedPercent } from "../../../shared/agents/report";
import { DAY, HOUR } from "../../../shared/limits";
import { type Change, readOpenOutages, report } from "../../alerting/report";
import { readTens } from "../history/read";
import { readServers } from "../ingest/states";

type Store = Pick<Deps, "db" | "clock" | "live" | "log">;

/** Agents that are read at once. */
const PAGE = 200;
/** Open alerts of one server. */
const MAX_OPEN = 50;
/** A mount that is less full than this is left out: a disk seldom fills up from it within three days. */
const LEAST_USED = 30;
const [BEGINS, ENDS] = [72 * HOUR, 96 * HOUR];
/** For how long a mount has to be known. */
const LEAST_KNOWN = 12 * HOUR;
const RECENT = 6 * HOUR;

type Point = { at: number; share: number };

/** The slope of the best line through points, in percent for each millisecond. */
const slopeOf = (points: readonly Point[]): number => {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [at, share] = [mean(points.map((one) => one.at)), mean(points.map((one) => one.share))];
  const spread = points.reduce((sum, one) => sum + (one.at - at) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, one) => sum + (one.at - at) * (one.share - share), 0) / spread;
};

/**
 * How many milliseconds are left until a disk is full, at the lower of the rates of all points and of the recent ones;
 * infinity where it does not fill up, null where too little is known.
 */
export const timeLeft = (points: readonly Point[], used: number, now: number): number | null => {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || last.at - first.at < LEAST_KNOWN) return null;
  const recent = points.filter(({ at }) => at > now - RECENT);
  const rate = Math.min(slopeOf(points), slopeOf(recent));
  return rate > 0 ? (100 - used) / rate : Number.POSITIVE_INFINITY;
};

/** A mount whose alert begins or ends; `used` is null for a removed mount, whose alert ends without a message. */
type Mount = { agentId: number; mount: string; used: number | null; exhaustedAt: number };
/** The mounts with an open alert, by agent. */
type Open = ReadonlyMap<number, ReadonlySet<string>>;

const NONE: ReadonlySet<string> = new Set();

/** The mounts of agents by whether an alert about them is to begin, or to end. */
const evaluate = async (deps: Store, ids: readonly number[], open: Open, now: number) => {
  const [begin, end]: [Mount[], Mount[]] = [[], []];
  const rows = await readServers(deps.db, { series: agents.series, extra: states.extra }, isOneOf(agents.id, ids));
  for (const { agentId, series, extra } of rows) {
    const opened = open.get(agentId) ?? NONE;
    const there = new Set([...(extra?.disks ?? []), ...(extra?.unreadable_disks ?? [])].map(({ mount }) => mount));
    for (const mount of opened) if (!there.has(mount)) end.push({ agentId, mount, used: null, exhaustedAt: now });
    const disks = (extra?.disks ?? []).flatMap((disk) => {
      const used = usedPercent(disk);
      const place = series?.indexOf(`disk:${disk.mount}`) ?? -1;
      const isOpen = opened.has(disk.mount);
      return used !== null && place >= 0 && (isOpen || used >= LEAST_USED) ? [{ ...disk, used, place, isOpen }] : [];
    });
    if (disks.length === 0) continue;
    // Reading and decoding a day takes about a millisecond, which blocks reports on SQLite.
    await deps.clock.sleep(2);
    const tens = await readTens(deps, { agentId, since: now - DAY, until: now });
    const filling: Mount[] = [];
    for (const { mount, used, place, isOpen } of disks) {
      const points = tens.flatMap(({ at, further = [] }): Point[] => {
        const sums = further.find(([number]) => number === place);
        return sums ? [{ at, share: sums[2] / sums[1] / 100 }] : [];
      });
      const left = timeLeft(points, used, now);
      const candidate = { agentId, mount, used, exhaustedAt: Math.round(now + (left ?? 0)) };
      if (left === null) continue;
      if (!isOpen && left < BEGINS) filling.push(candidate);
      if (isOpen && left > ENDS) end.push(candidate);
    }
    const soonest = filling.toSorted((one, other) => one.exhaustedAt - other.exhaustedAt);
    begin.push(...soonest.slice(0, Math.max(0, MAX_OPEN - opened.size)));
  }
  return { begin, end };
};

/** The mounts of agents with an open alert. */
const readOpen = async (deps: Store, ids: readonly number[]): Promise<Open> => {
  const open = await readOpenOutages(deps, "agent", ["filling"], ids);
  const byServer = [...Map.groupBy(open, ({ targetId }) => targetId)];
  return new Map(byServer.map(([agentId, own]) => [agentId, new Set(own.map(({ subject }) => subject))]));
};

const changeOf = ({ agentId, mount, used, exhaustedAt }: Mount, opens: boolean, now: number): Change => ({
  ...{ targetId: agentId, kind: "filling", subject: mount, at: now, opens, silent: used === null, figure: used, mount },
  facts: opens ? { exhausted_at: isoTime(exhaustedAt) } : null,
});

const write = async (deps: Store, begin: readonly Mount[], end: readonly Mount[], now: number): Promise<void> => {
  const ids = [...new Set([...begin, ...end].map(({ agentId }) => agentId))];
  await deps.db.transact(async (tx) => {
    await lock(tx, lockRows(states, states.agentId, isOneOf(states.agentId, ids)));
    // Another instance may have begun or ended alerts since.
    const open = await readOpen({ ...deps, db: tx }, ids);
    const isOpen = ({ agentId, mount }: Mount) => open.get(agentId)?.has(mount) === true;
    const hasRoom = ({ agentId }: Mount) => (open.get(agentId)?.size ?? 0) < MAX_OPEN;
    await report({ ...deps, db: tx }, "agent", [
      ...begin.filter((one) => !isOpen(one) && hasRoom(one)).map((one) => changeOf(one, true, now)),
      ...end.filter(isOpen).map((one) => changeOf(one, false, now)),
    ]);
  });
};

/** Begins and ends alerts about disks that fill up. Returns whether events were written. */
export const alertFilling = async (deps: Store): Promise<boolean> => {
  const { db, clock } = deps;
  let [after, written] = [0, false];
  for (;;) {
    const rows = await db
      .select({ id: agents.id })
      .from(agents)
      .innerJoin(states, eq(states.agentId, agents.id))
      .where(and(gt(agents.id, after), eq(states.status, "active")))
      .orderBy(asc(agents.id))
      .limit(PAGE);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return written;
    const { begin, end } = await evaluate(deps, ids, await readOpen(deps, ids), clock.now());
    if (begin.length + end.length > 0) {
      await write(deps, begin, end, clock.now());
      written = true;
    }
    if (ids.length < PAGE) return written;
    after = ids.at(-1) ?? after;
    await clock.sleep(20);
  }
};
