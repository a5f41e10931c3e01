/**
 * The live view: a page that shows a server second by second.
 *
 *   1. wait     an agent's call waits here until its server is watched (servers/live-view/routes.ts)
 *   2. watch    a page marks its server for 35 s at a time, which answers that call
 *   3. publish  the samples that the agent then sends go to the streams of the users who watch, and only the latest is kept
 *
 * The relay passes marks and samples to the instances on the same database.
 */

import { rateLimited, unavailable } from "../../core/errors";
import type { Clock } from "../../lib/time";
import { SECOND } from "../../shared/limits";
import type { LiveSample } from "../../shared/live";
import { eventText } from "./log";
import type { createStreams } from "./streams";

/** Agents that wait at this process. */
const MAX_WAITING = 2000;
/** Agents that wait before no further ones are invited: the rest is for those that return from an answer. */
const INVITED = 1800;
/** How long an invited agent is expected to call (ms). */
const INVITATION = 5 * SECOND;
/** The longest wait, in milliseconds: proxies end calls after a minute. */
const LONGEST_WAIT = 55 * SECOND;
/** Minimum time between two calls of a waiting agent (ms). */
const CALL_INTERVAL = SECOND;
/** How long a page's request marks its server as watched (ms). */
const WATCHED = 35 * SECOND;
const MAX_WATCHED = 500;
const MAX_WATCHED_PER_USER = 20;
/** Calls with samples that an agent may send in a second. */
const CALLS_A_SECOND = 2;
/** How long after the latest sample the stream counts as running (ms). */
const FRESH = 5 * SECOND;

/** A message between instances: a server that one of their pages shows, or a sample of it. */
export type LiveViewMessage = { watch: number; sample?: undefined } | { sample: LiveSample; watch?: undefined };

type Watched = {
  /** Its team, as of the last request that marks it. */
  teamId: number;
  /** Until when each user watches it. */
  users: Map<number, number>;
  /** Until when a page of another instance shows it. */
  elsewhere: number;
  latest: { sample: LiveSample; at: number } | null;
  calls: { second: number; count: number };
};

type Options = {
  clock: Pick<Clock, "now" | "sleep">;
  streams: Pick<ReturnType<typeof createStreams>, "sendToUser">;
  /** Sends a message to the other instances. */
  relay: (message: LiveViewMessage) => void;
};

/** Milliseconds until a time that is at most `most` ahead, otherwise 0: a clock that was set back does not put it off. */
const left = (time: number, now: number, most: number): number => (time > now && time - now <= most ? time - now : 0);

/** The calls of agents that wait. */
const createWaiting = ({ now, sleep }: Options["clock"]) => {
  const waiting = new Map<number, { since: number; end: () => void }>();
  const end = (agentId: number): void => {
    const one = waiting.get(agentId);
    waiting.delete(agentId);
    one?.end();
  };
  return {
    size: () => waiting.size,
    has: (agentId: number) => waiting.has(agentId),
    end,
    endAll: (): void => {
      for (const agentId of [...waiting.keys()]) end(agentId);
    },
    /**
     * Waits until the call is ended, at most 55 s. A second call of an agent ends its first.
     * @throws {AppError} rate_limited, unavailable
     */
    wait: async (agentId: number, gone: AbortSignal): Promise<void> => {
      const before = waiting.get(agentId);
      if (before && left(before.since + CALL_INTERVAL, now(), CALL_INTERVAL) > 0) throw rateLimited(1);
      end(agentId);
      if (waiting.size >= MAX_WAITING) throw unavailable();
      const { promise, resolve } = Promise.withResolvers<void>();
      const one = { since: now(), end: resolve };
      waiting.set(agentId, one);
      gone.addEventListener("abort", () => resolve());
      await Promise.race([promise, sleep(LONGEST_WAIT)]);
      if (waiting.get(agentId) === one) waiting.delete(agentId);
    },
  };
};

/** The servers that pages show, here and at other instances. */
const createWatched = ({ now }: Options["clock"]) => {
  const watched = new Map<number, Watched>();

  const timeLeft = ({ users, elsewhere }: Watched): number =>
    Math.max(...[...users.values(), elsewhere].map((until) => left(until, now(), WATCHED)));

  const purge = (): void => {
    for (const [agentId, one] of watched) if (timeLeft(one) === 0) watched.delete(agentId);
  };

  /** Ends what a user has not renewed for the longest time, when there is too much of it. */
  const limitUser = (userId: number): void => {
    const own = [...watched.values()].filter(({ users }) => users.has(userId));
    if (own.length < MAX_WATCHED_PER_USER) return;
    const [oldest] = own.toSorted((a, b) => (a.users.get(userId) ?? 0) - (b.users.get(userId) ?? 0));
    oldest?.users.delete(userId);
  };

  /** Marks a server; undefined when too many are watched. */
  const mark = (agentId: number): Watched | undefined => {
    purge();
    const entry = watched.get(agentId);
    if (entry) return entry;
    if (watched.size >= MAX_WATCHED) return undefined;
    const one = { teamId: 0, users: new Map(), elsewhere: 0, latest: null, calls: { second: 0, count: 0 } };
    watched.set(agentId, one);
    return one;
  };

  return {
    size: () => watched.size,
    get: (agentId: number) => watched.get(agentId),
    /** Milliseconds until a server is no longer watched. */
    timeLeft: (agentId: number): number => {
      const one = watched.get(agentId);
      return one ? timeLeft(one) : 0;
    },
    byUser: (agentId: number, userId: number, teamId: number): Watched | undefined => {
      if (!watched.get(agentId)?.users.has(userId)) limitUser(userId);
      const one = mark(agentId);
      if (!one) return undefined;
      one.teamId = teamId;
      one.users.set(userId, now() + WATCHED);
      return one;
    },
    elsewhere: (agentId: number): void => {
      const one = mark(agentId);
      if (one) one.elsewhere = now() + WATCHED;
    },
  };
};

/** Creates the live view of this process. */
export const createLiveView = ({ clock, streams, relay }: Options) => {
  const waiting = createWaiting(clock);
  const watched = createWatched(clock);
  let invitations = { since: 0, count: 0 };
  let stopped = false;

  /** How long an agent sends a sample each second, in whole seconds. */
  const secondsLeft = (agentId: number): number => (stopped ? 0 : Math.ceil(watched.timeLeft(agentId) / SECOND));

  const show = (one: Watched, sample: LiveSample): void => {
    const now = clock.now();
    one.latest = { sample, at: now };
    const text = eventText(null, "sample", sample);
    for (const [userId, until] of one.users)
      if (left(until, now, WATCHED) > 0) streams.sendToUser(userId, one.teamId, text);
  };

  const isTooOften = ({ calls }: Watched): boolean => {
    const second = Math.floor(clock.now() / SECOND);
    if (calls.second !== second) Object.assign(calls, { second, count: 0 });
    return ++calls.count > CALLS_A_SECOND;
  };

  return {
    /** Whether an agent that reports shall call and wait: while there is room, and for a server that is watched. */
    invites: (agentId: number): boolean => {
      if (stopped) return false;
      const now = clock.now();
      if (left(invitations.since + INVITATION, now, INVITATION) === 0) invitations = { since: now, count: 0 };
      if (waiting.size() + invitations.count < INVITED) {
        invitations.count++;
        return true;
      }
      if (watched.size() === 0 || waiting.size() >= MAX_WAITING) return false;
      return !waiting.has(agentId) && watched.timeLeft(agentId) > 0;
    },

    /**
     * Waits until a server is watched, at most 55 s. Returns for how many seconds its agent is to send samples.
     * @throws {AppError} rate_limited, unavailable
     */
    wait: async (agentId: number, gone: AbortSignal): Promise<number> => {
      if (!stopped && secondsLeft(agentId) === 0) await waiting.wait(agentId, gone);
      return secondsLeft(agentId);
    },

    /** Passes samples of a server on while it is watched. Returns for how many more seconds its agent is to send some. */
    publish: (agentId: number, samples: readonly LiveSample[]): number => {
      const one = watched.get(agentId);
      if (!one || secondsLeft(agentId) === 0 || isTooOften(one)) return 0;
      const isShownElsewhere = left(one.elsewhere, clock.now(), WATCHED) > 0;
      for (const sample of samples) {
        show(one, sample);
        if (isShownElsewhere) relay({ sample });
      }
      return secondsLeft(agentId);
    },

    /** Marks a server of a team as watched by a user, and returns its latest sample if samples arrive. */
    watch: (userId: number, agentId: number, teamId: number): LiveSample | null => {
      const one = stopped ? undefined : watched.byUser(agentId, userId, teamId);
      if (!one) return null;
      waiting.end(agentId);
      relay({ watch: agentId });
      return one.latest && left(one.latest.at + FRESH, clock.now(), FRESH) > 0 ? one.latest.sample : null;
    },

    /** Takes a message of another instance. */
    receive: ({ watch, sample }: Partial<LiveViewMessage>): void => {
      if (watch !== undefined) {
        watched.elsewhere(watch);
        waiting.end(watch);
      }
      const one = sample && watched.get(sample.id);
      if (one) show(one, sample);
    },

    /** Ends all waits; later ones end at once. */
    stop: (): void => {
      stopped = true;
      waiting.endAll();
    },
    /** The numbers of waiting agents and of watched servers. */
    sizes: () => ({ waiting: waiting.size(), watched: watched.size() }),
  };
};
