import { sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { agentStates as states } from "../../../db/schema";
import { isOneOf, withValues } from "../../../db/sql";
import type { Report } from "../../../shared/agents/report";
import type { ServerPlan } from "../../../shared/agents/server-plan";
import { countTraffic, type TrafficState } from "./count";
import { readZones } from "./zones";

/** A report of a known agent, with the state of its traffic that it changes. */
type Reported = {
  agent: { userId: number; plan: ServerPlan | null };
  report: Pick<Report, "samples">;
  state: { keyHash: string; traffic: TrafficState | null };
};

const hasTraffic = ({ report }: Reported): boolean => report.samples.some(({ traffic }) => traffic !== undefined);

/** Adds what reports show of the traffic of their agents to their states. Reports without counters cost nothing. */
export const addTraffic = async <One extends Reported>(
  deps: Pick<Deps, "db">,
  reported: One[],
  now: number,
): Promise<One[]> => {
  const counted = reported.filter(hasTraffic);
  if (counted.length === 0) return reported;
  const zoneOf = await readZones(
    deps,
    counted.map(({ agent }) => agent),
    now,
  );
  return reported.map((one) => {
    if (!hasTraffic(one)) return one;
    const traffic = countTraffic(one.state.traffic, one.report.samples, zoneOf(one.agent), now);
    return { ...one, state: { ...one.state, traffic } };
  });
};

/** A state that was written, with the time of the traffic that it has now. */
export type WrittenState = { key_hash: string; traffic_at: number | string | null };

const ATTEMPTS = 5;

/**
 * Counts the traffic of reports again whose state another instance changed at the same time, so that it was not written.
 * Counters are cumulative, but those before a start of the machine are not in any later report.
 */
export const recountTraffic = async (
  deps: Pick<Deps, "db">,
  reported: readonly Reported[],
  written: readonly WrittenState[],
  now: number,
): Promise<void> => {
  const times = new Map(written.map(({ key_hash, traffic_at }) => [key_hash, Number(traffic_at ?? 0)]));
  const isLate = ({ state }: Reported) => state.traffic !== null && (times.get(state.keyHash) ?? 0) < state.traffic.at;
  let late = reported.filter((one) => times.has(one.state.keyHash) && isLate(one));
  for (let attempt = 0; late.length > 0 && attempt < ATTEMPTS; attempt++) {
    const { keyHash, traffic } = states;
    const keys = late.map(({ state }) => state.keyHash);
    const rows = await deps.db.select({ keyHash, traffic }).from(states).where(isOneOf(keyHash, keys));
    const trafficByKey = new Map(rows.map((row) => [row.keyHash, row.traffic]));
    const counted = await addTraffic(
      deps,
      late.flatMap((one) => {
        const before = trafficByKey.get(one.state.keyHash);
        return before === undefined ? [] : [{ ...one, state: { ...one.state, traffic: before } }];
      }),
      now,
    );
    const changed = counted.flatMap(({ state }) => (state.traffic ? [[state.keyHash, state.traffic]] : []));
    const done = await deps.db.rows<WrittenState>(sql`${withValues("r", { key_hash: "text", traffic: "json" }, changed)}
      update ${states} set traffic = r.traffic from r where ${states.keyHash} = r.key_hash
        and coalesce(cast(${states.traffic} ->> 'revision' as bigint), 0) < cast(r.traffic ->> 'revision' as bigint)
      returning ${states.keyHash}, cast(${states.traffic} ->> 'at' as bigint) as traffic_at`);
    const finished = new Set(done.map(({ key_hash }) => key_hash));
    late = counted.filter(
      (one) => !finished.has(one.state.keyHash) && one.state.traffic !== trafficByKey.get(one.state.keyHash),
    );
  }
};
