/** Whether the state of monitors cannot be known now: the hub knows nothing, or the ping of a heartbeat may have been lost. */
import { and, lte } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { heartbeats } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { isoTime } from "../../../lib/time";
import { presentUnknown, type Unknown } from "../../../server/answers";
import { PASSIVE_KINDS } from "../../../shared/monitor";

type Asked = { id: number; kind: string; active: boolean };

/** When the pings were expected that may have been lost, of the heartbeats among some monitors. */
const readPossiblyLost = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  monitors: readonly Asked[],
): Promise<Map<number, number>> => {
  const ids = monitors.flatMap(({ id, kind, active }) => (active && PASSIVE_KINDS.includes(kind) ? [id] : []));
  if (ids.length === 0) return new Map();
  const { monitorId: id, unknownSince: since } = heartbeats;
  const rows = await db
    .select({ id, since })
    .from(heartbeats)
    .where(and(isOneOf(id, ids), lte(since, clock.now())));
  return new Map(rows.map((row) => [row.id, row.since ?? 0]));
};

/** Reads the monitors whose state cannot be known now, with the reason and its beginning. */
export const readUnknown = async (
  deps: Pick<Deps, "db" | "clock" | "watching">,
  monitors: readonly Asked[],
): Promise<Map<number, Unknown>> => {
  const hub = presentUnknown(deps.watching.unknown());
  if (hub) return new Map(monitors.flatMap(({ id, active }): [number, Unknown][] => (active ? [[id, hub]] : [])));
  const lost = await readPossiblyLost(deps, monitors);
  return new Map([...lost].map(([id, since]) => [id, { since: isoTime(since), reason: "ping_possibly_lost" }]));
};
