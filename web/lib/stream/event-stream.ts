/** A server-sent event: its name, its id, and its data as JSON. */
export type StreamEvent = { event: string; id: string; data: unknown };

/** The id of the last event that has one. */
export const lastIdOf = (events: readonly StreamEvent[]): string | undefined => events.findLast(({ id }) => id)?.id;

type Options = {
  url: URL;
  headers: Record<string, string>;
  /** The id of the last event that an earlier stream has received: the stream continues after it. */
  lastId: string | null;
  /** Called with the events of each part that arrives. */
  onEvents: (events: StreamEvent[]) => void;
  /** Called when the stream was open and is lost. It is opened again. */
  onLost: () => void;
  /** Called when the server refuses the credentials. The stream is not opened again. */
  onRefused: () => void;
  /** Time until a silent stream is lost (ms). */
  silence: number;
  /** Milliseconds before another try, after a number of failed ones. */
  pause?: (failed: number) => number;
};

/** Characters of one event; longer ones end the stream. */
const MAX_EVENT = 1_000_000;
const MAX_PAUSE = 5 * 60_000;

/** Doubles from a second to five minutes, each between half and one and a half times as long: pages do not return together. */
const backOff = (failed: number): number => Math.min(MAX_PAUSE, 1000 * 2 ** failed) * (0.5 + Math.random());

const fieldsOf = (block: string): Map<string, string> =>
  new Map(
    block.split("\n").map((line) => {
      const colon = line.indexOf(":");
      return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
    }),
  );

const readEvent = (block: string): StreamEvent[] => {
  const fields = fieldsOf(block);
  const data = fields.get("data");
  // A comment, which keeps the connection open.
  if (data === undefined) return [];
  return [{ event: fields.get("event") ?? "message", id: fields.get("id") ?? "", data: JSON.parse(data) }];
};

/** Cuts a stream's text into events. Returns a function of each part of the text, which may end anywhere. */
export const createEventParser = () => {
  let rest = "";
  return (part: string): StreamEvent[] => {
    const blocks = (rest + part).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop() ?? "";
    if (rest.length > MAX_EVENT) throw new Error("an event is too long");
    return blocks.flatMap(readEvent);
  };
};

/** Calls `onSilence` unless `reset` is called often enough. */
const createWatch = (silence: number, onSilence: () => void) => {
  let timer = setTimeout(onSilence, silence);
  const stop = () => clearTimeout(timer);
  return {
    reset: () => {
      stop();
      timer = setTimeout(onSilence, silence);
    },
    stop,
  };
};

/**
 * Reads server-sent events by fetch, which sends a token where EventSource sends cookies. A stream that ends, fails or is
 * silent is opened again after a pause, and continues after the last event. Returns a function that ends it.
 */
export const openEventStream = (options: Options) => {
  const { url, headers, onEvents, onLost, onRefused, silence, pause = backOff } = options;
  const stopped = new AbortController();
  let { lastId } = options;
  let failed = 0;

  /** Reads one connection to its end. Returns the server's reconnection time in ms, if it sends one. */
  const readOnce = async (): Promise<number> => {
    const silent = new AbortController();
    const watch = createWatch(silence, () => silent.abort());
    try {
      const response = await fetch(url, {
        headers: { ...headers, accept: "text/event-stream", ...(lastId && { "last-event-id": lastId }) },
        signal: AbortSignal.any([stopped.signal, silent.signal]),
        cache: "no-store",
        credentials: "omit",
      });
      if (response.status === 401 || response.status === 403) {
        stopped.abort();
        onRefused();
        return 0;
      }
      if (!response.ok || !response.body) return 1000 * Number(response.headers.get("retry-after") ?? 0);
      const parse = createEventParser();
      const decoder = new TextDecoder();
      const reader = response.body.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        watch.reset();
        const events = parse(decoder.decode(part.value, { stream: true }));
        if (stopped.signal.aborted || events.length === 0) continue;
        failed = 0;
        lastId = lastIdOf(events) ?? lastId;
        onEvents(events);
      }
      return 0;
    } finally {
      watch.stop();
      silent.abort();
    }
  };

  const read = async () => {
    while (!stopped.signal.aborted) {
      const wanted = await readOnce().catch(() => 0);
      if (stopped.signal.aborted) return;
      onLost();
      await new Promise((resolve) => setTimeout(resolve, Math.max(wanted, pause(failed++))));
    }
  };
  void read();

  return { stop: () => stopped.abort(), lastId: () => lastId };
};
