/** The stored pings of a heartbeat: how many are kept, and how they are read. */
import { and, desc, eq, lt } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { heartbeats, pings } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { component, id, integer, nullable, oneOf, text, time } from "../../../server/answers";

/** Pings that are kept of each heartbeat. */
export const KEPT_PINGS = 100;

const PING_KINDS = ["success", "start", "fail", "log"] as const;

export const Ping = component("Ping", {
  id: id("The ping's id.", 1234),
  at: time("When it was received."),
  kind: oneOf("What it reported.", PING_KINDS),
  run_id: nullable(text("The id of its run, sent as `rid`.", "3f1b9e0e-0c7a-4c39-9d53-3c9d8f1e2a11"), null),
  duration: nullable(integer("Milliseconds since the start of its run; null if no start was received.", 4200)),
  exit_status: nullable(integer("The exit status that it reported.", 0), null),
  address: nullable(text("The client address that it came from.", "203.0.113.7")),
  user_agent: nullable(text("The User-Agent header, at most 200 characters.", "curl/8.5.0")),
  body: nullable(
    text("The first 10,000 bytes of its body, if they are text. Null for read-only API keys.", "backup finished"),
    null,
  ),
});

/** Reads a page of pings, newest first. */
export const readPings = async (
  { db }: Pick<Deps, "db">,
  monitorId: number,
  { before, limit, reads }: { before: number | undefined; limit: number; reads: boolean },
) => {
  const rows = await db
    .select()
    .from(pings)
    .where(and(eq(pings.monitorId, monitorId), before === undefined ? undefined : lt(pings.id, before)))
    .orderBy(desc(pings.id))
    .limit(limit);
  return {
    pings: rows.map((row) => ({
      id: row.id,
      at: isoTime(row.at),
      kind: row.kind,
      run_id: row.runId,
      duration: row.duration,
      exit_status: row.exitStatus,
      address: row.address,
      user_agent: row.userAgent,
      body: reads ? null : row.body,
    })),
    next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
  };
};

/** The token of a heartbeat; undefined for other monitors. */
export const readToken = async ({ db }: Pick<Deps, "db">, monitorId: number): Promise<string | undefined> => {
  const [row] = await db
    .select({ token: heartbeats.token })
    .from(heartbeats)
    .where(eq(heartbeats.monitorId, monitorId));
  return row?.token;
};
