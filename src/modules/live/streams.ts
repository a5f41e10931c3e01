import { AppError, unavailable } from "../../core/errors";
import { createCoalescedRunner } from "../../lib/concurrency";
import type { Clock } from "../../lib/time";
import { HEARTBEAT } from "../../shared/live";
import { isOf, type Scope } from "./log";

/** Open streams of one user, of one of its sessions and of one of its keys. */
const MAX_PER_USER = 20;
const MAX_PER_SESSION = 15;
const MAX_PER_KEY = 5;
/** Open streams of this process. */
const MAX_STREAMS = 5000;
/** Bytes that wait for a slow reader. Beyond, it is disconnected and resumes. */
const MAX_WAITING = 2 ** 18;
/** Seconds until a refused page retries. */
const RETRY_AFTER = 60;
/** Streams that are checked, and that are written to, before other work runs. */
const SLICE = 50;
const SEND_SLICE = 200;

export type StreamOptions = {
  /** Whose events it gets. */
  scope: Scope;
  userId: number;
  /** The text it starts with. */
  first: string;
  /** Whether its session or key is still valid. Throws while that is unknown. */
  isValid: () => Promise<boolean>;
  /** The session or key that opens it. */
  credential?: { id: string; byKey: boolean };
  /** Ends the stream. */
  signal?: AbortSignal;
};

type Stream = Pick<StreamOptions, "scope" | "userId" | "isValid" | "credential"> & {
  controller: ReadableStreamDefaultController<Uint8Array>;
  beatAt: number;
};

const HEARTBEAT_TEXT = new TextEncoder().encode(": \n\n");

/** Writes to a stream and returns whether it is still open. Never throws: its callers have stored what they send. */
const tryWrite = ({ controller }: Pick<Stream, "controller">, bytes: Uint8Array): boolean => {
  try {
    const hasRoom = (controller.desiredSize ?? 0) > 0;
    if (hasRoom) controller.enqueue(bytes);
    // An error drops what waits for the reader; closing would keep it until it is read.
    else controller.error(new Error("The reader is too slow."));
    return hasRoom;
  } catch {
    return false;
  }
};

const close = ({ controller }: Pick<Stream, "controller">): void => {
  try {
    controller.close();
  } catch {
    // Its reader has gone at the same time.
  }
};

/** Texts that wait for their turn. Beyond, they are sent without letting other work run, so that none piles up. */
const MAX_QUEUED = 100;

/** Writes each text to its streams in order, some streams at a time: checks that are due start in between. */
const createSender = (clock: Clock, write: (stream: Stream, bytes: Uint8Array) => void) => {
  const queue: { bytes: Uint8Array; streams: Stream[] }[] = [];
  let sending = false;

  const drain = async (): Promise<void> => {
    sending = true;
    let room = SEND_SLICE;
    for (let next = queue[0]; next; next = queue[0]) {
      const some = next.streams.splice(0, queue.length > MAX_QUEUED ? next.streams.length : room);
      for (const stream of some) write(stream, next.bytes);
      if (next.streams.length === 0) queue.shift();
      room -= some.length;
      if (room > 0) continue;
      await clock.sleep(0);
      room = SEND_SLICE;
    }
    sending = false;
  };

  return (streams: Stream[], bytes: Uint8Array): void => {
    queue.push({ bytes, streams });
    if (!sending) void drain();
  };
};

/** Whether the user, and the session or key, of a further stream has room for it beside those that are open. */
const hasRoomFor = ({ userId, credential }: Omit<StreamOptions, "first">, open: readonly Stream[]): boolean => {
  const ofUser = open.filter((stream) => stream.userId === userId);
  if (ofUser.length >= MAX_PER_USER) return false;
  const sharing = ofUser.filter((stream) => stream.credential?.id === credential?.id);
  return !credential || sharing.length < (credential.byKey ? MAX_PER_KEY : MAX_PER_SESSION);
};

/** The open streams of this process, by what they may see. Memory for each is bounded. */
export const createStreams = ({ clock, onFirst }: { clock: Clock; onFirst: () => void }) => {
  const encoder = new TextEncoder();
  const byScope = new Map<Scope, Set<Stream>>();
  let size = 0;
  let stopped = false;

  const all = (): Stream[] => [...byScope.values()].flatMap((some) => [...some]);

  const remove = (stream: Stream): boolean => {
    const some = byScope.get(stream.scope);
    if (!some?.delete(stream)) return false;
    if (some.size === 0) byScope.delete(stream.scope);
    size--;
    return true;
  };

  const end = (stream: Stream): void => {
    if (remove(stream)) close(stream);
  };

  const write = (stream: Stream, bytes: Uint8Array): void => {
    if (!tryWrite(stream, bytes)) remove(stream);
  };

  const sendTo = createSender(clock, write);

  /** Ends streams that are no longer valid. While that is unknown, as without a database, they stay open. */
  const check = async (streams: readonly Stream[]): Promise<void> => {
    for (const [index, stream] of streams.entries()) {
      if (index % SLICE === SLICE - 1) await clock.sleep(0);
      if (!(await stream.isValid().catch(() => true))) end(stream);
    }
  };

  const recheck = createCoalescedRunner(() => check(all()));

  return {
    size: () => size,
    /** The scopes with open streams. */
    scopes: () => [...byScope.keys()],

    /** @throws {AppError} too_many_streams, unavailable */
    open: ({ first, signal, ...options }: StreamOptions): ReadableStream<Uint8Array> => {
      if (stopped || size >= MAX_STREAMS) throw unavailable();
      if (!hasRoomFor(options, all())) throw new AppError("too_many_streams", {}, { retryAfter: RETRY_AFTER });
      let stream: Stream | undefined;
      const body = new ReadableStream<Uint8Array>(
        {
          start: (controller) => {
            stream = { ...options, controller, beatAt: clock.now() + HEARTBEAT };
            controller.enqueue(encoder.encode(first));
          },
          cancel: () => {
            if (stream) remove(stream);
          },
        },
        new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING }),
      );
      if (!stream) throw unavailable();
      const opened = stream;
      const some = byScope.get(options.scope) ?? new Set();
      byScope.set(options.scope, some.add(opened));
      if (++size === 1) onFirst();
      // A body that is not read is not cancelled either when its client goes.
      if (signal?.aborted) end(opened);
      else signal?.addEventListener("abort", () => end(opened), { once: true });
      return body;
    },

    /** Sends a text to the streams of a scope. All streams share its bytes. */
    send: (scope: Scope, text: string): void => sendTo([...(byScope.get(scope) ?? [])], encoder.encode(text)),
    /** Sends a text to the streams of a user that are about a team. */
    sendToUser: (id: number, teamId: number, text: string): void => {
      const some = all().filter(({ userId, scope }) => userId === id && isOf(scope, teamId));
      sendTo(some, encoder.encode(text));
    },

    /** Sends the heartbeats that are due and checks those streams. */
    beat: async (): Promise<void> => {
      const now = clock.now();
      const due = all().filter(({ beatAt }) => now >= beatAt || beatAt > now + HEARTBEAT);
      for (const stream of due) {
        stream.beatAt = now + HEARTBEAT;
        write(stream, HEARTBEAT_TEXT);
      }
      await check(due);
    },

    recheck,

    stop: (): void => {
      stopped = true;
      for (const stream of all()) end(stream);
    },
  };
};
