/** Whether the state of monitors cannot be known now: the hub knows nothing, or the ping of a heartbeat may have been lost. */
import { and, eq, lte, ne, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { heartbeats, monitors, monitorStates as states } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { isoTime } from "../../../lib/time";
import { presentUnknown, type Unknown } from "../../../server/answers";
import { PASSIVE_KINDS } from "../../../shared/monitor";

type Asked = { id: number; kind: string; active: boolean; lastCheckedAt: number | null };

/** The condition that the ping of a heartbeat may have been lost. Before its first result it is pending, not unknown. */
export const isUnknownHeartbeat = (now: number): SQL =>
  sql`(${monitors.active} and ${states.status} <> 'pending' and ${heartbeats.unknownSince} <= ${now})`;

/** The same for a monitor of any kind. */
export const mayHaveLostPing = (now: number): SQL =>
  sql`exists (select 1 from ${heartbeats} where ${heartbeats.monitorId} = ${monitors.id} and ${isUnknownHeartbeat(now)})`;

/** The condition that the state of a monitor cannot be known now. */
export const isUnknown = ({ clock, watching }: Pick<Deps, "clock" | "watching">): SQL =>
  watching.unknown() ? eq(monitors.active, true) : mayHaveLostPing(clock.now());

/** When the pings were expected that may have been lost, of the heartbeats among some monitors. */
const readPossiblyLost = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  asked: readonly Asked[],
): Promise<Map<number, number>> => {
  const ids = asked.flatMap(({ id, kind, active }) => (active && PASSIVE_KINDS.includes(kind) ? [id] : []));
  if (ids.length === 0) return new Map();
  const { monitorId: id, unknownSince: since } = heartbeats;
  const rows = await db
    .select({ id, since })
    .from(heartbeats)
    .innerJoin(states, eq(states.monitorId, id))
    .where(and(isOneOf(id, ids), lte(since, clock.now()), ne(states.status, "pending")));
  return new Map(rows.map((row) => [row.id, row.since ?? 0]));
};

/** The unknown state of the hub for one monitor: a later result of it was still known. */
const afterLastResult = (hub: Unknown, lastCheckedAt: number | null): Unknown =>
  lastCheckedAt !== null && lastCheckedAt > Date.parse(hub.since) ? { ...hub, since: isoTime(lastCheckedAt) } : hub;

/** Reads the monitors whose state cannot be known now, with the reason and its beginning. */
export const readUnknown = async (
  deps: Pick<Deps, "db" | "clock" | "watching">,
  asked: readonly Asked[],
): Promise<Map<number, Unknown>> => {
  const hub = presentUnknown(deps.watching.unknown());
  if (hub)
    return new Map(
      asked.flatMap(({ id, active, lastCheckedAt }): [number, Unknown][] =>
        active ? [[id, afterLastResult(hub, lastCheckedAt)]] : [],
      ),
    );
  const lost = await readPossiblyLost(deps, asked);
  return new Map([...lost].map(([id, since]) => [id, { since: isoTime(since), reason: "ping_possibly_lost" }]));
};
