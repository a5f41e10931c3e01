import { CONTRACT_DAYS, type Contract, TRAFFIC_LEVELS } from "../../../shared/agents/server-plan";
import { dayOf } from "./months";

/** The subject of an alert about a plan: the first day of a month, or the end of a contract. */
export type PlanKind = "traffic" | "contract";
export type Period = {
  kind: PlanKind;
  day: number;
  /** The levels that are reached, the tightest first. */
  reached: number[];
  /** Percent of the quota, or days that are left. */
  figure: number;
};

/** The levels of the quota that are reached in a month. */
export const trafficPeriod = (first: number, percent: number): Period => ({
  kind: "traffic",
  day: first,
  reached: TRAFFIC_LEVELS.filter((level) => percent >= level).toReversed(),
  // Not more than is used, so that 99.96 % are not 100.
  figure: Math.floor(percent * 10) / 10,
});

/** The days before the end of a contract that are reached. */
export const contractPeriod = ({ endsOn }: Contract, today: number): Period => {
  const day = dayOf(endsOn);
  return {
    kind: "contract",
    day,
    reached: CONTRACT_DAYS.filter((days) => day - today <= days).toReversed(),
    figure: Math.max(0, day - today),
  };
};

/**
 * What changes in the alerts of a period whose levels in `sent` were alerted: the level whose alert is due, if any, and the
 * levels that count as alerted from now on. A level that is no longer reached, because the plan was changed, is alerted again.
 */
export const changesOf = ({ reached }: Period, sent: readonly number[]) => {
  const [tightest] = reached;
  return {
    due: tightest === undefined || sent.includes(tightest) ? null : tightest,
    added: reached.filter((level) => !sent.includes(level)),
    removed: sent.filter((level) => !reached.includes(level)),
  };
};
