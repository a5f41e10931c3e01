import { sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { describeError } from "../../core/errors";
import type { Listen } from "../../db/postgres/listen";
import { createCoalescedRunner } from "../../lib/concurrency";
import { HEARTBEAT, type LiveChange } from "../../shared/live";
import type { LiveViewMessage } from "./view";

const CHANNEL = "wakeful_live";
/** Bytes of one notification; PostgreSQL takes fewer than 8,000. */
const MAX_PAYLOAD = 7500;
/** Changes that wait to be sent. Beyond, the oldest are left to the next poll of the pages. */
const MAX_WAITING = 5000;
/** Timeout for the echo of this instance's notification (ms). */
const ECHO_TIMEOUT = 5000;

/** What instances send each other. `watching`: a page is open there. `hello`: it has begun to listen. */
type Message = {
  from: string;
  changes?: LiveChange[];
  recount?: (number | null)[];
  recheck?: true;
  watching?: boolean;
  hello?: true;
} & Partial<LiveViewMessage>;

/** Splits changes so that each part fits into one notification. */
export const inPayloads = (changes: readonly LiveChange[]): LiveChange[][] => {
  const parts: LiveChange[][] = [];
  let left = 0;
  for (const change of changes) {
    const size = Buffer.byteLength(JSON.stringify(change)) + 1;
    if (parts.length === 0 || size > left) {
      parts.push([]);
      left = MAX_PAYLOAD;
    }
    parts.at(-1)?.push(change);
    left -= size;
  }
  return parts;
};

/** Sends messages to the other instances, one after another. The newest change of each target is kept until then. */
const createOutbox = ({ db, log, instance }: Pick<Deps, "db" | "log" | "instance">) => {
  const changes = new Map<string, LiveChange>();
  const messages: Omit<Message, "from">[] = [];

  const notify = (message: Omit<Message, "from">) =>
    db.rows(sql`select pg_notify(${CHANNEL}, ${JSON.stringify({ from: instance, ...message })})`);

  const send = createCoalescedRunner(async () => {
    const parts = inPayloads([...changes.values()]).map((some) => ({ changes: some }));
    changes.clear();
    try {
      for (const message of [...messages.splice(0), ...parts]) await notify(message);
    } catch (error) {
      log.debug("live events could not be sent to other instances", { error: describeError(error) });
    }
  });

  return {
    add: (message: Omit<Message, "from">): void => {
      messages.push(message);
      if (messages.length > MAX_WAITING) messages.shift();
      void send();
    },
    addChanges: (some: readonly LiveChange[]): void => {
      for (const change of some) {
        const key = `${change.event} ${change.data.id}`;
        changes.delete(key);
        changes.set(key, change);
      }
      for (const key of changes.keys()) {
        if (changes.size <= MAX_WAITING) break;
        changes.delete(key);
      }
      void send();
    },
  };
};

const NONE = { start: async () => {}, beat: async () => {}, stop: async () => {} };

/**
 * Passes live events between the instances on one PostgreSQL database by LISTEN and NOTIFY. Each instance with an open
 * page announces that every 15 seconds, and the others send it their changes. An announcement also comes back to its
 * sender: if it does not, as behind a transaction pooler, pages are told that they have to poll for other instances' results.
 */
export const createRelay = (
  { db, live, clock, log, instance }: Pick<Deps, "db" | "live" | "clock" | "log" | "instance">,
  listen: Listen | null,
) => {
  if (!listen) return NONE;
  let end: (() => Promise<void>) | null = null;
  let stopped = false;
  /** Whether announcements come back; null until the first has, or has not. */
  let hears: boolean | null = null;
  let announcedAt = Number.NEGATIVE_INFINITY;
  let awaitsEcho = false;
  const outbox = createOutbox({ db, log, instance });

  const announce = (hello?: true): void => {
    announcedAt = clock.now();
    awaitsEcho = true;
    outbox.add({ watching: live.streams() > 0, ...(hello && { hello }) });
  };

  const setHears = (now: boolean, reason = ""): void => {
    if (hears === now) return;
    hears = now;
    live.setComplete(now);
    if (!now) log.warn("open pages get no events of other instances and poll for them, will retry", { reason });
  };

  const receive = (text: string): void => {
    const message = JSON.parse(text) as Message;
    if (message.from === instance) {
      awaitsEcho = false;
      setHears(true);
      return;
    }
    if (message.watching) live.watchedElsewhere(clock.now() + 3 * HEARTBEAT);
    if (message.hello && live.streams() > 0) announce();
    if (message.changes) live.deliver(message.changes);
    for (const teamId of message.recount ?? []) live.recountHere(teamId ?? undefined);
    live.view.receive(message);
    if (message.recheck) void live.recheckHere();
  };

  const onMessage = (text: string): void => {
    try {
      receive(text);
    } catch (error) {
      log.warn("a notification of another instance could not be read", { error: describeError(error) });
    }
  };

  /** Called again after the connection was lost, when notifications may have been missed. */
  const onListening = (): void => {
    if (hears) hears = null;
    announce(true);
  };

  const start = createCoalescedRunner(async () => {
    if (end || stopped) return;
    try {
      end = await listen(CHANNEL, onMessage, onListening);
    } catch (error) {
      setHears(false, describeError(error));
    }
    if (stopped) await stop();
  });

  const stop = async (): Promise<void> => {
    stopped = true;
    const ending = end;
    end = null;
    await ending?.();
  };

  live.setComplete(false);
  live.on("open", () => announce());
  live.on("recheck", () => outbox.add({ recheck: true }));
  live.on("recount", (teamId) => outbox.add({ recount: [teamId ?? null] }));
  live.on("publish", outbox.addChanges);
  live.on("view", outbox.add);

  return {
    /** Begins to listen. A failure is retried by `beat`. */
    start,
    /** Announces this instance while a page is open. Call it every second. */
    beat: async (): Promise<void> => {
      const passed = clock.now() - announcedAt;
      if (awaitsEcho && passed >= ECHO_TIMEOUT) {
        awaitsEcho = false;
        setHears(false, "no notification arrives, as behind a transaction pooler: set LISTEN_DATABASE_URL");
        // The connection may be dead without the client noticing.
        const ending = end;
        end = null;
        await ending?.();
      }
      if (live.streams() === 0 || (passed >= 0 && passed < HEARTBEAT)) return;
      await start();
      announce();
    },
    stop,
  };
};

export type Relay = ReturnType<typeof createRelay>;
