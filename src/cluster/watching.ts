/**
 * Whether the hub can know anything of its targets. It cannot while it does not run (downtime.ts), without a network, and
 * while it is late. `look` decides it once a second for this process, keeps it in memory, and stores what changes (gaps.ts).
 * With several instances there is a gap only while none of them watches.
 */
import { eq, ne } from "drizzle-orm";
import type { Deps } from "../core/deps";
import { describeError } from "../core/errors";
import { instances } from "../db/schema";
import type { Interval } from "../lib/intervals";
import { CLOCK_JUMP_MS } from "../lib/time";
import { SECOND } from "../shared/limits";
import type { HubGapReason } from "../shared/outages/unknown";
import { type Gap, type OpenGap, writeGaps } from "./gaps";
import { createHubGap } from "./hub-gap";
import { INSTANCE_TIMEOUT } from "./instances";

/** A pause of the process of this length is a gap (ms): clients that wait for an answer give up after ten seconds. */
export const SHORTEST_PAUSE = 10 * SECOND;
type Other = { seenAt: number; blindSince: number | null };
/** Whether this instance sees anything, although signs are missing since a time. */
type Ask = (missingSince: number) => Promise<boolean>;
type Source = { reason: HubGapReason; since: () => number | null };
type Store = Pick<Deps, "db" | "clock" | "log" | "instance">;

const readOthers = ({ db, instance }: Store): Promise<Other[]> =>
  db
    .select({ seenAt: instances.seenAt, blindSince: instances.blindSince })
    .from(instances)
    .where(ne(instances.id, instance));

/** Whether an instance watched at least the second half of an interval: it wrote a heartbeat then, and was not blind. */
const watched = ({ seenAt, blindSince }: Other, { from, to }: Interval): boolean =>
  blindSince === null && seenAt > (from + to) / 2;

export type Watching = ReturnType<typeof createWatching>;

/** Decides from what this instance and the others see whether there is a gap. Changes memory only. */
const createDecision = (hub: ReturnType<typeof createHubGap>) => {
  let othersWatchedAt = 0;
  return {
    clockSetBack: (now: number): void => {
      othersWatchedAt = Math.min(othersWatchedAt, now);
    },
    decide: (
      now: number,
      { blind, pauses }: { blind: OpenGap | null; pauses: readonly Gap[] },
      others: readonly Other[],
    ) => {
      for (const pause of pauses) if (!others.some((other) => watched(other, pause))) hub.end(pause);
      const isWatched = others.some((other) => watched(other, { from: now - 2 * INSTANCE_TIMEOUT, to: now }));
      if (isWatched) othersWatchedAt = now;
      if (blind === null || isWatched) return hub.set(null, now);
      const lastWatched = others.map(({ seenAt, blindSince }) => blindSince ?? seenAt);
      hub.set({ ...blind, since: Math.min(now, Math.max(blind.since, othersWatchedAt, ...lastWatched)) }, now);
    },
  };
};

/** What this instance cannot see now: the same as before while its reason lasts. */
const findBlind = (sources: readonly Source[], before: OpenGap | null): OpenGap | null => {
  const gaps = sources.flatMap(({ reason, since }): OpenGap[] => {
    const at = since();
    return at === null ? [] : [{ reason, since: at }];
  });
  return gaps.find(({ reason }) => reason === before?.reason) ? before : (gaps[0] ?? null);
};

export const createWatching = (store: Store) => {
  const { db, clock, log, instance } = store;
  const isShared = db.engine === "postgres";
  const sources: Source[] = [];
  const listeners: (() => void)[] = [];
  let ask: Ask = async () => true;
  const hub = createHubGap(() => {
    for (const listener of listeners) listener();
  });
  const decision = createDecision(hub);
  /** What this instance cannot see, whether or not another one can. */
  let blind: OpenGap | null = null;
  let storedBlindSince: number | null = null;
  /** When it saw nothing, while it is not known yet whether another instance watched. */
  let pauses: Gap[] = [];
  let lookedAt: number | null = null;
  let storing: Promise<void> | null = null;

  const decide = (others: readonly Other[]): void => {
    decision.decide(clock.now(), { blind, pauses }, others);
    pauses = [];
  };

  const persist = async (): Promise<void> => {
    const blindSince = blind?.since ?? null;
    if (isShared && blindSince !== storedBlindSince) {
      await db.update(instances).set({ blindSince }).where(eq(instances.id, instance));
      storedBlindSince = blindSince;
    }
    if (isShared) decide(await readOthers(store));
    await hub.store((gaps) => writeGaps(db, { ...gaps, now: clock.now() }));
  };

  const startStoring = (): void => {
    const isDecided = !isShared || (blind === null && hub.open() === null && pauses.length === 0);
    if (storing || (isDecided && hub.isStored() && storedBlindSince === null)) return;
    storing = persist()
      .catch((error) => log.warn("gaps were not stored, will retry", { error: describeError(error) }))
      .finally(() => {
        storing = null;
      });
  };

  return {
    /** Adds a reason: `since` returns when the view of all targets was lost, or null. */
    observe: (reason: HubGapReason, since: () => number | null): void => void sources.push({ reason, since }),
    /** Sets how is asked whether this instance sees anything. */
    confirmBy: (by: Ask): void => {
      ask = by;
    },
    /** Asks whether this instance sees anything, before missing signs accuse their senders. Resolves within a minute. */
    confirm: (missingSince: number): Promise<boolean> => ask(missingSince),
    /** Records that this instance saw nothing for a time that is over. */
    missed: (gap: Gap): void => {
      if (blind === null) pauses.push(gap);
    },
    /** Calls a function when a gap begins or ends. */
    onChange: (listener: () => void): void => void listeners.push(listener),

    /** Decides. Call it once a second, before the jobs that ask. */
    look: (): void => {
      const [since, now] = [lookedAt ?? clock.now(), clock.now()];
      lookedAt = now;
      if (now < since - CLOCK_JUMP_MS) {
        if (blind) blind = { ...blind, since: Math.min(blind.since, now) };
        decision.clockSetBack(now);
        hub.clockSetBack(now);
      }
      const wasPaused = now - since >= SHORTEST_PAUSE;
      if (wasPaused && blind === null) pauses.push({ from: since, to: now, reason: "hub_overloaded" });
      // A pause makes the checks after it late.
      const before = blind;
      if (!wasPaused) blind = findBlind(sources, blind);
      // The database was away: whether another instance watched is not known yet.
      if (before && before !== blind && hub.open() === null)
        pauses.push({ from: before.since, to: now, reason: before.reason });
      if (!isShared) decide([]);
      startStoring();
    },

    /** The open gap of the hub; null while an instance watches. */
    unknown: (): OpenGap | null => hub.open(),
    /** Whether this instance can't judge: it sees nothing, or what it missed is not decided yet. */
    isBlind: (): boolean => blind !== null || pauses.length > 0 || hub.open() !== null,
    /** Returns a function that does the work if something was missed since its last call, and again if that failed. */
    follow: hub.follow,
    /** Resolves when what was decided is stored. */
    stored: async (): Promise<void> => void (await storing),
  };
};
