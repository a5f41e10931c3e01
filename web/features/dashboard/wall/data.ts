import { useEffect, useState } from "react";
import type { api } from "../../../api";
import { bootstrap } from "../../../bootstrap";
import { noteHubTime } from "../../../lib/now";
import { reloadIfOutdated } from "../../../lib/offline/code";
import { session } from "../../../session";

export type Wall = NonNullable<Awaited<ReturnType<typeof api.wall.get>>["data"]>;

/** Time between two polls (ms). */
const EVERY = 5000;
/** The same after the address was revoked. */
const EVERY_GONE = 60_000;

/** `at` is the time of the last answer, by the browser's clock. */
type WallState = { wall: Wall | undefined; at: number | undefined; gone: boolean };

type Answer = { wall: Wall | undefined; etag: string } | "gone";

/** Not by `api`, whose calls are the session's, and which knows no answer without a body. */
const ask = async (key: string | null, search: string, etag: string): Promise<Answer> => {
  const sentAt = Date.now();
  const response = await fetch(new URL(`api/wall${search}`, document.baseURI), {
    headers: { authorization: `Bearer ${key ?? session().token}`, ...(etag && { "if-none-match": etag }) },
    cache: "no-store",
    credentials: "omit",
    signal: AbortSignal.timeout(bootstrap.apiTimeout),
  });
  if (response.status === 404) return "gone";
  if (response.status === 304) return { wall: undefined, etag };
  if (!response.ok) throw new Error(`the hub answers ${response.status}`);
  const wall: Wall = await response.json();
  noteHubTime(wall.now, sentAt);
  return { wall, etag: response.headers.get("etag") ?? "" };
};

/**
 * What the wall shows, polled by the key of its address or the session. When the hub was away or has another version, the page
 * is loaded again if it has changed.
 */
export const useWallState = (key: string | null, search: string, reload = () => location.reload()): WallState => {
  const [state, setState] = useState<WallState>({ wall: undefined, at: undefined, gone: false });
  useEffect(() => {
    let [etag, version, wasAway, isOver] = ["", "", false, false];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async (): Promise<void> => {
      const answer = await ask(key, search, etag).catch((error: unknown) => {
        if (!isOver) console.warn("Failed to load the wall, will retry", error);
        return null;
      });
      if (isOver) return;
      clearTimeout(timer);
      timer = setTimeout(poll, answer === "gone" ? EVERY_GONE : EVERY);
      if (answer === null) {
        wasAway = true;
        return;
      }
      if (answer === "gone") {
        etag = "";
        setState({ wall: undefined, at: undefined, gone: true });
        return;
      }
      const { wall } = answer;
      etag = answer.etag;
      setState((before) => ({ wall: wall ?? before.wall, at: Date.now(), gone: false }));
      const isOther = version !== "" && wall !== undefined && wall.version !== version;
      version = wall?.version ?? version;
      if (wasAway || isOther) void reloadIfOutdated(reload);
      wasAway = false;
    };
    const pollNow = () => {
      clearTimeout(timer);
      void poll();
    };
    pollNow();
    addEventListener("online", pollNow);
    return () => {
      isOver = true;
      clearTimeout(timer);
      removeEventListener("online", pollNow);
    };
  }, [key, search, reload]);
  return state;
};
