import { rateLimited } from "../../errors";

/**
 * Who waits for a password to be looked at: somebody who has been here before, or anybody. Those who are known go
 * first, so that a flood of strangers' guesses keeps nobody out of their own console.
 */
export type Lane = "known" | "stranger";

/** One hash takes a core for a tenth of a second, and 64 MB: the checks need the rest of the machine. */
const AT_ONCE = navigator.hardwareConcurrency > 2 ? 2 : 1;
/** Of each lane: the last of them is served within some seconds. */
const WAITING = 16;
const RETRY_AFTER = 3;

const waiting: Record<Lane, (() => void)[]> = { known: [], stranger: [] };
let running = 0;

const begin = async <T>(work: () => Promise<T>): Promise<T> => {
  running++;
  try {
    return await work();
  } finally {
    running--;
    (waiting.known.shift() ?? waiting.stranger.shift())?.();
  }
};

/**
 * Does work that hashes a password when it is its turn. This is the one way to it.
 * @throws {AppError} rate_limited, at once and without any work, when too many wait already
 */
export const inTurn = <T>(lane: Lane, work: () => Promise<T>): Promise<T> => {
  if (running < AT_ONCE) return begin(work);
  if (waiting[lane].length >= WAITING) return Promise.reject(rateLimited(RETRY_AFTER));
  const turn = Promise.withResolvers<T>();
  waiting[lane].push(() => void begin(work).then(turn.resolve, turn.reject));
  return turn.promise;
};

export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password, "argon2id");

/** The hash of something that nobody can type: a name that does not exist must cost what a wrong password costs. */
const DECOY =
  "$argon2id$v=19$m=65536,t=2,p=1$ieZdWBgwDCXxJ1IGnfw5NRxEpYsAja/eh2pIw34JTm0$Huy4vsNfpY0AMzRIV56cVbcOih8Q4NDqdgDFoahE2Qg";

/** Whether this is the password of a hash; never without one, and that takes as long. */
export const isPassword = async (password: string, hash: string | undefined): Promise<boolean> =>
  (await Bun.password.verify(password, hash ?? DECOY)) && hash !== undefined;
