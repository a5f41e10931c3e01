/**
 * Asks registries about domains, by the list of IANA. Each answer is kept for hours, for all monitors of the domain, so that a
 * registry has few requests also where checks have short intervals.
 */
import { createExpiringMap } from "../../lib/expiring-map";
import type { Clock } from "../../lib/time";
import { registrableNames } from "../../shared/domains/domain-name";
import { DELETED_STATUSES, type Registration } from "../../shared/domains/registration";
import { DAY, HOUR, MINUTE, SECOND } from "../../shared/limits";
import type { Outbound } from "../outbound";
import { readRegistration } from "./answer";
import { readServices, type Services, serverFor } from "./bootstrap";
import { createPace } from "./pace";
import { type Asking, RegistryUnavailable, requestJson } from "./request";

const IANA = "https://data.iana.org/rdap/dns.json";

/** Domains whose answers are kept. */
const MAX_KEPT = 10_000;
/** How long an answer stands for a registry that has none (ms). */
const KEPT = 7 * DAY;
/** When a registry is asked again (ms): usually, and about a domain that is not well or expires soon. */
const [USUAL, SOON] = [6 * HOUR, 2 * HOUR];
const EXPIRES_SOON = 30 * DAY;

/** How long the list is used before it is read again, while it can't be, and until it is tried again; how long that takes (ms). */
const LIST = { fresh: DAY, usable: 30 * DAY, retry: 10 * MINUTE, timeout: 10 * SECOND };
/** How long a registry is not asked (ms): at least and at most where it wants fewer requests, and while it is silent. */
const PAUSES = { least: MINUTE, usual: 15 * MINUTE, most: DAY, silent: MINUTE };
/** How long it is not asked about a domain again (ms) after a wrong answer, and after a timeout. */
const [WRONG, TIMED_OUT] = [HOUR, 5 * MINUTE];

export type Answer = {
  /** Null: the domain is not registered. */
  registration: Registration | null;
  /** Milliseconds of the request; null where no registry was asked now. */
  responseTime: number | null;
};

type Kept = { registration: Registration | null; nextAt: number };
type Options = { bootstrap?: string; allowPrivate?: boolean; spacing?: number };
type Parts = { clock: Pick<Clock, "now"> };
type Caller = { outbound: Outbound; signal: AbortSignal };

/** A number from 0.9 to 1.1 that follows from the name, so that registries are not asked about many domains at once. */
const spread = (name: string): number => 0.9 + Number(Bun.hash(name) % 1000n) / 5000;

/** Reads the list of registries, once a day. */
const createList = ({ clock }: Parts, address: string, schemes: readonly string[]) => {
  let read: { services: Services; at: number } | null = null;
  let triedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  const fetchList = async (asking: Asking): Promise<void> => {
    const now = clock.now();
    triedAt = now;
    // Not the time limit of one monitor, because all wait for the list.
    const signal = AbortSignal.timeout(LIST.timeout);
    const services = readServices(await requestJson(address, { ...asking, signal }, now), schemes);
    if (services) read = { services, at: now };
  };

  /** @throws {RegistryUnavailable} no_list, or a LocalFailure */
  return async (asking: Asking): Promise<Services> => {
    const isWithin = (time: number, length: number) => Math.abs(clock.now() - time) < length;
    if (!(read && isWithin(read.at, LIST.fresh)) && !isWithin(triedAt, LIST.retry))
      reading ??= fetchList(asking).finally(() => {
        reading = null;
      });
    await reading?.catch((error) => {
      if (!(error instanceof RegistryUnavailable)) throw error;
    });
    if (!read || !isWithin(read.at, LIST.usable)) throw new RegistryUnavailable("no_list");
    return read.services;
  };
};

/** When a registry is asked again. That a domain is not registered has to be confirmed first. */
const nextTime = (name: string, { registration }: Answer, before: Kept | undefined, now: number): number => {
  if (registration === null) return before && before.registration === null ? now + SOON * spread(name) : now;
  const expiresAt = registration.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(registration.expires_at);
  const isWell = expiresAt - now > EXPIRES_SOON && !registration.statuses.some((one) => DELETED_STATUSES.includes(one));
  return now + (isWell ? USUAL : SOON) * spread(name);
};

export const createRdap = (parts: Parts, { bootstrap = IANA, allowPrivate = false, spacing = 1000 }: Options = {}) => {
  const { clock } = parts;
  const isPlainAllowed = bootstrap.startsWith("http:");
  const readList = createList(parts, bootstrap, isPlainAllowed ? ["https:", "http:"] : ["https:"]);
  const inTurn = createPace(spacing);
  const kept = createExpiringMap<string, Kept>(MAX_KEPT);
  /** Registries and domains that are not asked for a while, and why. */
  const paused = createExpiringMap<string, RegistryUnavailable>(MAX_KEPT);
  const running = new Map<string, Promise<Answer>>();

  const pause = (key: string, error: RegistryUnavailable, lifetime: number): void =>
    paused.set(key, error, clock.now(), { lifetime });

  const pauseAfter = (error: unknown, registry: string, name: string, { signal }: Asking): void => {
    if (!(error instanceof RegistryUnavailable)) return;
    const { reason, retryAfter = PAUSES.usual } = error;
    const { least, most, silent } = PAUSES;
    if (reason === "limited") pause(registry, error, Math.min(most, Math.max(least, retryAfter)));
    // The time limit of one monitor says little about the registry.
    if (reason === "silent") pause(signal.aborted ? name : registry, error, signal.aborted ? TIMED_OUT : silent);
    if (reason === "wrong") pause(name, error, WRONG);
  };

  /** @throws {RegistryUnavailable | LocalFailure} */
  const ask = async (name: string, server: string, asking: Asking): Promise<Answer> => {
    const registry = new URL(server).origin;
    for (const key of [registry, name]) {
      const error = paused.get(key, clock.now());
      if (error) throw error;
    }
    try {
      let responseTime = 0;
      for (const candidate of registrableNames(name)) {
        const answer = await inTurn(registry, asking.signal, async () => {
          const startedAt = performance.now();
          const found = await requestJson(`${server}domain/${candidate}`, asking, clock.now());
          responseTime = Math.round((performance.now() - startedAt) * 10) / 10;
          return found;
        });
        if (answer === undefined) continue;
        const registration = readRegistration(answer, candidate, clock.now());
        if (registration === null) throw new RegistryUnavailable("wrong");
        return { registration, responseTime };
      }
      return { registration: null, responseTime };
    } catch (error) {
      pauseAfter(error, registry, name, asking);
      throw error;
    }
  };

  const askAndKeep = async (name: string, server: string, asking: Asking, before: Kept | undefined) => {
    const answer = await ask(name, server, asking);
    const now = clock.now();
    const nextAt = nextTime(name, answer, before, now);
    kept.set(name, { registration: answer.registration, nextAt }, now, { lifetime: KEPT });
    return answer;
  };

  const serverOf = async (name: string, caller: Caller) => {
    const asking = { ...caller, isPlainAllowed, allowPrivate };
    return { asking, server: serverFor(await readList(asking), name) };
  };

  return {
    now: clock.now,

    /** Whether the registry of a name has an RDAP server; null while that is not known. */
    supports: async (name: string, caller: Caller): Promise<boolean | null> =>
      serverOf(name, caller).then(
        ({ server }) => server !== null,
        () => null,
      ),

    /**
     * The registration of a domain, by its name in ASCII or one below it; `unsupported` where its registry has no RDAP server.
     * The last answer stands for a registry that has none.
     * @throws {RegistryUnavailable | LocalFailure}
     */
    lookUp: async (name: string, caller: Caller): Promise<Answer | "unsupported"> => {
      const now = clock.now();
      const before = kept.get(name, now);
      if (before && now < before.nextAt) return { registration: before.registration, responseTime: null };
      try {
        const { asking, server } = await serverOf(name, caller);
        if (server === null) return "unsupported";
        const started = running.get(name) ?? askAndKeep(name, server, asking, before);
        running.set(name, started);
        return await started.finally(() => running.delete(name));
      } catch (error) {
        if (!before || !(error instanceof RegistryUnavailable)) throw error;
        return { registration: before.registration, responseTime: null };
      }
    },
  };
};
