import { getDefaultStore } from "jotai";
import { type LiveEvents, STREAM_SILENCE } from "../src/shared/live";
import { openEventStream, type StreamEvent } from "./lib/event-stream";
import { refreshMounted, setLive } from "./lib/resource";
import { passOn } from "./live";
import { session, sessionAtom } from "./session";

const dataOf = <Name extends keyof LiveEvents>(events: StreamEvent[], name: Name) =>
  events.filter(({ event }) => event === name).map(({ data }) => data as LiveEvents[Name]);

const receive = (events: StreamEvent[]): void => {
  const start = [...dataOf(events, "ready"), ...dataOf(events, "reset")].at(-1);
  if (start) setLive(start.complete);
  passOn({
    monitors: dataOf(events, "monitor"),
    agents: dataOf(events, "agent"),
    outages: dataOf(events, "outage"),
    counts: dataOf(events, "counts").at(-1),
  });
};

/** Opens the stream of one session. `lastId` is where an earlier one of it ended. */
const connect = (token: string, lastId: string | null) => {
  let loaded = lastId !== null;
  return openEventStream({
    url: new URL("api/live", document.baseURI),
    headers: { authorization: `Bearer ${token}` },
    lastId,
    silence: STREAM_SILENCE,
    onEvents: (events) => {
      receive(events);
      // What changed between loading the page and this stream, or while it was away for too long, is not in it.
      if (!loaded || events.some(({ event }) => event === "reset")) refreshMounted();
      loaded = true;
    },
    onLost: () => setLive(false),
    // The next call that is refused ends the session.
    onRefused: () => {
      setLive(false);
      refreshMounted();
    },
  });
};

/**
 * Follows the changes of the signed-in user by one stream, while the page is visible: browsers open few connections to one
 * host. Without a stream, pages poll. Returns a function that ends it.
 */
export const followChanges = (): (() => void) => {
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
      setLive(false);
    }
    open = wanted;
    stream = wanted ? connect(wanted, last?.token === wanted ? last.id : null) : null;
  };

  const unsubscribe = getDefaultStore().sub(sessionAtom, update);
  document.addEventListener("visibilitychange", update);
  update();
  return () => {
    unsubscribe();
    document.removeEventListener("visibilitychange", update);
    stream?.stop();
    setLive(false);
  };
};
