/** The seed that SEED sets, or a fresh one with STRESS set. */
const chosen = process.env.SEED
  ? Number(process.env.SEED)
  : process.env.STRESS
    ? 1 + Math.floor(Math.random() * 1_000_000)
    : undefined;

/**
 * The seed of a random test: `usual` in every run, a fresh seed with STRESS set, or SEED, which repeats a failure. Tests put
 * it into their title or assertions.
 */
export const seedOr = (usual: number): number => chosen ?? usual;

/** Seeds of `count` repetitions of a random test, from 1 or from a fresh seed with STRESS set; only SEED if that is set. */
export const seeds = (count: number): number[] =>
  Array.from({ length: process.env.SEED ? 1 : count }, (_, index) => seedOr(1) + index);

/** A reproducible source of random numbers: the generator mulberry32, whose state is the seed. */
export const createRandom = (seed: number) => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    /** A whole number from 0 up to `limit`, without it. */
    below,
    /** One of a list. */
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    /** Whether something happens that happens once in `times`. */
    oneIn: (times: number): boolean => below(times) === 0,
  };
};

export type Random = ReturnType<typeof createRandom>;
