/**
 * Holds the failures of targets until it is known that the hub's own network works. A failure asks targets of other
 * networks that were healthy; if one of them answers, the failure counts at once. If none does, witnesses are asked in
 * rounds until `decide` has a verdict, a minute at most. While the own network is lost, the rounds go on until it is back.
 */
import type { Clock } from "../../../../lib/time";
import { MINUTE, SECOND } from "../../../../shared/limits";
import { decide, type Witnesses } from "./decide";
import type { Checked, Failed, Judgement } from "./held";
import { isAnswer, isName, isRefusedHere, type Place, placeOf, placeOfFailure } from "./networks";
import { type By, byOf, createState, type Listeners, type State } from "./state";

/** Healthy targets that are asked in a round. */
const ASKED = 3;
/** The pause after a round without a verdict (ms). */
const PAUSE = 2 * SECOND;
/** The least time between two rounds (ms), so that many failures are few requests to other targets. */
const SPACING = SECOND;
/** How long ago something answered at most for a failure that counts as up and changes nothing (ms). */
const RECENT = MINUTE;

/** Checks a monitor again, and resolves to whether it is up; null if it can't be checked anymore. */
export type Recheck = (monitorId: number) => Promise<boolean | null>;

/** A check that succeeded. `verified`: only the target itself can have answered. */
export type Reached = Checked & { host: string; responseTime: number | null; verified: boolean };

export type Witnessing = {
  /** Asks the gateway, the name servers, and hosts of channels; what never answered is unknown. */
  ask: () => Promise<Witnesses>;
  /** Called often in calm times, to learn what answers. */
  learn: () => void;
  /** Where an address is. */
  place?: (address: string) => Place;
};

type Parts = Witnessing & Listeners & { clock: Clock };

/** Asks in rounds, one at a time, while the own network is suspect. */
const createRounds = (state: State, { clock, ask, learn }: Pick<Parts, "clock" | "ask" | "learn">) => {
  const { networks, held } = state;
  let recheck: Recheck = async () => null;
  let isAsking = false;
  let stopped = false;
  let beganAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;

  /** Asks healthy targets, and resolves to how the first of them was reached; null if none was. */
  const askSome = async (isWanted: (target: { host: string }) => boolean): Promise<By | null> => {
    const onLink = state.isOnLink();
    const asked = networks.healthy(ASKED, state.rounds(), (target) => {
      return (target.place === "outside" || onLink) && !held.isHeld(target.monitorId) && isWanted(target);
    });
    const failing: typeof asked = [];
    const answers = asked.map(async (one) => {
      const up = await recheck(one.monitorId);
      if (up === null) networks.drop(one.network);
      if (up === false) failing.push(one);
      if (!up || !state.reached(one.place, one.verified)) throw new Error("not reached");
      return byOf(one);
    });
    const by = await Promise.any(answers).catch(() => null);
    if (by === null) held.addFailing(failing);
    return by;
  };

  /** While failures of names are held, both targets by name and others are asked. */
  const askTargets = async (): Promise<By | null> => {
    if (!held.hasNames()) return askSome(() => true);
    const others = askSome(({ host }) => !isName(host));
    return (await askSome(({ host }) => isName(host))) ?? others;
  };

  const runRound = async (startedAt: number): Promise<void> => {
    if (decide(state.observed(), startedAt) === "targets" && !held.hasExpected()) return state.acquit(startedAt, null);
    const by = await askTargets();
    if (by === null) state.missed();
    else state.meet(startedAt, by);
    if (!state.isSuspect() || (by !== null && !held.areNames())) return;
    state.asked(await ask());
    if (!state.isSuspect()) return;
    const verdict = decide(state.observed(), clock.now());
    if (verdict === "targets") state.acquit(startedAt, null);
    if (verdict === "own") state.lose();
    if (verdict === "names") state.distrustNames();
  };

  /** Starts a round, unless it is too soon: then `tick` does. */
  const start = (): void => {
    const now = clock.now();
    const isSoon = now >= beganAt && now < beganAt + SPACING;
    const isPaused = state.rounds() > 0 && now >= askedAt && now < askedAt + PAUSE;
    if (isAsking || stopped || isSoon || isPaused) return;
    isAsking = true;
    beganAt = now;
    void runRound(now).finally(() => {
      isAsking = false;
      askedAt = clock.now();
    });
  };

  return {
    start,
    recheckWith: (by: Recheck): void => {
      recheck = by;
    },
    /** Starts the next round if it is time for it. Call it once a second. */
    tick: (): void => {
      if (state.isSuspect()) start();
      else learn();
    },
    isStopped: () => stopped,
    /** Gives back what is held. */
    stop: (): void => {
      stopped = true;
      held.drop();
    },
  };
};

export const createSuspicion = ({ clock, ask, learn, place = placeOf, ...parts }: Parts) => {
  const state = createState({ clock, ...parts }, place);
  const { start, isStopped, ...rounds } = createRounds(state, { clock, ask, learn });
  const { networks, held, lostSince } = state;

  return {
    ...rounds,

    /** Sets the listener for interruptions that end before the own network counts as lost. */
    reportCutsTo: state.reportCutsTo,

    /** The last success before the loss; null while the own network is not lost. */
    lostSince,

    /** Records that a target was reached. */
    reached: ({ address, startedAt, ...target }: Reached): void => {
      if (address === undefined) return;
      const at = networks.reached({ ...target, address, reachedAt: clock.now() });
      if (state.reached(at, target.verified) && state.isSuspect()) state.meet(startedAt, byOf(target));
    },

    /**
     * Judges a failure. Resolves at once where it can't be the own network's. An expected failure counts only if something
     * else has answered: otherwise nothing is known.
     */
    judge: async ({ monitorId, host, address, code, fresh, expected = false }: Failed): Promise<Judgement> => {
      const at = place(address ?? host);
      if (at === "machine" || isRefusedHere(code)) return "failed";
      if (lostSince() !== null || isStopped()) return "unknown";
      const endedAt = clock.now();
      // A monitor that failed before waits only while the own network is suspect, because nothing changes.
      if (!fresh && held.size() === 0 && (!expected || state.hasWorked(at, endedAt - RECENT))) return "failed";
      const network = placeOfFailure(host, address);
      const one = { monitorId, fresh, expected, place: at, network, named: isName(host), endedAt };
      const judgement = await new Promise<Judgement>((resolve) => {
        state.hold({ ...one, answered: isAnswer(code), resolve });
        start();
      });
      return expected && !state.hasWorked(at, endedAt) ? "unknown" : judgement;
    },

    /** Whether the own network works, for a sign from outside that is missing since a time. */
    works: async (since: number): Promise<boolean> => {
      if (lostSince() !== null || isStopped()) return false;
      const at = { endedAt: clock.now(), place: "outside" as const, answered: false };
      const judgement = new Promise<Judgement>((resolve) => {
        state.hold({ ...at, monitorId: null, network: "missing signs", named: false, fresh: true, resolve });
        state.misses(since);
      });
      start();
      // A sign may have been lost in a cut that is over.
      return !["unknown", "replace"].includes(await judgement);
    },

    /** Records that a target fails. */
    failed: (monitorId: number, host: string, address: string | undefined): void =>
      networks.failed(placeOfFailure(host, address), monitorId),

    /** Records that the name of a target could not be resolved, so that its check has no result. */
    unresolved: (monitorId: number, host: string): void => {
      const network = placeOfFailure(host, undefined);
      if (lostSince() !== null || isStopped() || held.fails(network)) return;
      const at = { endedAt: clock.now(), place: "outside" as const, answered: false };
      state.hold({ ...at, monitorId, network, named: true, fresh: true, resolve: () => {} });
      start();
    },
  };
};
