/** The failures of targets that wait for the verdict on the hub's own network, and the networks that fail with them. */
import type { CheckErrorCode } from "../../../../shared/check-error";
import { MINUTE, SECOND } from "../../../../shared/limits";
import { UNRELATED } from "./decide";
import type { Networks, Place } from "./networks";

/**
 * A failure counts, is to be confirmed by another attempt before it counts, is replaced by another attempt because it fell
 * into a cut, or says nothing about its target.
 */
export type Judgement = "failed" | "again" | "replace" | "unknown";

/** A check that has ended, at the address of its target. */
export type Checked = { monitorId: number; address: string | undefined; startedAt: number };
/** `fresh`: the check of the monitor did not fail before. `expected`: the failure counts as up, because the monitor is inverted. */
export type Failed = Checked & { host: string; code: CheckErrorCode; fresh: boolean; expected?: boolean };

type Held = Pick<Failed, "fresh" | "expected"> & {
  /** Null for a sign from outside that is missing. */
  monitorId: number | null;
  endedAt: number;
  network: string;
  place: Place;
  /** Whether its target is known by a name. */
  named: boolean;
  /** Whether the failure is an answer. */
  answered: boolean;
  resolve: (judgement: Judgement) => void;
};

/**
 * Why failures no longer wait. `wasCut`: the own network worked, but not before. `byAddress`: a target was reached by its
 * address, which says nothing of names. `sinceDoubt`: milliseconds since names led to wrong addresses, or the own network was lost.
 */
type Release = { wasCut: boolean; byAddress: boolean; sinceDoubt: number };

/** Some names still lead to wrong addresses for this long after others are right again (ms): their checks say nothing. */
const STILL_WRONG = 10 * SECOND;
/** For this long, an answer of the time before may be cached (ms). */
const CACHED = MINUTE;

/** There is one for each check in flight at most. */
export const createHeld = () => {
  let held: Held[] = [];
  /** Networks that fail since a target was last reached, and where they are. */
  const failing = new Map<string, Place>();
  let since = 0;

  /** A failure that may be of a cut that has ended already is checked again before it counts. */
  const judgementOf = ({ answered, fresh, named }: Held, { wasCut, sinceDoubt }: Release): Judgement => {
    if (!fresh) return "failed";
    if (named && sinceDoubt < STILL_WRONG) return "unknown";
    if (wasCut) return "replace";
    return failing.size >= UNRELATED || !answered || (named && sinceDoubt < CACHED) ? "again" : "failed";
  };

  const add = (one: Held): void => {
    if (held.length === 0) {
      failing.clear();
      since = one.endedAt;
    }
    held.push(one);
    if (one.fresh && !one.expected) failing.set(one.network, one.place);
  };

  return {
    add,
    size: () => held.length,
    /** When the first failure was held. */
    since: () => since,
    fails: (network: string) => failing.has(network),
    /** Adds networks whose healthy targets were not reached. */
    addFailing: (targets: readonly { network: string; place: Place }[]): void => {
      for (const { network, place } of targets) failing.set(network, place);
    },
    isHeld: (monitorId: number) => held.some((one) => one.monitorId === monitorId),
    hasExpected: () => held.some(({ expected }) => expected),
    areOnLink: () => held.every(({ place }) => place === "link"),
    hasNames: () => held.some(({ named }) => named),
    areNames: () => held.length > 0 && held.every(({ named }) => named),
    areAnswers: () => held.length > 0 && held.every(({ answered }) => answered),

    /** The numbers of networks that are known or fail, and of those that fail; `all`: not only those behind a router. */
    count: (networks: Networks, all: boolean) => {
      const counted = [...failing].filter(([, place]) => all || place === "outside");
      const unknown = counted.filter(([network]) => !networks.has(network)).length;
      return { networks: networks.size(all) + unknown, failing: counted.length };
    },

    /** Ends the wait of failures from before `time`, because the own network worked then. */
    release: (time: number, now: number, why: Release): void => {
      // The clock may have been set back.
      const isOver = ({ endedAt, named }: Held) => (endedAt <= time || endedAt > now) && !(named && why.byAddress);
      const parts = Map.groupBy(held, isOver);
      for (const one of parts.get(true) ?? []) one.resolve(judgementOf(one, why));
      held = [];
      failing.clear();
      parts.get(false)?.forEach(add);
    },

    /** Ends the wait of all failures, which say nothing about their targets. */
    drop: (): void => {
      const dropped = held;
      held = [];
      for (const { resolve } of dropped) resolve("unknown");
    },
  };
};
