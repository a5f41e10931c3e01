import type { Condition } from "../../shared/conditions";
import { MINUTE, SECOND } from "../../shared/limits";
import { LocalFailure } from "../local-failure";
import { createSlots } from "./slots";

/** Milliseconds that a look-up may take. A second name server is asked after two seconds, a third after four. */
const LOOKUP_TIMEOUT = 5 * SECOND;
/** Look-ups under way at once; each is a small packet on a shared socket. */
const LOOKUPS_AT_ONCE = 1024;
const CACHED_NAMES = 2000;
/** Milliseconds that an answer is used again at most, whatever its TTL. */
const MAX_TTL = 30 * SECOND;
const REMEMBER_MISSING = SECOND;
const REMEMBER_SILENT = 3 * SECOND;
/** Evidence that the name servers answer is good for this many milliseconds. */
const EVIDENCE = 2 * SECOND;
/** That many unrelated zones which used to resolve, and no other answer for so long, mean that the way to all is cut. */
const FAILING_ZONES = 3;
const NO_SUCCESS = 10 * SECOND;

/** An address and how many seconds it may be used; 0 for one that no name server gave. */
export type Answer = { address: string; ttl: number };

/** A name that could not be resolved: it does not exist or has no address, or its name servers do not answer. */
export class LookupFailed extends Error {
  override name = "LookupFailed";
  readonly code: string;
  constructor(readonly reason: "missing" | "silent") {
    super(reason);
    this.code = reason === "missing" ? "ENOTFOUND" : "ESERVFAIL";
  }
}

/** How the system resolves names; see system-dns.ts. Lookups reject with an error that has a `code`. */
export type SystemDns = {
  lookup: (name: string) => Promise<Answer[]>;
  /** Asks the C library, which holds a thread of the pool that all of the process shares. */
  lookupByLibc: (name: string) => Promise<Answer[]>;
  /** Whether the configured name servers answer at all. */
  isAnswering: () => Promise<boolean>;
  /** The shortage of this process that looks like silent name servers, or null. */
  shortage: () => Condition | null;
};

/** For whom a name is resolved: callers with one `key` have at most `limit` look-ups under way. */
export type Caller = { key: string; limit: number; useLibc: boolean };

type Known = { until: number } & ({ addresses: string[] } | { failure: LookupFailed });

/** Names that only the C library may know: other machines of this network. Names in /etc/hosts are known without it. */
const isLocalName = (name: string) => !name.includes(".") || /\.local\.?$/.test(name);

/** The part of a name that is likely run by one operator. */
const zoneOf = (name: string) => name.replace(/\.$/, "").split(".").slice(-2).join(".");

const isSilence = (error: unknown): boolean =>
  error instanceof DOMException ||
  /TIMEOUT|TIMEDOUT|SERVFAIL|REFUSED|BADRESP|NOTIMP|CANCELLED|NOMEM|DESTRUCTION/.test(
    String((error as { code?: unknown } | null)?.code),
  );

const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
  });

/** Keeps at most `size` entries: the oldest goes first. */
const setBounded = <V>(map: Map<string, V>, key: string, value: V, size: number) => {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > size && oldest !== undefined) map.delete(oldest);
};

/**
 * Resolves names within a few seconds, many at once, without a thread for each. Identical look-ups are joined, answers
 * are kept for their TTL and failures for a few seconds. `now` is in milliseconds and need not be the time of day.
 */
export const createResolver = (dns: SystemDns, now: () => number = () => performance.now()) => {
  const slots = createSlots(LOOKUPS_AT_ONCE);
  /** One at a time: a thread that waits for a silent resolver is one that nothing else can use. */
  const libcSlots = createSlots(1);
  const cache = new Map<string, Known>();
  const underWay = new Map<string, Promise<string[]>>();
  const zones = { resolvedAt: new Map<string, number>(), failedAt: new Map<string, number>() };
  let answeredAt = Number.NEGATIVE_INFINITY;
  let resolvedAt = Number.NEGATIVE_INFINITY;
  let asking: { at: number; answer: Promise<boolean> } | undefined;

  const ask = async (name: string, { useLibc }: Caller): Promise<Answer[]> => {
    try {
      const found = await orAborted(dns.lookup(name), AbortSignal.timeout(LOOKUP_TIMEOUT));
      if (found.some(({ ttl }) => ttl > 0)) {
        answeredAt = resolvedAt = now();
        setBounded(zones.resolvedAt, zoneOf(name), resolvedAt, CACHED_NAMES);
      }
      return found;
    } catch (error) {
      if (isSilence(error)) throw new LookupFailed("silent");
      answeredAt = now();
      if (!useLibc || !isLocalName(name)) throw new LookupFailed("missing");
    }
    // The turn ends with the thread, and not with the wait for it.
    const found = libcSlots.run("", 1, () => dns.lookupByLibc(name));
    return orAborted(found, AbortSignal.timeout(LOOKUP_TIMEOUT)).catch((error) => {
      throw new LookupFailed(error instanceof DOMException ? "silent" : "missing");
    });
  };

  const askOnce = async (id: string, name: string, caller: Caller): Promise<string[]> => {
    try {
      const answers = await ask(name, caller);
      const addresses = answers.map(({ address }) => address);
      const ttl = Math.min(MAX_TTL, Math.min(...answers.map((answer) => answer.ttl)) * SECOND);
      if (ttl > 0) setBounded(cache, id, { until: now() + ttl, addresses }, CACHED_NAMES);
      return addresses;
    } catch (error) {
      const failure = error as LookupFailed;
      const remembered = failure.reason === "missing" ? REMEMBER_MISSING : REMEMBER_SILENT;
      setBounded(cache, id, { until: now() + remembered, failure }, CACHED_NAMES);
      throw failure;
    } finally {
      underWay.delete(id);
    }
  };

  const cached = (id: string): string[] | undefined => {
    const known = cache.get(id);
    if (!known || known.until <= now()) return undefined;
    if ("failure" in known) throw known.failure;
    return known.addresses;
  };

  /** Joins a look-up that is under way, and not one that waits: another caller's queue must not delay this one. */
  const lookUp = (id: string, name: string, caller: Caller): Promise<string[]> => {
    const joined = underWay.get(id);
    if (joined) return joined;
    return slots.run(caller.key, caller.limit, async () => {
      const known = cached(id);
      if (known) return known;
      const asking = underWay.get(id) ?? askOnce(id, name, caller);
      underWay.set(id, asking);
      return asking;
    });
  };

  const asksNameServers = (): Promise<boolean> => {
    if (now() - answeredAt < EVIDENCE) return Promise.resolve(true);
    if (!asking || now() - asking.at > EVIDENCE) {
      const answer = dns.isAnswering().then((yes) => {
        if (yes) answeredAt = now();
        return yes;
      });
      asking = { at: now(), answer };
      void answer.finally(() => {
        if (asking?.answer === answer) asking.at = now();
      });
    }
    return asking.answer;
  };

  /** Whether zones of several operators that used to resolve fail together while nothing resolves. */
  const isCutOff = (name: string): boolean => {
    const zone = zoneOf(name);
    if (zones.resolvedAt.has(zone)) setBounded(zones.failedAt, zone, now(), CACHED_NAMES);
    if (now() - resolvedAt < NO_SUCCESS) return false;
    const failing = [...zones.failedAt].filter(([other, at]) => {
      return now() - at < MINUTE && at > (zones.resolvedAt.get(other) ?? 0);
    });
    return failing.length >= FAILING_ZONES;
  };

  /** A silent name is its owner's matter only while the name servers of this machine answer. */
  const blame = async (name: string, error: unknown): Promise<unknown> => {
    const shortage = dns.shortage();
    if (shortage) return new LocalFailure(shortage);
    if (!(await asksNameServers()) || isCutOff(name)) return new LocalFailure("resolver");
    return error;
  };

  return {
    /**
     * The addresses of a name.
     * @throws {LookupFailed} when the name has none, or its own name servers do not answer
     * @throws {LocalFailure} when the name servers of this machine do not answer
     * @throws the signal's reason
     */
    resolve: async (name: string, caller: Caller, signal: AbortSignal): Promise<string[]> => {
      const id = caller.useLibc && isLocalName(name) ? `libc ${name}` : name;
      try {
        return cached(id) ?? (await orAborted(lookUp(id, name, caller), signal));
      } catch (error) {
        if (error instanceof LookupFailed && error.reason === "missing") throw error;
        throw await blame(name, error);
      }
    },
    /** Whether the name servers of this machine answer. */
    isAnswering: asksNameServers,
  };
};

export type Resolver = ReturnType<typeof createResolver>;
