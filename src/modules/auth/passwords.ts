import type { Deps } from "../../deps";
import { rateLimited } from "../../errors";
import { SECOND } from "../../shared/limits";

/**
 * Who waits for a password to be looked at: somebody who has been here before, or anybody. Those who are known go
 * first, so that a flood of strangers' guesses keeps nobody out of their own console.
 */
export type Lane = "known" | "stranger";

/** One hash takes a core for a tenth of a second, and 64 MB: the checks need the rest of the machine. */
const AT_ONCE = navigator.hardwareConcurrency > 2 ? 2 : 1;
/** Of each lane: the last of them is served within some seconds. */
const WAITING = 16;
/** So many strangers that wait at once are a flood: after each hash they rest as long as it took. */
const FLOOD = 4;
const RETRY_AFTER = 3;
/** Who has waited so long has given up by now, and is not worth a hash. */
const PATIENCE = 8 * SECOND;

const waiting: Record<Lane, (() => void)[]> = { known: [], stranger: [] };
let running = 0;
let resting = false;

const next = (): void => {
  while (running < AT_ONCE) {
    const go = waiting.known.shift() ?? (resting ? undefined : waiting.stranger.shift());
    if (!go) return;
    running++;
    go();
  }
};

const rest = async ({ clock }: Pick<Deps, "clock">, milliseconds: number): Promise<void> => {
  resting = true;
  await clock.sleep(milliseconds);
  resting = false;
  next();
};

/**
 * Does work that hashes a password when it is its turn. This is the one way to it.
 * @throws {AppError} rate_limited, without any work, when too many wait already or the turn comes too late
 */
export const inTurn = async <T>(deps: Pick<Deps, "clock">, lane: Lane, work: () => Promise<T>): Promise<T> => {
  if (waiting[lane].length >= WAITING) throw rateLimited(RETRY_AFTER);
  const turn = Promise.withResolvers<void>();
  const since = deps.clock.now();
  waiting[lane].push(turn.resolve);
  next();
  await turn.promise;
  const begun = performance.now();
  try {
    if (deps.clock.now() - since > PATIENCE) throw rateLimited(RETRY_AFTER);
    return await work();
  } finally {
    running--;
    if (lane === "stranger" && !resting && waiting.stranger.length >= FLOOD) void rest(deps, performance.now() - begun);
    next();
  }
};

export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password, "argon2id");

/** The hash of something that nobody can type: a name that does not exist must cost what a wrong password costs. */
const DECOY =
  "$argon2id$v=19$m=65536,t=2,p=1$ieZdWBgwDCXxJ1IGnfw5NRxEpYsAja/eh2pIw34JTm0$Huy4vsNfpY0AMzRIV56cVbcOih8Q4NDqdgDFoahE2Qg";

/** Whether this is the password of a hash; never without one, and that takes as long. */
export const isPassword = async (password: string, hash: string | undefined): Promise<boolean> =>
  (await Bun.password.verify(password, hash ?? DECOY)) && hash !== undefined;
