import type { Static } from "@sinclair/typebox";
import type { Deps } from "../../../core/deps";
import { tenth } from "../../../lib/round";
import { isoTimeOrNull } from "../../../lib/time";
import { component, integer, list, nullable, number, object, text, time } from "../../../server/answers";
import type { ServerPlan, TrafficPlan } from "../../../shared/agents/server-plan";
import { dayIn } from "../../../shared/time-zone";
import { dateOf, exhaustedAt, type Month, monthOf, monthsUntil, usedIn } from "../plans/months";
import { addBytes, type Bytes, type TrafficState } from "./count";
import { readDays, sumTraffic } from "./days";
import { readZones } from "./zones";

const since = text("The first day of the month, YYYY-MM-DD.", "2026-01-01");
const until = text("The first day of the next month, YYYY-MM-DD.", "2026-02-01");
const received = integer("Bytes received.", 420e9);
const sent = integer("Bytes sent.", 80e9);
const used = integer("Bytes that count against the quota, with the correction of the month.", 500e9);

/** The traffic of the current month. */
export const Traffic = component("Traffic", {
  since,
  until,
  rx: received,
  tx: sent,
  used,
  quota: nullable(integer("Bytes a month; null without a quota.", 1e12)),
  percent: nullable(number("What is used of the quota in percent; may be above 100; null without a quota.", 50)),
  exhausted_at: nullable(
    time(
      "When the quota is used up at the average rate of the month so far; null if not in this month, or if it is used up already.",
      "2026-01-24T08:00:00.000Z",
    ),
  ),
});

/** The history of the traffic of a server. */
export const TrafficHistory = {
  traffic: nullable(Traffic),
  zone: text("The time zone of the dates.", "Asia/Shanghai"),
  days: list(
    object({ date: text("The date, YYYY-MM-DD.", "2026-01-15"), rx: received, tx: sent }),
    "The days of the current month with traffic, oldest first.",
  ),
  months: list(object({ since, until, rx: received, tx: sent, used }), "Months with traffic, the current one first."),
};

/** How traffic is counted without a plan: in months of the calendar. */
const planOf = (plan: ServerPlan | null, zone: string): TrafficPlan =>
  plan?.traffic ?? { quota: null, resetDay: 1, zone, mode: "sum", correction: null };

/** An agent with its state of traffic, as it is with its pending reports. */
type Of = { agent: { id: number; userId: number; plan: ServerPlan | null }; state: { traffic: TrafficState | null } };

/** The use of the current month of a server's plan. */
export type Usage = Month & {
  userId: number;
  agentId: number;
  plan: TrafficPlan;
  bytes: Bytes;
  used: number;
  percent: number | null;
  exhaustedAt: number | null;
};

/** The use of the current month of each agent whose traffic is counted. */
export const readUsage = async (deps: Pick<Deps, "db">, agents: readonly Of[], now: number): Promise<Usage[]> => {
  const counted = agents.flatMap(({ agent, state: { traffic } }) => (traffic ? [{ agent, traffic }] : []));
  if (counted.length === 0) return [];
  const zoneOf = await readZones(
    deps,
    counted.map(({ agent }) => agent),
    now,
  );
  const current = counted.map(({ agent, traffic }) => {
    const plan = planOf(agent.plan, zoneOf(agent));
    const { id: agentId, userId } = agent;
    return { agentId, userId, traffic, plan, ...monthOf(dayIn(plan.zone, now), plan.resetDay) };
  });
  const sums = await sumTraffic(deps, current);
  return current.map(({ traffic: _, ...one }) => {
    const { bytes, firstDay } = sums.get(one.agentId) ?? { bytes: [0, 0], firstDay: one.end };
    const [used, quota] = [usedIn(one, bytes, one.plan), one.plan.quota];
    return {
      ...one,
      bytes,
      used,
      percent: quota === null ? null : (used / quota) * 100,
      exhaustedAt: exhaustedAt({ ...one, used, firstCounted: firstDay }, one.plan, now),
    };
  });
};

const presentUsage = ({ first, end, bytes: [rx, tx], ...usage }: Usage): Static<typeof Traffic> => ({
  since: dateOf(first),
  until: dateOf(end),
  rx,
  tx,
  used: usage.used,
  quota: usage.plan.quota,
  percent: tenth(usage.percent),
  exhausted_at: isoTimeOrNull(usage.exhaustedAt),
});

/** The traffic of the current month of each agent that counts some, by the agent's id. */
export const readTraffic = async (
  deps: Pick<Deps, "db" | "clock">,
  agents: readonly Of[],
): Promise<Map<number, Static<typeof Traffic>>> =>
  new Map((await readUsage(deps, agents, deps.clock.now())).map((usage) => [usage.agentId, presentUsage(usage)]));

/** The traffic of the days of the current month of a server, and of its latest months. */
export const readTrafficHistory = async (deps: Pick<Deps, "db" | "clock">, of: Of, count: number) => {
  const now = deps.clock.now();
  const [usage] = await readUsage(deps, [of], now);
  const zoneOf = await readZones(deps, [of.agent], now);
  const plan = planOf(of.agent.plan, zoneOf(of.agent));
  if (!usage || !of.state.traffic) return { traffic: null, zone: plan.zone, days: [], months: [] };
  const months = monthsUntil(dayIn(plan.zone, now), plan.resetDay, count);
  const span = { first: months.at(-1)?.first ?? usage.first, end: usage.end };
  const days = await readDays(deps, { agentId: of.agent.id, traffic: of.state.traffic, ...span });
  return {
    traffic: presentUsage(usage),
    zone: plan.zone,
    days: days.flatMap(({ day, bytes: [rx, tx] }) => (day >= usage.first ? [{ date: dateOf(day), rx, tx }] : [])),
    months: months.flatMap((month) => {
      const own = days.filter(({ day }) => day >= month.first && day < month.end);
      const bytes = own.reduce<Bytes>((sum, one) => addBytes(sum, one.bytes), [0, 0]);
      if (own.length === 0 && month.first !== usage.first) return [];
      const [rx, tx] = bytes;
      return [{ since: dateOf(month.first), until: dateOf(month.end), rx, tx, used: usedIn(month, bytes, plan) }];
    }),
  };
};
