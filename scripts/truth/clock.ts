/** Converts times of a hub with a wrong clock to true times. */
import type { Claim, Span, Truth } from "./compare";
import type { Scenario } from "./scenario";

/** A span of true time, and how far the clock was ahead in it (ms). */
type Piece = Span & { ahead: number };

/** The clock of a hub, from the beginning of time to its end. */
export const clockOf = ({ disturbances }: Scenario, start: number): Piece[] => {
  const set = disturbances.flatMap((one) => (one.how === "clock" ? [one] : [])).toSorted((a, b) => a.from - b.from);
  const pieces: Piece[] = [];
  let from = Number.NEGATIVE_INFINITY;
  for (const one of set) {
    const [begins, ends] = [start + one.from * 1000, start + one.to * 1000];
    pieces.push({ from, to: begins, ahead: 0 }, { from: begins, to: ends, ahead: one.ahead * 1000 });
    from = ends;
  }
  return [...pieces, { from, to: Number.POSITIVE_INFINITY, ahead: 0 }];
};

/** The true times when the clock may have shown a time. Times that it skipped become the moment of the jump. */
const trueTimes = (pieces: readonly Piece[], time: number): number[] => {
  const shown = pieces.filter(({ from, to, ahead }) => time >= from + ahead && time < to + ahead);
  const jump = pieces.find(({ from, ahead }) => from + ahead > time);
  return shown.length > 0 ? shown.map(({ ahead }) => time - ahead) : [jump?.from ?? time];
};

const distance = (time: number, { from, to }: Span): number => Math.max(from - time, time - to, 0);

/**
 * Claims in true time. A clock that was set back showed some times twice: of those the one is taken that fits a failure of
 * the target best, so that only what is wrong in any case counts as wrong.
 */
export const inTrueTime = (claims: readonly Claim[], truth: readonly Truth[], pieces: readonly Piece[]): Claim[] =>
  claims.map((claim) => {
    const failures = truth.find(({ name }) => name === claim.name)?.failures ?? [];
    const wrongness = (time: number) => Math.min(...failures.map((failure) => distance(time, failure)));
    const startedAt = trueTimes(pieces, claim.startedAt).toSorted((a, b) => wrongness(a) - wrongness(b))[0] ?? 0;
    const before = (time: number) => Math.min(...trueTimes(pieces, time));
    const failure = failures.find((one) => distance(startedAt, one) === wrongness(startedAt));
    /** The time after the start that is nearest to another time. */
    const after = (time: number, other: number) => {
      const later = trueTimes(pieces, time).filter((one) => one >= startedAt);
      return later.toSorted((a, b) => Math.abs(a - other) - Math.abs(b - other))[0] ?? startedAt;
    };
    return {
      ...{ name: claim.name, startedAt },
      startedAfter: claim.startedAfter === null ? null : before(claim.startedAfter),
      endedAt: claim.endedAt === null ? null : after(claim.endedAt, failure?.to ?? startedAt),
      recordedAt: claim.recordedAt === null ? null : after(claim.recordedAt, startedAt),
    };
  });
