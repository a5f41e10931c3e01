import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import type { Viewer } from "../../db/owner";
import { isoTime } from "../../lib/time";
import { describe } from "../../server/answers";
import { createValidity, signedIn } from "../accounts/guard";
import { countForStreams, type ReadCounts } from "./counts";

/** Seconds until a connection that accepts no data is closed: three heartbeats. */
const IDLE_TIMEOUT = 60;

const EXAMPLE = `id: 5f0c2f1e-41
event: ready
data: {"complete":true}

id: 5f0c2f1e-42
event: monitor
data: {"id":3,"status":"down","response_time":null,"last_checked":"2026-01-15T12:20:00.000Z","since":"2026-01-15T12:20:00.000Z","error_code":"timeout","error_detail":{"seconds":30}}
`;

const description = describe({
  id: "followChanges",
  summary: "Follow changes live",
  description:
    "Server-sent events of what the caller may see, as JSON. `monitor`: a result, with the fields of the list; results without a change of state are collected for a second. `agent`: a server's state after a report. `outage`: one that was opened or has ended. `sample`: a second of a server that the caller watches live; it has no id and is not sent again. `watching`: the hub can know nothing of any target from now on, or knows again when `unknown` is null; a stream that opens in such a gap begins with it. `counts`: how many monitors and servers are in each status. `ready` begins the stream; `complete` tells whether the events of other instances arrive. With `Last-Event-ID` the stream begins with what came after that event, or with `reset` when that is not known: then load everything again. A comment is sent at least every 20 seconds. The stream ends with the session or key. A user has at most 20 streams, of which one session opens 15 and one API key 5. HEAD opens none.",
  access: "user",
  answer: { type: "text/event-stream", example: EXAMPLE, description: "The stream, which does not end by itself." },
  refusals: ["too_many_streams", "unavailable"],
});

export const liveRoutes = (deps: Deps, readCounts: ReadCounts) => {
  countForStreams(deps, readCounts);
  deps.watching.onChange(() => {
    const gap = deps.watching.unknown();
    deps.live.setWatching({ unknown: gap && { since: isoTime(gap.since), reason: gap.reason } });
  });
  return new Elysia({ prefix: "/api", tags: ["System"] }).use(signedIn(deps)).get(
    "/live",
    ({ user, request, server, credential }) => {
      const headers = {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        // nginx would hold the events back.
        "x-accel-buffering": "no",
      };
      if (request.method === "HEAD") return new Response(null, { headers });
      const isValid = createValidity(deps, request, server, user);
      const { signal } = request;
      const body = deps.live.open(user, request.headers.get("last-event-id"), { isValid, credential, signal });
      server?.timeout(request, IDLE_TIMEOUT);
      return new Response(body, { headers });
    },
    { detail: description },
  );
};

/** Calls that may end sessions or keys, or change what a user may see. */
const CREDENTIALS = /\/api\/(auth\/(logout|sessions)|users|keys|teams|invitations)\b/;
/** Calls that change how many monitors and servers there are in each status. */
const COUNTED = /\/api\/(monitors|agents|import|users|teams)\b/;

/** Updates the streams after a call that has written something. An administrator may have changed what others own. */
export const afterWrite = ({ live }: Pick<Deps, "live">, path: string, user?: Viewer): void => {
  if (!live.watched()) return;
  if (CREDENTIALS.test(path)) void live.recheck();
  if (user && COUNTED.test(path)) live.recount(user.seesAll || user.teams.size > 1 ? undefined : user.teamId);
};
