import { MINUTE, SECOND } from "../../shared/limits";
import type { Condition } from "../../shared/monitor";
import { LocalFailure } from "../local-failure";
import { createKeyedLimiter } from "./keyed-limiter";

/** Timeout of a lookup in milliseconds. A second name server is asked after two seconds, a third after four. */
const LOOKUP_TIMEOUT = 5 * SECOND;
/** Lookups in flight; each is a small packet on a shared socket. */
const MAX_LOOKUPS = 1024;
const CACHED_NAMES = 2000;
/** The longest time an answer is cached, regardless of its TTL (ms). */
const MAX_TTL = 30 * SECOND;
/** How long it is cached that a name does not exist (ms). That no answer arrived may be over with a cut, and is not cached. */
const MISSING_TTL = SECOND;
/** How long an answer proves that the name servers work (ms). */
const EVIDENCE = 2 * SECOND;
/** How many names are asked for again, in milliseconds after their answer, where the root zone is not answered. */
const CONTROLS = 3;
const CONTROL_AGE = 10 * MINUTE;
/** This many unrelated zones that stop resolving, with no other answer for this long, mean a lost connection. */
const FAILING_ZONES = 3;
const NO_SUCCESS = 10 * SECOND;

/** An address and its TTL in seconds; 0 for an address that no name server sent. */
export type Answer = { address: string; ttl: number };

/**
 * Why a name has no addresses: it does not exist, it has records of other types only, or its name servers fail, refuse or do
 * not answer.
 */
type LookupReason = "no_name" | "no_address" | "failed" | "refused" | "silent";

/** A name that could not be resolved. */
export class LookupFailed extends Error {
  override name = "LookupFailed";
  readonly code: string;
  /** Whether a name server answered that the name does not exist or has no address. */
  readonly isMissing: boolean;
  constructor(readonly reason: LookupReason) {
    super(reason);
    this.isMissing = reason === "no_name" || reason === "no_address";
    this.code = this.isMissing ? "ENOTFOUND" : "ESERVFAIL";
  }
}

/** How the system resolves names; see system-dns.ts. Lookups reject with an error that has a `code`. */
export type SystemDns = {
  lookup: (name: string) => Promise<Answer[]>;
  /** Asks the C library, which blocks a thread of the pool that the whole process shares. */
  lookupByLibc: (name: string) => Promise<Answer[]>;
  /** Whether the configured name servers answer at all, for the root zone or for one of the names that they answered before. */
  isAnswering: (known: readonly string[]) => Promise<boolean>;
  /** The local condition that looks like unavailable name servers, or null. */
  shortage: () => Condition | null;
};

/** The caller of a lookup: callers with one `key` have at most `limit` lookups in flight. */
type Caller = { key: string; limit: number; useLibc: boolean };

type Cached = { until: number } & ({ addresses: string[] } | { failure: LookupFailed });

/** Names that only the C library may resolve: machines of the local network. /etc/hosts is read without it. */
const isLocalName = (name: string) => !name.includes(".") || /\.local\.?$/.test(name);

/** The part of a name that one operator is likely to run. */
const zoneOf = (name: string) => name.replace(/\.$/, "").split(".").slice(-2).join(".");

/** Reasons by patterns of c-ares' codes. ECONNREFUSED: no name server can be reached. */
const REASONS: [RegExp, LookupReason][] = [
  [/ECONNREFUSED|TIMEOUT|TIMEDOUT|CANCELLED|NOMEM|DESTRUCTION/, "silent"],
  [/SERVFAIL|BADRESP|NOTIMP/, "failed"],
  [/REFUSED/, "refused"],
  [/NODATA/, "no_address"],
];

const reasonOf = (error: unknown): LookupReason => {
  if (error instanceof DOMException) return "silent";
  const code = String((error as { code?: unknown } | null)?.code);
  return REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? "no_name";
};

const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
  });

/** Sets an entry of a map with at most `size` entries, whose oldest is dropped. */
const setBounded = <V>(map: Map<string, V>, key: string, value: V, size: number) => {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > size && oldest !== undefined) map.delete(oldest);
};

/** Tracks whether lookups without an answer are the fault of their names or of this machine's name servers. */
const createNameServerHealth = (dns: SystemDns, now: () => number) => {
  /** When each zone last resolved, and when a zone that resolved before last failed. */
  const zones = { resolvedAt: new Map<string, number>(), failedAt: new Map<string, number>() };
  /** A name of each zone that the name servers answered, and when, in the order of these times. */
  const names = new Map<string, { name: string; at: number }>();
  let answeredAt = Number.NEGATIVE_INFINITY;
  let resolvedAt = Number.NEGATIVE_INFINITY;
  let probe: { at: number; answer: Promise<boolean> } | undefined;

  /** The names that were answered last, each of another zone. */
  const recentNames = (): string[] =>
    [...names]
      .filter(([, { at }]) => now() - at < CONTROL_AGE)
      .slice(-CONTROLS)
      .map(([, { name }]) => name);

  const isAnswering = (): Promise<boolean> => {
    if (now() - answeredAt < EVIDENCE) return Promise.resolve(true);
    if (!probe || now() - probe.at > EVIDENCE) {
      const answer = dns.isAnswering(recentNames()).then((yes) => {
        if (yes) answeredAt = now();
        return yes;
      });
      probe = { at: now(), answer };
      void answer.finally(() => {
        if (probe?.answer === answer) probe.at = now();
      });
    }
    return probe.answer;
  };

  /** Whether zones of several operators that used to resolve fail at the same time, and no other name resolves. */
  const isCutOff = (name: string): boolean => {
    const zone = zoneOf(name);
    if (zones.resolvedAt.has(zone)) setBounded(zones.failedAt, zone, now(), CACHED_NAMES);
    if (now() - resolvedAt < NO_SUCCESS) return false;
    const failing = [...zones.failedAt].filter(([other, at]) => {
      return now() - at < MINUTE && at > (zones.resolvedAt.get(other) ?? 0);
    });
    return failing.length >= FAILING_ZONES;
  };

  return {
    /** Whether the name servers of this machine answer. Without a recent answer they are probed, once for all callers. */
    isAnswering,
    /** Records that a name server answered, if only that a name does not exist; with a name that it can be asked again. */
    recordAnswer: (name?: string): void => {
      answeredAt = now();
      if (name) setBounded(names, zoneOf(name), { name, at: answeredAt }, CACHED_NAMES);
    },
    /** Records that a name server sent an address. */
    recordAddress: (name: string): void => {
      answeredAt = resolvedAt = now();
      setBounded(zones.resolvedAt, zoneOf(name), resolvedAt, CACHED_NAMES);
      setBounded(names, zoneOf(name), { name, at: resolvedAt }, CACHED_NAMES);
    },
    /** The error of a lookup without an answer, which is a failure of the target only while the name servers answer. */
    attribute: async (name: string, error: unknown): Promise<unknown> => {
      const shortage = dns.shortage();
      if (shortage) return new LocalFailure(shortage);
      if (!(await isAnswering()) || isCutOff(name)) return new LocalFailure("resolver");
      return error;
    },
  };
};

type NameServerHealth = ReturnType<typeof createNameServerHealth>;

/** Creates a lookup in DNS, then by the C library for a local name that DNS does not have. @throws {LookupFailed} */
const createLookup = (dns: SystemDns, health: NameServerHealth) => {
  /** One at a time, because a lookup without an answer blocks a thread of the shared pool. */
  const libcLimiter = createKeyedLimiter(1);

  return async (name: string, { useLibc }: Caller): Promise<Answer[]> => {
    try {
      const answers = await orAborted(dns.lookup(name), AbortSignal.timeout(LOOKUP_TIMEOUT));
      if (answers.some(({ ttl }) => ttl > 0)) health.recordAddress(name);
      return answers;
    } catch (error) {
      const failure = new LookupFailed(reasonOf(error));
      if (!failure.isMissing) throw failure;
      health.recordAnswer();
      if (!useLibc || !isLocalName(name)) throw failure;
    }
    // The limiter is held until the thread is free again, not only until the caller stops waiting.
    const answers = libcLimiter.run("", 1, () => dns.lookupByLibc(name));
    return orAborted(answers, AbortSignal.timeout(LOOKUP_TIMEOUT)).catch((error) => {
      throw new LookupFailed(error instanceof DOMException ? "silent" : "no_name");
    });
  };
};

/** Lookups by id: answers and failures are cached, identical ones are joined, and each caller has its limit. */
const createSharedLookups = (lookup: ReturnType<typeof createLookup>, now: () => number) => {
  const limiter = createKeyedLimiter(MAX_LOOKUPS);
  const cache = new Map<string, Cached>();
  const inFlight = new Map<string, Promise<string[]>>();

  const cached = (id: string): string[] | undefined => {
    const cachedAnswer = cache.get(id);
    if (!cachedAnswer || cachedAnswer.until <= now()) return undefined;
    if ("failure" in cachedAnswer) throw cachedAnswer.failure;
    return cachedAnswer.addresses;
  };

  const start = async (id: string, name: string, caller: Caller): Promise<string[]> => {
    try {
      const answers = await lookup(name, caller);
      const addresses = answers.map(({ address }) => address);
      const ttl = Math.min(MAX_TTL, Math.min(...answers.map((answer) => answer.ttl)) * SECOND);
      if (ttl > 0) setBounded(cache, id, { until: now() + ttl, addresses }, CACHED_NAMES);
      return addresses;
    } catch (error) {
      const failure = error as LookupFailed;
      if (failure.isMissing) setBounded(cache, id, { until: now() + MISSING_TTL, failure }, CACHED_NAMES);
      throw failure;
    } finally {
      inFlight.delete(id);
    }
  };

  return {
    /** The addresses from the cache. @throws {LookupFailed} a cached failure */
    cached,
    /** Removes the cached answer for a name, or all. */
    forget: (name?: string): void => {
      if (name === undefined) cache.clear();
      else for (const id of [name, `libc ${name}`]) cache.delete(id);
    },
    /** Joins a running lookup, but not a queued one: the queue of another caller must not delay this one. */
    run: (id: string, name: string, caller: Caller): Promise<string[]> => {
      const joined = inFlight.get(id);
      if (joined) return joined;
      return limiter.run(caller.key, caller.limit, async () => {
        const cachedAnswer = cached(id);
        if (cachedAnswer) return cachedAnswer;
        const running = inFlight.get(id) ?? start(id, name, caller);
        inFlight.set(id, running);
        return running;
      });
    },
  };
};

/**
 * Resolves many names concurrently within a few seconds, without a thread for each. Identical lookups are joined; answers
 * are cached for their TTL, and that a name does not exist for a second. `now` is in milliseconds and need not be the time of day.
 */
export const createResolver = (dns: SystemDns, now: () => number = () => performance.now()) => {
  const health = createNameServerHealth(dns, now);
  const lookups = createSharedLookups(createLookup(dns, health), now);

  return {
    /**
     * The addresses of a name.
     * @throws {LookupFailed} when the name has no addresses, or its own name servers do not answer
     * @throws {LocalFailure} when the name servers of this machine do not answer
     * @throws the signal's reason
     */
    resolve: async (name: string, caller: Caller, signal: AbortSignal): Promise<string[]> => {
      const id = caller.useLibc && isLocalName(name) ? `libc ${name}` : name;
      try {
        return lookups.cached(id) ?? (await orAborted(lookups.run(id, name, caller), signal));
      } catch (error) {
        if (error instanceof LookupFailed && error.isMissing) throw error;
        throw await health.attribute(name, error);
      }
    },
    /** Asks the name servers again for a name, or for all, although their answers have not expired. */
    forget: lookups.forget,
    /** Whether the name servers of this machine answer. */
    isAnswering: health.isAnswering,
    /** Records that they answered for a name, in a query that was not made here. */
    recordAnswer: health.recordAnswer,
  };
};
