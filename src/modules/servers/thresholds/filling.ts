/**
 * Forecasts of when disks will be full, and alerts about those that will be soon. Each hour the mounts of all servers are
 * evaluated: an alert begins if the mount will be full in less than 72 hours, and ends beyond 96 hours.
 */
import { and, asc, eq, gt } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { agents, type DiskForecasts, agentStates as states } from "../../../db/schema";
import { isOneOf, lock, lockRows } from "../../../db/sql";
import { isoTime } from "../../../lib/time";
import { usedPercent } from "../../../shared/agents/report";
import { MINUTE } from "../../../shared/limits";
import { type Change, readOpenOutages, report } from "../../alerting/report";
import { readTensOf } from "../history/read";
import { readServers } from "../ingest/states";
import { ALERT_BEGINS, ALERT_ENDS, forecastOf, hoursOfForecast, type SharePoint } from "./forecast";

type Store = Pick<Deps, "db" | "clock" | "live" | "log">;

/** Agents that are read at once. */
const PAGE = 200;
/** Open alerts of one server. */
const MAX_OPEN = 50;

/** A mount whose alert begins or ends; `used` is null for a removed mount, whose alert ends without a message. */
type Mount = { agentId: number; mount: string; used: number | null; exhaustedAt: number };
/** The mounts with an open alert, by agent. */
type Open = ReadonlyMap<number, ReadonlySet<string>>;
/** The forecasts of a server, which replace the stored ones. */
type Forecasts = { agentId: number; forecasts: DiskForecasts };

const NONE: ReadonlySet<string> = new Set();

/** The share in use of each mount that a forecast is made from. */
const readShares = async (deps: Store, agentId: number, now: number) => {
  const tens = await readTensOf(deps, agentId, hoursOfForecast(now));
  return (place: number): SharePoint[] =>
    tens.flatMap(({ at, further = [] }) => {
      const sums = further.find(([number]) => number === place);
      return sums ? [{ at, share: sums[2] / sums[1] / 100 }] : [];
    });
};

/** Forecasts as they are stored: the minute when a disk is full, null while it does not grow. */
const toStored = (disks: readonly { mount: string; left: number | null }[], now: number): DiskForecasts => {
  const known = disks.flatMap(({ mount, left }): DiskForecasts["disks"] => {
    if (left === null) return [];
    return [[mount, left === Number.POSITIVE_INFINITY ? null : Math.round((now + left) / MINUTE) * MINUTE]];
  });
  const times = known.flatMap(([, at]) => at ?? []);
  return { first: times.length > 0 ? Math.min(...times) : null, disks: known };
};

/** The forecasts of agents that change, and the mounts by whether an alert about them is to begin, or to end. */
const evaluate = async (deps: Store, ids: readonly number[], open: Open, now: number) => {
  const [changed, begin, end]: [Forecasts[], Mount[], Mount[]] = [[], [], []];
  const columns = { series: agents.series, diskForecasts: agents.diskForecasts, extra: states.extra };
  const rows = await readServers(deps.db, columns, isOneOf(agents.id, ids));
  for (const { agentId, series, diskForecasts, extra } of rows) {
    const opened = open.get(agentId) ?? NONE;
    const there = new Set([...(extra?.disks ?? []), ...(extra?.unreadable_disks ?? [])].map(({ mount }) => mount));
    for (const mount of opened) if (!there.has(mount)) end.push({ agentId, mount, used: null, exhaustedAt: now });
    const disks = (extra?.disks ?? []).flatMap((disk) => {
      const used = usedPercent(disk);
      const place = series?.indexOf(`disk:${disk.mount}`) ?? -1;
      return used !== null && place >= 0 ? [{ mount: disk.mount, used, place }] : [];
    });
    if (disks.length === 0) continue;
    // Reading and decoding the history takes about two milliseconds, which block reports on SQLite.
    await deps.clock.sleep(2);
    const sharesOf = await readShares(deps, agentId, now);
    const forecasts = disks.map(({ place, ...disk }) => ({ ...disk, ...forecastOf(sharesOf(place), disk.used, now) }));
    const stored = toStored(forecasts, now);
    if (!Bun.deepEquals(stored, diskForecasts)) changed.push({ agentId, forecasts: stored });
    const filling: Mount[] = [];
    for (const { mount, used, soon } of forecasts) {
      if (soon === null) continue;
      const candidate = { agentId, mount, used, exhaustedAt: Math.round(now + soon) };
      if (!opened.has(mount) && soon < ALERT_BEGINS) filling.push(candidate);
      if (opened.has(mount) && soon > ALERT_ENDS) end.push(candidate);
    }
    const soonest = filling.toSorted((one, other) => one.exhaustedAt - other.exhaustedAt);
    begin.push(...soonest.slice(0, Math.max(0, MAX_OPEN - opened.size)));
  }
  return { changed, begin, end };
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

type Evaluation = Awaited<ReturnType<typeof evaluate>>;

const write = async (deps: Store, { changed, begin, end }: Evaluation, now: number): Promise<void> => {
  const ids = [...new Set([...begin, ...end].map(({ agentId }) => agentId))];
  await deps.db.transact(async (tx) => {
    for (const { agentId, forecasts } of changed)
      await tx.update(agents).set({ diskForecasts: forecasts }).where(eq(agents.id, agentId));
    if (ids.length === 0) return;
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

/** Forecasts when disks will be full, and begins and ends alerts about them. Returns whether events were written. */
export const forecastDisks = async (deps: Store): Promise<boolean> => {
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
    const evaluation = await evaluate(deps, ids, await readOpen(deps, ids), clock.now());
    const hasEvents = evaluation.begin.length + evaluation.end.length > 0;
    if (hasEvents || evaluation.changed.length > 0) await write(deps, evaluation, clock.now());
    written ||= hasEvents;
    if (ids.length < PAGE) return written;
    after = ids.at(-1) ?? after;
    await clock.sleep(20);
  }
};
