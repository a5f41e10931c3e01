/**
 * Holds the failures of targets until it is known that the hub's own network works. A failure asks targets of other
 * networks that were healthy; if one of them answers, the failure counts at once. If none does, witnesses are asked in
 * rounds until `decide` has a verdict, a minute at most. While the own network is lost, the rounds go on until it is back.
 */
import type { Interval } from "../../../../lib/intervals";
import type { Clock } from "../../../../lib/time";
import { SECOND } from "../../../../shared/limits";
import { decide, type Observed, reachedNone, seemsCut, type Witnesses } from "./decide";
import { type Checked, createHeld, type Failed, type Judgement } from "./held";
import { createNetworks, isAnswer, isRefusedHere, type Place, placeOf, placeOfFailure } from "./networks";

/** Healthy targets that are asked in a round. */
const ASKED = 3;
/** The pause after a round without a verdict (ms). */
const PAUSE = 2 * SECOND;
/** The least time between two rounds (ms), so that many failures are few requests to other targets. */
const SPACING = SECOND;

/** Checks a monitor again, and resolves to whether it is up; null if it can't be checked anymore. */
export type Recheck = (monitorId: number) => Promise<boolean | null>;

/** A check that succeeded. `verified`: only the target itself can have answered. */
export type Reached = Checked & { responseTime: number | null; verified: boolean };

export type Witnessing = {
  /** Asks the gateway, the name servers, and hosts of channels; what never answered is unknown. */
  ask: () => Promise<Witnesses>;
  /** Called often in calm times, to learn what answers. */
  learn: () => void;
  /** Where an address is. */
  place?: (address: string) => Place;
};

type Parts = Witnessing & {
  clock: Clock;
  /** Called when the own network is lost or back. */
  onChange: (isLost: boolean) => void;
};

type OnCut = (cut: Interval) => void;

const UNASKED: Witnesses = { gateway: "unknown", nameServers: "unknown", channels: "unknown" };

/** The gateway alone is evidence of the link of this machine: all others may be silent without the way out. */
const onLink = ({ gateway }: Witnesses): Witnesses => ({ gateway, nameServers: gateway, channels: "unknown" });

/** Observations of the own network, and the time of its loss. */
const createState = ({ clock, onChange }: Pick<Parts, "clock" | "onChange">, place: (address: string) => Place) => {
  const networks = createNetworks(place);
  const held = createHeld();
  /** When a target outside was last reached. */
  let reachedAt = Number.NEGATIVE_INFINITY;
  let everReached = false;
  let lostSince: number | null = null;
  let rounds = 0;
  let witnesses = UNASKED;
  let missingSince = Number.POSITIVE_INFINITY;
  /** When a target was last reached before the first failure that is held. */
  let goodUntil = Number.NEGATIVE_INFINITY;
  let seemedCut = false;
  let onCut: OnCut = () => {};

  /** Whether only targets on the link of this machine fail: then others on it are evidence, too. */
  const isOnLink = (): boolean => lostSince === null && held.areOnLink();

  const observed = (reached: boolean): Observed => ({
    ...(isOnLink() ? onLink(witnesses) : witnesses),
    ...held.count(networks, isOnLink()),
    ...{ since: held.since(), rounds, everReached, reached },
    answered: held.areAnswers(),
  });

  const forget = (): void => {
    [rounds, witnesses, missingSince, seemedCut] = [0, UNASKED, Number.POSITIVE_INFINITY, false];
  };

  return {
    networks,
    held,
    isOnLink,
    lostSince: () => lostSince,
    rounds: () => rounds,
    isSuspect: (): boolean => held.size() > 0 || lostSince !== null,

    observed,
    reportCutsTo: (listener: OnCut): void => {
      onCut = listener;
    },

    /** Records that a target was reached, and returns whether it shows that the own network works. */
    reached: (at: Place, verified: boolean): boolean => {
      everReached ||= at !== "machine";
      if (!verified && networks.hasVerified()) return false;
      if (at === "outside") reachedAt = clock.now();
      return at === "outside" || (at === "link" && isOnLink());
    },

    asked: (answers: Witnesses): void => {
      rounds++;
      witnesses = answers;
      seemedCut ||= seemsCut(observed(false));
    },

    hold: (one: Parameters<typeof held.add>[0]): void => {
      if (held.size() === 0) {
        forget();
        goodUntil = reachedAt;
      }
      held.add(one);
    },

    /** A sign from outside is missing since a time. */
    misses: (since: number): void => {
      missingSince = Math.min(missingSince, since);
    },

    /** The own network worked at a time. `reached`: because a target was reached. */
    acquit: (time: number, reached: boolean): void => {
      const now = clock.now();
      const isCutOver = lostSince === null && (seemedCut || (reached && reachedNone(observed(false))));
      if (isCutOver) onCut({ from: Math.min(now, Number.isFinite(goodUntil) ? goodUntil : held.since()), to: now });
      held.release(time, now, isCutOver);
      forget();
      if (lostSince === null) return;
      lostSince = null;
      onChange(false);
    },

    lose: (): void => {
      if (lostSince === null) {
        const [since, now] = [Math.min(held.since(), missingSince), clock.now()];
        // The clock may have been set back since then.
        lostSince = Math.min(Number.isFinite(reachedAt) ? reachedAt : since, since, now);
        onChange(true);
      }
      held.drop();
    },
  };
};

type State = ReturnType<typeof createState>;

/** Asks in rounds, one at a time, while the own network is suspect. */
const createRounds = (state: State, { clock, ask, learn }: Pick<Parts, "clock" | "ask" | "learn">) => {
  const { networks, held } = state;
  let recheck: Recheck = async () => null;
  let isAsking = false;
  let stopped = false;
  let beganAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;

  /** Asks healthy targets, and resolves to whether one of them was reached. */
  const askTargets = async (): Promise<boolean> => {
    const onLink = state.isOnLink();
    const asked = networks.healthy(ASKED, state.rounds(), ({ monitorId, place }) => {
      return (place === "outside" || onLink) && !held.isHeld(monitorId);
    });
    const failing: typeof asked = [];
    const answers = asked.map(async (one) => {
      const up = await recheck(one.monitorId);
      if (up === null) networks.drop(one.network);
      if (up === false) failing.push(one);
      if (!up || !state.reached(one.place, one.verified)) throw new Error("not reached");
    });
    const reached = await Promise.any(answers).then(
      () => true,
      () => false,
    );
    if (!reached) held.addFailing(failing);
    return reached;
  };

  const runRound = async (startedAt: number): Promise<void> => {
    if (decide(state.observed(false), startedAt) === "targets") return state.acquit(startedAt, false);
    const reached = await askTargets();
    if (!reached && state.isSuspect()) state.asked(await ask());
    if (!state.isSuspect()) return;
    const verdict = decide(state.observed(reached), clock.now());
    if (verdict === "targets") state.acquit(startedAt, reached);
    if (verdict === "own") state.lose();
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

export const createSuspicion = ({ clock, ask, learn, onChange, place = placeOf }: Parts) => {
  const state = createState({ clock, onChange }, place);
  const { start, isStopped, ...rounds } = createRounds(state, { clock, ask, learn });
  const { networks, held, lostSince } = state;

  return {
    ...rounds,

    /** Sets the listener for interruptions that end before the own network counts as lost. */
    reportCutsTo: state.reportCutsTo,

    /** The last success before the loss; null while the own network is not lost. */
    lostSince,

    /** Records that a target was reached. */
    reached: ({ monitorId, address, startedAt, responseTime, verified }: Reached): void => {
      if (address === undefined) return;
      const at = networks.reached({ monitorId, address, responseTime, reachedAt: clock.now(), verified });
      if (state.reached(at, verified) && state.isSuspect()) state.acquit(startedAt, true);
    },

    /** Judges a failure. Resolves at once where it can't be the own network's. */
    judge: ({ monitorId, host, address, code, fresh }: Failed): Promise<Judgement> => {
      const at = place(address ?? host);
      if (at === "machine" || isRefusedHere(code)) return Promise.resolve("failed");
      if (lostSince() !== null || isStopped()) return Promise.resolve("unknown");
      // A monitor that was down before waits only while the own network is suspect, because nothing changes.
      if (!fresh && held.size() === 0) return Promise.resolve("failed");
      const one = { monitorId, fresh, place: at, network: placeOfFailure(host, address), endedAt: clock.now() };
      return new Promise((resolve) => {
        state.hold({ ...one, answered: isAnswer(code), resolve });
        start();
      });
    },

    /** Whether the own network works, for a sign from outside that is missing since a time. */
    works: async (since: number): Promise<boolean> => {
      if (lostSince() !== null || isStopped()) return false;
      const at = { endedAt: clock.now(), place: "outside" as const, answered: false };
      const judgement = new Promise<Judgement>((resolve) => {
        state.hold({ ...at, monitorId: null, network: "missing signs", fresh: true, resolve });
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
      state.hold({ ...at, monitorId, network, fresh: true, resolve: () => {} });
      start();
    },
  };
};
