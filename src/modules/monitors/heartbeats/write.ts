/**
 * Reads heartbeats, and writes what pings and deadlines change: the state of the monitor with its check, event and outage
 * (monitors/engine/record.ts), the row of the heartbeat, and the ping, in one transaction for a batch.
 *
 * What is written follows from what was read before, so it is written only where the monitor's revision is still the same,
 * and each write increments it. A heartbeat that was changed in between, by another instance or its owner, is read again.
 */

import { eq, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { ownerOf } from "../../../db/owner";
import { heartbeats, lostPings, monitors, pings, monitorStates as states } from "../../../db/schema";
import { isOneOf, lock, lockRows, withValues } from "../../../db/sql";
import { isChange, type Result, recordResults } from "../engine/record";
import { type HeartbeatFields, scheduleOf } from "../kinds/heartbeat";
import { publishResults } from "../live";
import { KEPT_PINGS } from "./pings";
import type { Change, Report, Watched } from "./state";

/** A heartbeat as it was read. */
export type Read = Watched & {
  monitorId: number;
  userId: number;
  teamId: number;
  token: string;
  slug: string | null;
  postOnly: boolean;
  revision: number;
  lastCheckedAt: number | null;
};

/** A ping as it is stored. */
export type PingRow = { report: Report; at: number; address: string; userAgent: string; body: string | null };

/** A write of one heartbeat: a ping, or a passed deadline. */
export type Entry = { read: Read; change: Change; ping: PingRow | null };

/** Reads the heartbeats that fulfil a condition: the first by their deadlines, or by their ids. */
export const readHeartbeats = async (
  { db }: Pick<Deps, "db">,
  condition: SQL | undefined,
  limit = 1000,
  byId = false,
): Promise<Read[]> => {
  const rows = await db
    .select({
      stored: heartbeats,
      monitor: { userId: monitors.userId, teamId: monitors.teamId, config: monitors.config },
      state: {
        status: states.status,
        active: monitors.active,
        revision: states.revision,
        lastCheckedAt: states.lastCheckedAt,
      },
    })
    .from(heartbeats)
    .innerJoin(monitors, eq(monitors.id, heartbeats.monitorId))
    .innerJoin(states, eq(states.monitorId, heartbeats.monitorId))
    .where(condition)
    .orderBy(byId ? heartbeats.monitorId : heartbeats.deadlineAt)
    .limit(limit);
  return rows.map(({ stored: { monitorId, token, slug, ...stored }, monitor, state }) => {
    const config = monitor.config as HeartbeatFields;
    const schedule = scheduleOf(config);
    return { monitorId, token, slug, stored, ...ownerOf(monitor), schedule, postOnly: config.post_only, ...state };
  });
};

/** A check has its own millisecond, so one in the same as the last check moves to the next. */
const resultOf = ({ read, change: { verdict } }: Entry): Result[] =>
  verdict === null
    ? []
    : [
        {
          monitorId: read.monitorId,
          revision: read.revision,
          previous: read.status,
          checkedAt: verdict.at === read.lastCheckedAt ? verdict.at + 1 : verdict.at,
          up: verdict.up,
          responseTime: verdict.responseTime,
          statusCode: null,
          error: verdict.error,
          missed: verdict.missed,
          certExpiresAt: null,
        },
      ];

const KEY = { monitor_id: "bigint", revision: "integer" } as const;
const ROW = {
  ...KEY,
  deadline_at: "bigint",
  pinged_at: "bigint",
  succeeded_at: "bigint",
  started_at: "bigint",
  run_id: "text",
  muted_until: "bigint",
  unknown_since: "bigint",
} as const;
const PING = {
  ...KEY,
  at: "bigint",
  kind: "text",
  run_id: "text",
  duration: "bigint",
  exit_status: "integer",
  address: "text",
  user_agent: "text",
  body: "text",
} as const;

/** The condition that a heartbeat has not changed since it was read. */
const unchanged = sql`exists (select 1 from ${states} as s where s.monitor_id = g.monitor_id and s.revision = g.revision)`;

const writeRows = (entries: readonly Entry[]): SQL => {
  const values = entries.map(({ read, change: { stored } }) => [
    read.monitorId,
    read.revision,
    stored.deadlineAt,
    stored.pingedAt,
    stored.succeededAt,
    stored.startedAt,
    stored.runId,
    stored.mutedUntil,
    stored.unknownSince,
  ]);
  return sql`${withValues("g", ROW, values)} update ${heartbeats} set deadline_at = g.deadline_at, pinged_at = g.pinged_at,
      succeeded_at = g.succeeded_at, started_at = g.started_at, run_id = g.run_id, muted_until = g.muted_until,
      unknown_since = g.unknown_since
    from g where ${heartbeats.monitorId} = g.monitor_id and ${unchanged}`;
};

const LOST = { ...KEY, started_at: "bigint", ended_at: "bigint" } as const;

/** The statements that store the unknown times that end with the next ping, or with the time at which it was missing. */
const writeLostPings = (entries: readonly Entry[]): SQL[] => {
  const values = entries.flatMap(({ read, change: { stored, verdict }, ping }) => {
    const [since, end] = [read.stored.unknownSince, verdict?.missed?.at ?? ping?.at ?? 0];
    if (since === null || stored.unknownSince !== null || end <= since) return [];
    return [[read.monitorId, read.revision, since, end]];
  });
  if (values.length === 0) return [];
  return [
    sql`${withValues("g", LOST, values)} insert into ${lostPings} (monitor_id, started_at, ended_at)
      select monitor_id, started_at, ended_at from g where ${unchanged} on conflict do nothing`,
  ];
};

/** The statements that store pings, and delete the oldest beyond those that are kept. */
const writePings = (entries: readonly Entry[]): SQL[] => {
  const values = entries.flatMap(({ read, change: { duration }, ping }) =>
    ping === null || ping.report.kind === "mute"
      ? []
      : [
          [
            read.monitorId,
            read.revision,
            ping.at,
            ping.report.kind,
            ping.report.runId,
            duration === null ? null : Math.round(duration),
            ping.report.exitStatus,
            ping.address,
            ping.userAgent,
            ping.body,
          ],
        ],
  );
  if (values.length === 0) return [];
  const { revision: _, ...columns } = PING;
  const names = sql.raw(Object.keys(columns).join(", "));
  return [
    sql`${withValues("g", PING, values)} insert into ${pings} (${names}) select ${names} from g where ${unchanged}`,
    sql`${withValues(
      "g",
      { monitor_id: "bigint" },
      values.map(([id]) => [id]),
    )}
      delete from ${pings} where id in (select p.id from g join ${pings} as p on p.monitor_id = g.monitor_id and p.id <=
        (select o.id from ${pings} as o where o.monitor_id = g.monitor_id order by o.id desc limit 1 offset ${sql.raw(String(KEPT_PINGS))}))`,
  ];
};

/**
 * Writes what changes, at most one entry for each heartbeat, in one transaction. Returns the entries that were written;
 * the others were changed in between. `onChange` is called when events were written.
 */
export const writeEntries = async (
  deps: Pick<Deps, "db" | "clock" | "log" | "live" | "meters">,
  entries: readonly Entry[],
  onChange: () => void,
): Promise<Entry[]> => {
  if (entries.length === 0) return [];
  const results = entries.flatMap(resultOf);
  const ids = entries.map(({ read }) => read.monitorId);
  const keys = entries.map(({ read }) => [read.monitorId, read.revision]);
  const written = await deps.db.transact(async (tx) => {
    await lock(tx, lockRows(states, states.monitorId, isOneOf(states.monitorId, ids)));
    await recordResults({ ...deps, db: tx }, null, results);
    await tx.atomically(() => [writeRows(entries), ...writeLostPings(entries), ...writePings(entries)]);
    // Last, because the other statements depend on the revision.
    return tx.rows<{
      monitor_id: number | string;
    }>(sql`${withValues("g", KEY, keys)} update ${states} set revision = ${states.revision} + 1
      from g where ${states.monitorId} = g.monitor_id and ${states.revision} = g.revision returning ${states.monitorId}`);
  });
  const writtenIds = new Set(written.map((row) => Number(row.monitor_id)));
  const done = entries.filter(({ read }) => writtenIds.has(read.monitorId));
  report(deps, done, onChange);
  return done;
};

/** Logs what was written, counts it, and passes it on to open pages and to the delivery of alerts. */
const report = (
  deps: Pick<Deps, "db" | "clock" | "log" | "live" | "meters">,
  done: readonly Entry[],
  onChange: () => void,
): void => {
  const results = done.flatMap((entry) =>
    resultOf(entry).map((result) => ({ ...result, ...ownerOf(entry.read), paused: false })),
  );
  for (const { ping } of done) if (ping && ping.report.kind !== "mute") deps.meters.pings[ping.report.kind]++;
  for (const result of results) deps.meters.monitors.count(result);
  for (const { up, previous, monitorId: monitor, userId: user, error } of results) {
    if (!up && previous !== "down") deps.log.info("a monitor went down", { monitor, user, reason: error?.code });
    if (up && previous === "down") deps.log.info("a monitor recovered", { monitor, user });
  }
  publishResults(deps, results);
  if (results.some(isChange)) onChange();
};
