import type { LiveEvents } from "../shared/live";

type Name = keyof LiveEvents;
type Received = { [Event in Name]: { id: string; event: Event; data: LiveEvents[Event] } }[Name];

const parse = (block: string): Received => {
  const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s)));
  return { id: fields.id, event: fields.event, data: JSON.parse(fields.data) };
};

/** Reads a stream of live events in the background. */
export const readEvents = (body: ReadableStream<Uint8Array> | null) => {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  let heartbeats = 0;
  let ended: "no" | "closed" | "broken" = "no";
  const wake = () => {
    for (const check of [...waiting]) check();
  };
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  const read = async () => {
    let rest = "";
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      const blocks = (rest + decoder.decode(part.value, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        if (block.startsWith(":")) heartbeats++;
        else received.push(parse(block));
      }
      wake();
    }
  };
  const end = read().then(
    () => {
      ended = "closed";
      wake();
    },
    () => {
      ended = "broken";
      wake();
    },
  );

  const waitFor = <T>(look: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const check = () => {
        const found = look();
        if (found === undefined) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
    });

  return {
    received,
    heartbeats: () => heartbeats,
    /** The first event with this name that satisfies a condition, among received and future events. */
    next: <Event extends Name>(event: Event, holds: (data: LiveEvents[Event]) => boolean = () => true) =>
      waitFor(() =>
        received.find(
          (one): one is Extract<Received, { event: Event }> =>
            one.event === event && holds(one.data as LiveEvents[Event]),
        ),
      ),
    nextHeartbeat: (count = 1) => waitFor(() => (heartbeats >= count ? true : undefined)),
    /** How the stream ended, once it has. */
    ended: () => end.then(() => ended),
    cancel: () => reader?.cancel(),
  };
};
