import { getDefaultStore } from "jotai";
import { type LiveEvents, STREAM_SILENCE } from "../src/shared/live";
import { openEventStream, type StreamEvent } from "./lib/event-stream";
import { refreshMounted, setLive } from "./lib/resource";
import { passOn, passOnSamples } from "./live";
import { session, sessionAtom } from "./session";

const dataOf = <Name extends keyof LiveEvents>(events: StreamEvent[], name: Name) =>
  events.filter(({ event }) => event === name).map(({ data }) => data as LiveEvents[Name]);

/** Milliseconds after which a lost stream counts: one that a proxy cuts now and then is back sooner. */
const GRACE = 10_000;

/** Notes whether a stream brings every change. After a loss, it has the grace period to return. */
const createLiveness = (grace: number) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const set = (live: boolean): void => {
    clearTimeout(timer);
    timer = undefined;
    setLive(live);
  };
  return {
    set,
    lose: (): void => {
      timer ??= setTimeout(() => set(false), grace);
    },
  };
};

type Liveness = ReturnType<typeof createLiveness>;

const receive = (events: StreamEvent[], liveness: Liveness): void => {
  const start = [...dataOf(events, "ready"), ...dataOf(events, "reset")].at(-1);
  if (start) liveness.set(start.complete);
  passOn({
    monitors: dataOf(events, "monitor"),
    agents: dataOf(events, "agent"),
    outages: dataOf(events, "outage"),
    counts: dataOf(events, "counts").at(-1),
  });
  passOnSamples(dataOf(events, "sample"));
};

/** Opens the stream of one session. `lastId` is where an earlier one of it ended. */
const connect = (token: string, lastId: string | null, liveness: Liveness) => {
  let loaded = lastId !== null;
  return openEventStream({
    url: new URL("api/live", document.baseURI),
    headers: { authorization: `Bearer ${token}` },
    lastId,
    silence: STREAM_SILENCE,
    onEvents: (events) => {
      receive(events, liveness);
      // What changed between loading the page and this stream, or while it was away for too long, is not in it.
      if (!loaded || events.some(({ event }) => event === "reset")) refreshMounted();
      loaded = true;
    },
    onLost: liveness.lose,
    // The next call that is refused ends the session.
    onRefused: () => {
      liveness.set(false);
      refreshMounted();
    },
  });
};

/**
 * Follows the changes of the signed-in user by one stream, while the page is visible: browsers open few connections to one
 * host. Without a stream, pages poll: after `grace` ms when it is lost. Returns a function that ends it.
 */
export const followChanges = (grace = GRACE): (() => void) => {
  const liveness = createLiveness(grace);
  let stream: ReturnType<typeof openEventStream> | null = null;
  let open: string | null = null;
  /** Where the last stream of a session ended. */
  let last: { token: string; id: string | null } | null = null;

  const update = () => {
    const { token, status } = session();
    const wanted = status === "authenticated" && !document.hidden ? token : null;
    if (wanted === open) return;
    if (stream && open) {
      last = { token: open, id: stream.lastId() };
      stream.stop();
      liveness.set(false);
    }
    open = wanted;
    stream = wanted ? connect(wanted, last?.token === wanted ? last.id : null, liveness) : null;
  };

  const unsubscribe = getDefaultStore().sub(sessionAtom, update);
  document.addEventListener("visibilitychange", update);
  update();
  return () => {
    unsubscribe();
    document.removeEventListener("visibilitychange", update);
    stream?.stop();
    liveness.set(false);
  };
};
