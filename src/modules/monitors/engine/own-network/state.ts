/** The own network: the failures that are held, the targets that were reached, and the time of its loss. */
import type { Interval } from "../../../../lib/intervals";
import type { Clock } from "../../../../lib/time";
import { type Observed, seemsCut, UNRELATED, type Witnesses } from "./decide";
import { createHeld } from "./held";
import { createNetworks, isName, type Place } from "./networks";

/** How a target was reached. */
export type By = "name" | "address";
export const byOf = ({ host }: { host: string }): By => (isName(host) ? "name" : "address");

export type Listeners = {
  /** Called when the own network is lost or back. */
  onChange: (isLost: boolean) => void;
  /** Called when checks by name say nothing, because the name servers are wrong. */
  onWrongNames?: () => void;
};

type OnCut = (cut: Interval) => void;

const UNASKED: Witnesses = { gateway: "unknown", nameServers: "unknown", channels: "unknown" };

/** The gateway alone is evidence of the link of this machine: all others may be silent without the way out. */
const onLink = ({ gateway }: Witnesses): Witnesses => ({ gateway, nameServers: gateway, channels: "unknown" });

/** Facts since the first failure that is held. */
const sinceFirstFailure = () => ({
  rounds: 0,
  witnesses: UNASKED,
  /** The start of the time without signs from outside. */
  missingSince: Number.POSITIVE_INFINITY,
  seemedCut: false,
  /** Whether healthy targets were asked, none was reached, and the targets of unrelated networks fail. */
  reachedNone: false,
  /** Whether a target was reached by its address, while all failures are of names. */
  reachedByAddress: false,
});

/** Observations of the own network. */
const createObservations = (clock: Clock, place: (address: string) => Place) => {
  const networks = createNetworks(place);
  const held = createHeld();
  const seen = {
    /** When a target outside was last reached, and when before the first failure that is held. */
    reachedAt: Number.NEGATIVE_INFINITY,
    goodUntil: Number.NEGATIVE_INFINITY,
    everReached: false,
    lostSince: null as number | null,
    /** When the own network was lost, or names led to wrong addresses, for the last time. */
    doubtedAt: Number.NEGATIVE_INFINITY,
    /** When something on the link of this machine was last seen to answer, and something behind it. */
    workedAt: { link: Number.NEGATIVE_INFINITY, outside: Number.NEGATIVE_INFINITY },
    ...sinceFirstFailure(),
  };

  /** Whether only targets on the link of this machine fail: then others on it are evidence, too. */
  const isOnLink = (): boolean => seen.lostSince === null && held.areOnLink();

  /** Packets arrive where a target is, also on the link if they arrive behind it. */
  const works = (at: Exclude<Place, "machine">): void => {
    const now = clock.now();
    seen.workedAt = { link: now, outside: at === "outside" ? now : seen.workedAt.outside };
  };

  const observed = (): Observed => {
    const { rounds, everReached, reachedByAddress, witnesses } = seen;
    return {
      ...(isOnLink() ? onLink(witnesses) : witnesses),
      ...held.count(networks, isOnLink()),
      ...{ since: held.since(), rounds, everReached },
      ...{ answered: held.areAnswers(), onlyNames: reachedByAddress && held.areNames() },
    };
  };

  return {
    networks,
    held,
    seen,
    isOnLink,
    observed,
    lostSince: () => seen.lostSince,
    rounds: () => seen.rounds,
    isSuspect: (): boolean => held.size() > 0 || seen.lostSince !== null,

    /** Records that a target was reached, and returns whether it shows that the own network works. */
    reached: (at: Place, verified: boolean): boolean => {
      seen.everReached ||= at !== "machine";
      if (!verified && networks.hasVerified()) return false;
      if (at !== "machine") works(at);
      if (at === "outside") seen.reachedAt = clock.now();
      return at === "outside" || (at === "link" && isOnLink());
    },

    /** Whether something answered since a time where a target is. The clock may have been set back. */
    hasWorked: (at: Place, since: number): boolean => {
      const workedAt = at === "machine" ? clock.now() : seen.workedAt[at];
      return workedAt >= since && workedAt <= clock.now();
    },

    /** Healthy targets were asked in vain. */
    missed: (): void => {
      seen.reachedNone ||= observed().failing >= UNRELATED;
    },

    asked: (answers: Witnesses): void => {
      seen.rounds++;
      seen.witnesses = answers;
      if (answers.gateway === "answers") works("link");
      if (answers.nameServers === "answers" || answers.channels === "answers") works("outside");
      seen.seemedCut ||= seemsCut(observed());
    },

    hold: (one: Parameters<typeof held.add>[0]): void => {
      if (held.size() === 0) Object.assign(seen, sinceFirstFailure(), { goodUntil: seen.reachedAt });
      held.add(one);
    },

    /** A sign from outside is missing since a time. */
    misses: (since: number): void => {
      seen.missingSince = Math.min(seen.missingSince, since);
    },
  };
};

/** The observations, and what follows from verdicts on them. */
export const createState = (
  { clock, onChange, onWrongNames = () => {} }: Listeners & { clock: Clock },
  place: (address: string) => Place,
) => {
  const observations = createObservations(clock, place);
  const { held, seen } = observations;
  let onCut: OnCut = () => {};

  /** The own network worked at a time. `by`: because a target was reached. */
  const acquit = (time: number, by: By | null): void => {
    const { seemedCut, reachedNone, goodUntil, lostSince } = seen;
    const now = clock.now();
    const wasCut = lostSince === null && (seemedCut || (by !== null && reachedNone));
    if (wasCut) onCut({ from: Math.min(now, Number.isFinite(goodUntil) ? goodUntil : held.since()), to: now });
    const byAddress = by === "address";
    if (lostSince !== null) seen.doubtedAt = now;
    held.release(time, now, { wasCut, byAddress, sinceDoubt: Math.abs(now - seen.doubtedAt) });
    // Failures of names may still be held.
    Object.assign(seen, sinceFirstFailure(), { lostSince: null, reachedByAddress: byAddress, seemedCut: wasCut });
    if (lostSince !== null) onChange(false);
  };

  return {
    ...observations,

    reportCutsTo: (listener: OnCut): void => {
      onCut = listener;
    },

    acquit,

    /** A target was reached, by a check that began at a time. Its address says nothing of failures of names. */
    meet: (time: number, by: By): void => {
      if (by === "name" || !held.areNames()) acquit(time, by);
      else seen.reachedByAddress ||= time >= held.since();
    },

    distrustNames: (): void => {
      seen.doubtedAt = clock.now();
      held.drop();
      onWrongNames();
    },

    lose: (): void => {
      if (seen.lostSince === null) {
        const { reachedAt, missingSince } = seen;
        const [since, now] = [Math.min(held.since(), missingSince), clock.now()];
        // The clock may have been set back since then.
        seen.lostSince = Math.min(Number.isFinite(reachedAt) ? reachedAt : since, since, now);
        onChange(true);
      }
      held.drop();
    },
  };
};

export type State = ReturnType<typeof createState>;
