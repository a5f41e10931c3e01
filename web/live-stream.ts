import { getDefaultStore } from "jotai";
import { type LiveEvents, STREAM_SILENCE } from "../src/shared/live";
import { base } from "./lib/navigation/base-path";
import { ownScript } from "./lib/offline/code";
import { liveAtom, refreshMounted, setLive } from "./lib/resource";
import { chosenTeam, ofTeam } from "./lib/storage";
import { lastIdOf, openEventStream, type StreamEvent } from "./lib/stream/event-stream";
import { joinWindowGroup } from "./lib/stream/window-group";
import { passOn, passOnSamples } from "./live";
import { session, sessionAtom } from "./session";

const dataOf = <Name extends keyof LiveEvents>(events: StreamEvent[], name: Name) =>
  events.filter(({ event }) => event === name).map(({ data }) => data as LiveEvents[Name]);

/** Time until a lost stream is reported (ms): a stream that a proxy cuts now and then is back sooner. */
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
    isLive: () => getDefaultStore().get(liveAtom),
    lose: (): void => {
      timer ??= setTimeout(() => set(false), grace);
    },
  };
};

type Liveness = ReturnType<typeof createLiveness>;

/** Passes events on. `loadAgain`: some from before them may be missing. */
const receive = ({ events, loadAgain }: Batch, liveness: Liveness): void => {
  const start = [...dataOf(events, "ready"), ...dataOf(events, "reset")].at(-1);
  if (start) liveness.set(start.complete);
  passOn({
    monitors: dataOf(events, "monitor"),
    agents: dataOf(events, "agent"),
    outages: dataOf(events, "outage"),
    counts: dataOf(events, "counts").at(-1),
  });
  passOnSamples(dataOf(events, "sample"));
  // Everything on screen is unknown then, or known again.
  if (loadAgain || dataOf(events, "watching").length > 0) refreshMounted();
};

/** The report of the window with the stream to the others: the id of its last event, and whether the stream is live. */
type Status = { lastId: string | null; live: boolean };
/** Events of the stream. `loadAgain`: some from before them may be missing. */
type Batch = { events: StreamEvent[]; loadAgain: boolean };

/** The id of a session, which its token has as a claim. Unlike the token it may be the name of something. */
const sessionIdOf = (token: string): string => {
  try {
    return JSON.parse(atob((token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"))).sid;
  } catch {
    return String(Math.random());
  }
};

/**
 * Follows the changes of one session by the stream that its windows share: one of them has it, and passes its events on.
 * `lastId` is where this window ended earlier.
 */
const connect = (token: string, earlierId: string | null, liveness: Liveness) => {
  let stream: ReturnType<typeof openEventStream> | null = null;
  let lastId = earlierId;

  const take = (batch: Batch): void => {
    lastId = lastIdOf(batch.events) ?? lastId;
    receive(batch, liveness);
  };

  const close = (): void => {
    stream?.stop();
    stream = null;
  };

  const open = (): void => {
    let isFirst = lastId === null;
    stream = openEventStream({
      url: ofTeam("api/live"),
      headers: { authorization: `Bearer ${token}` },
      lastId,
      silence: STREAM_SILENCE,
      onEvents: (events) => {
        // What changed between loading the page and this stream, or while it was away for too long, is not in it.
        const batch = { events, loadAgain: isFirst || events.some(({ event }) => event === "reset") };
        isFirst = false;
        group.publish(batch);
        take(batch);
      },
      onLost: liveness.lose,
      // The next call that is refused ends the session.
      onRefused: () => {
        liveness.set(false);
        refreshMounted();
      },
    });
  };

  const group = joinWindowGroup<Status, Batch>({
    name: `live ${base} ${ownScript()} ${sessionIdOf(token)} ${chosenTeam()}`,
    status: () => ({ lastId, live: liveness.isLive() }),
    onLead: open,
    onFollow: (status, isNew) => {
      close();
      if (isNew && status.lastId !== lastId) {
        lastId = status.lastId;
        refreshMounted();
      }
      liveness.set(status.live);
    },
    onData: take,
  });
  const endReports = getDefaultStore().sub(liveAtom, group.report);

  return {
    stop: (): void => {
      endReports();
      close();
      group.leave();
    },
    lastId: () => lastId,
  };
};

/**
 * Follows the changes of the signed-in user while the page is visible. Browsers open few connections to one host, so that
 * all windows of a session share one stream. Without a stream, pages poll: after `grace` ms when it is lost. Returns a
 * function that ends it.
 */
export const followChanges = (grace = GRACE): (() => void) => {
  const liveness = createLiveness(grace);
  let connection: ReturnType<typeof connect> | null = null;
  let open: string | null = null;
  /** Where the last connection of a session ended. */
  let last: { token: string; id: string | null } | null = null;

  const update = () => {
    const { token, status } = session();
    const wanted = status === "authenticated" && !document.hidden ? token : null;
    if (wanted === open) return;
    if (connection && open) {
      last = { token: open, id: connection.lastId() };
      connection.stop();
      liveness.set(false);
    }
    open = wanted;
    connection = wanted ? connect(wanted, last?.token === wanted ? last.id : null, liveness) : null;
  };

  const unsubscribe = getDefaultStore().sub(sessionAtom, update);
  document.addEventListener("visibilitychange", update);
  update();
  return () => {
    unsubscribe();
    document.removeEventListener("visibilitychange", update);
    connection?.stop();
    liveness.set(false);
  };
};
