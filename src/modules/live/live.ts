/**
 * Changes on their way to the pages that are open:
 *
 *   1. publish   the engine, agents' reports and the offline sweep, after their transaction
 *   2. collect   below: the latest change of each target; at once after a change of state, otherwise for a second
 *   3. record    log.ts: numbered, for pages that reconnect
 *   4. fan out   streams.ts: one text for all streams of a scope
 *   5. relay     relay.ts: to the instances on the same database
 *
 * Nothing of this happens while no page is open.
 */
import type { Viewer } from "../../db/owner";
import type { Clock } from "../../lib/time";
import { HEARTBEAT, type LiveChange, type LiveCounts, type LiveWatching } from "../../shared/live";
import { createLiveLog, type Entry, eventText, isSeenBy, type Scope, scopeOf } from "./log";
import { createStreams, type StreamOptions } from "./streams";
import { createLiveView, type LiveViewMessage } from "./view";

/** How long results without a change of state are collected (ms). */
const COLLECT = 1000;
/** Events of one batch to one stream. Further results without a change of state are left to the page's next poll. */
const MAX_BATCH = 500;
/** How long events are recorded after the last page was closed, so that a reload resumes (ms). */
const KEEP_RECORDING = 60_000;

type Options = { clock: Clock; instance: string; maxKept?: number };
type OpenOptions = Omit<StreamOptions, "scope" | "userId" | "first">;

const createListeners = () => {
  const listeners = {
    /** Changes for the other instances. */
    publish: [] as ((changes: LiveChange[]) => void)[],
    /** Counts of a team, or of all teams, have to be read again: here, and at the other instances. */
    count: [] as ((teamId: number | undefined) => void)[],
    recount: [] as ((teamId: number | undefined) => void)[],
    /** Receivers of live-view messages to other instances. */
    view: [] as ((message: LiveViewMessage) => void)[],
    /** A page is open where there was none. */
    open: [] as (() => void)[],
    /** Sessions may have ended. */
    recheck: [] as (() => void)[],
  };
  type Listeners = typeof listeners;
  return {
    on: <Name extends keyof Listeners>(name: Name, listener: Listeners[Name][number]): void => {
      (listeners[name] as Listeners[Name][number][]).push(listener);
    },
    emit: <Name extends keyof Listeners>(name: Name, ...values: Parameters<Listeners[Name][number]>): void => {
      for (const listener of listeners[name] as ((...given: unknown[]) => void)[]) listener(...values);
    },
  };
};

/** Keeps the latest change of each target until it is flushed: at once with a change of state, otherwise after a second. */
const createCollector = (
  clock: Clock,
  statusOf: (change: LiveChange) => string | null | undefined,
  onFlush: (changes: LiveChange[]) => void,
) => {
  const pending = new Map<string, LiveChange>();
  let collecting = false;

  const flush = (): void => {
    const changes = [...pending.values()];
    pending.clear();
    if (changes.length > 0) onFlush(changes);
  };

  const collect = async (): Promise<void> => {
    collecting = true;
    await clock.sleep(COLLECT);
    collecting = false;
    flush();
  };

  return (changes: readonly LiveChange[]): void => {
    let urgent = false;
    for (const change of changes) {
      const key = `${change.event} ${change.data.id}`;
      const changed = change.changed ?? statusOf(change) !== change.data.status;
      // Outages are read again with each change of their target.
      if (change.event === "outage" && !changed) continue;
      pending.set(key, { ...change, changed: changed || pending.get(key)?.changed === true });
      urgent ||= changed;
    }
    if (urgent) flush();
    else if (pending.size > 0 && !collecting) void collect();
  };
};

/** Whether a time is ahead, at most by `most`: a clock that was set back does not put it off. */
const isAhead = (time: number, now: number, most: number): boolean => time > now && time - now <= most;

/** Whether events are to be recorded: while a page is open here or elsewhere, and a moment longer. */
const createRecording = (clock: Clock, isOpen: () => boolean, onEnd: () => void) => {
  let until = Number.NEGATIVE_INFINITY;
  let elsewhereUntil = Number.NEGATIVE_INFINITY;
  let recorded = false;
  const isWatchedElsewhere = () => isAhead(elsewhereUntil, clock.now(), 10 * HEARTBEAT);
  return {
    isOn: (): boolean => {
      const now = clock.now();
      if (isOpen() || isWatchedElsewhere()) until = now + KEEP_RECORDING;
      const recording = isAhead(until, now, KEEP_RECORDING);
      if (recorded && !recording) onEnd();
      recorded = recording;
      return recording;
    },
    isWatchedElsewhere,
    watchedElsewhere: (time: number): void => {
      elsewhereUntil = time;
    },
  };
};

/** Sends gaps of the hub to the open pages of this process. */
const createWatchingNotice = (streams: ReturnType<typeof createStreams>) => {
  let text = "";
  return {
    /** The first event of a stream that opens during a gap; otherwise empty. */
    text: (): string => text,
    set: (data: LiveWatching): void => {
      const event = eventText(null, "watching", data);
      for (const scope of streams.scopes()) streams.send(scope, event);
      text = data.unknown === null ? "" : event;
    },
  };
};

/** The first events of a stream: those after the event with `lastId`, or `reset` if they are not known. */
const firstText = (
  log: ReturnType<typeof createLiveLog>,
  { lastId, scope, complete }: { lastId: string | null; scope: Scope; complete: boolean },
): string => {
  const missed = lastId === null ? [] : log.since(lastId, scope);
  const resumed = missed && missed.length <= MAX_BATCH ? missed : null;
  const start = eventText(log.latest(), resumed ? "ready" : "reset", { complete });
  return [start, ...(resumed ?? []).map(({ text }) => text)].join("");
};

const textOf = (entries: readonly Entry[]): string => {
  let left = MAX_BATCH - entries.filter(({ changed }) => changed).length;
  return entries
    .filter(({ changed }) => changed || left-- > 0)
    .map(({ text }) => text)
    .join("");
};

/** Creates the distributor of live events of this process. */
export const createLive = ({ clock, instance, maxKept }: Options) => {
  const log = createLiveLog(instance, maxKept);
  const { on, emit } = createListeners();
  const streams = createStreams({ clock, onFirst: () => emit("open") });
  const recording = createRecording(clock, () => streams.size() > 0, log.clear);
  const view = createLiveView({ clock, streams, relay: (message) => emit("view", message) });
  /** Whether the events of other instances arrive. */
  let complete = true;
  const watching = createWatchingNotice(streams);

  const fanOut = (entries: readonly Entry[]): void => {
    for (const scope of streams.scopes()) {
      const own = entries.filter((entry) => isSeenBy(entry, scope));
      if (own.length > 0) streams.send(scope, textOf(own));
    }
  };

  const recountHere = (teamId?: number): void => emit("count", teamId);

  const deliver = (changes: readonly LiveChange[]): void => {
    if (!recording.isOn()) return;
    fanOut(changes.map((change) => log.add(change)));
    for (const teamId of new Set(changes.filter(({ changed }) => changed).map(({ teamId }) => teamId)))
      recountHere(teamId);
  };

  return {
    /** Whether a page is open, here or at another instance: otherwise there is nothing to publish. */
    watched: recording.isOn,
    /** Publishes what was stored. Call it after the transaction. */
    publish: createCollector(clock, log.statusOf, (changes) => {
      deliver(changes);
      if (recording.isWatchedElsewhere()) emit("publish", changes);
    }),
    /** Passes on what another instance has published. */
    deliver,

    /** Reads the counts of a team's monitors and servers again, or of all teams', and sends them to open pages. */
    recount: (teamId?: number): void => {
      if (!recording.isOn()) return;
      recountHere(teamId);
      emit("recount", teamId);
    },
    /** The same, for this process only. */
    recountHere,
    /** Sends counts to the pages of a scope. */
    sendCounts: (scope: Scope, data: LiveCounts): void => {
      if (recording.isOn()) fanOut([log.add({ event: "counts", scope, data, changed: true })]);
    },

    setWatching: watching.set,
    /**
     * Opens a stream of the events that a viewer may see. With the id of an event it starts with the following ones.
     * @throws {AppError} too_many_streams, unavailable
     */
    open: (viewer: Viewer, lastId: string | null, options: OpenOptions): ReadableStream => {
      const scope = scopeOf(viewer);
      recording.isOn();
      const first = firstText(log, { lastId, scope, complete }) + watching.text();
      const stream = streams.open({ scope, userId: viewer.id, first, ...options });
      emit("count", viewer.teamId);
      return stream;
    },
    /** Sends heartbeats, and ends the streams of sessions that have ended. Call it every second. */
    beat: streams.beat,
    /** Ends the streams whose session, key or user is no longer valid, here and at other instances. */
    recheck: (): Promise<void> => {
      emit("recheck");
      return streams.recheck();
    },
    /** The same, for this process only. */
    recheckHere: streams.recheck,
    /** Ends all streams, and waits of agents; further ones are refused. */
    stop: (): void => {
      view.stop();
      streams.stop();
    },
    /** Servers that are shown second by second. */
    view,
    /** The number of open streams. */
    streams: streams.size,
    scopes: streams.scopes,
    on,
    /** Notes until when a page is open at another instance. */
    watchedElsewhere: recording.watchedElsewhere,
    /** Notes whether events of other instances arrive. Open pages load everything again, because some may be missing. */
    setComplete: (now: boolean): void => {
      complete = now;
      if (streams.size() === 0) return;
      const text = eventText(log.latest(), "reset", { complete });
      for (const scope of streams.scopes()) streams.send(scope, text);
    },
  };
};

export type Live = ReturnType<typeof createLive>;
