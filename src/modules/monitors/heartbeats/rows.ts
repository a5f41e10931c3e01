/** The rows of heartbeats as their monitors are created, changed and read. */
import type { Static } from "@sinclair/typebox";
import { and, eq, sql } from "drizzle-orm";
import { readGaps } from "../../../cluster/gaps";
import type { Deps } from "../../../core/deps";
import { validation } from "../../../core/errors";
import { readSetting } from "../../../db/app-settings";
import type { Database, Queries, Statement } from "../../../db/database";
import { insertMany } from "../../../db/insert-many";
import { ownedBy } from "../../../db/owner";
import { heartbeats, monitors, monitorStates as states } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import { HubGap, nullable, object, oneOf, presentGaps, text, time } from "../../../server/answers";
import { SECOND } from "../../../shared/limits";
import { PASSIVE_KINDS } from "../../../shared/monitor";
import { endLostPing } from "./lost-pings";
import { readPingKey } from "./ping-keys/service";
import { EARLY, nextExpected, type Schedule } from "./schedule";

/** The secret part of a ping URL: 128 random bits. */
const randomToken = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");

/** A token that may be imported, from this or another product. */
export const TOKEN = /^[\w-]{10,64}$/;

/** The number of active heartbeats of all users. */
export const countHeartbeats = ({ db }: Pick<Deps, "db">): Promise<number> =>
  db.$count(monitors, and(isOneOf(monitors.kind, PASSIVE_KINDS), eq(monitors.active, true)));

/** The tokens of monitors that are heartbeats. */
export const readTokens = async ({ db }: Pick<Deps, "db">, ids: readonly number[]): Promise<Map<number, string>> => {
  if (ids.length === 0) return new Map();
  const { monitorId, token } = heartbeats;
  const rows = await db.select({ monitorId, token }).from(heartbeats).where(isOneOf(monitorId, ids));
  return new Map(rows.map((row) => [row.monitorId, row.token]));
};

/** Filters tokens to those in use. */
export const takenTokens = async ({ db }: Pick<Deps, "db">, tokens: readonly string[]): Promise<Set<string>> => {
  if (tokens.length === 0) return new Set();
  const rows = await db.select({ token: heartbeats.token }).from(heartbeats).where(isOneOf(heartbeats.token, tokens));
  return new Set(rows.map(({ token }) => token));
};

/** The slugs among these that heartbeats of a team have, each with one of its heartbeats. */
export const takenSlugs = async (
  { db }: Pick<Deps, "db">,
  teamId: number,
  slugs: readonly string[],
): Promise<Map<string, number>> => {
  if (slugs.length === 0) return new Map();
  const { monitorId, slug } = heartbeats;
  const rows = await db
    .select({ monitorId, slug })
    .from(heartbeats)
    .innerJoin(monitors, eq(monitors.id, monitorId))
    .where(and(isOneOf(slug, slugs), ownedBy(monitors, teamId)));
  return new Map(rows.map((row) => [row.slug ?? "", row.monitorId]));
};

/** @throws {AppError} validation, when another heartbeat of the team has the slug */
export const requireFreeSlug = async (
  { db }: Pick<Deps, "db">,
  teamId: number,
  { id, slug }: { id?: number; slug: string | null },
): Promise<void> => {
  const holder = slug === null ? undefined : (await takenSlugs({ db }, teamId, [slug])).get(slug);
  if (holder === undefined || holder === id) return;
  const error = { path: "config.slug", message: "config.slug: another heartbeat has it", code: "slug_taken" };
  throw validation([error]);
};

/** The statement that stores the slug of a heartbeat. */
export const writeSlug = (tx: Queries, monitorId: number, slug: string | null): Statement =>
  tx.update(heartbeats).set({ slug }).where(eq(heartbeats.monitorId, monitorId));

/** Creates the rows of new monitors. A token that is not free is replaced. */
export const insertHeartbeats = async (
  tx: Database,
  added: readonly { id: number; token?: string; slug: string | null }[],
): Promise<void> => {
  const tokensInUse = await takenTokens(
    { db: tx },
    added.flatMap(({ token }) => token ?? []),
  );
  const rows = added.map(({ id, token, slug }) => ({
    monitorId: id,
    slug,
    token: token === undefined || tokensInUse.has(token) ? randomToken() : token,
  }));
  await insertMany(tx, heartbeats, rows);
};

/**
 * The statements after a change of an active monitor's schedule, or after its resumption: the next ping is expected as if one
 * had arrived now, except before the first ping. Pings were not watched during a pause, so the status is unknown and a run
 * that had started may have ended.
 */
export const restartHeartbeat = (
  tx: Queries,
  monitorId: number,
  { schedule, now, resumed }: { schedule: Schedule; now: number; resumed: boolean },
): Statement[] => {
  const late = schedule.grace * SECOND;
  const deadline = nextExpected(schedule, now) + late;
  const isDown = sql`exists (select 1 from ${states} where ${states.monitorId} = ${heartbeats.monitorId} and ${states.status} = 'down')`;
  const ofIt = eq(heartbeats.monitorId, monitorId);
  return [
    endLostPing(monitorId, now),
    ...(resumed
      ? [
          sql`update ${states} set status = 'pending' where ${states.monitorId} = ${monitorId} and status = 'down'`,
          tx.update(heartbeats).set({ startedAt: null, runId: null }).where(ofIt),
        ]
      : []),
    tx
      .update(heartbeats)
      .set({
        unknownSince: null,
        deadlineAt: sql`case when ${heartbeats.pingedAt} is null or ${isDown} then null
          when ${heartbeats.startedAt} is null then cast(${deadline} as bigint)
          else cast(${Math.min(deadline, now + late)} as bigint) end`,
      })
      .where(ofIt),
  ];
};

/** The statements after a monitor was paused: nothing is expected of it. */
export const pauseHeartbeat = (tx: Queries, monitorId: number, now: number): Statement[] => [
  endLostPing(monitorId, now),
  tx.update(heartbeats).set({ deadlineAt: null, unknownSince: null }).where(eq(heartbeats.monitorId, monitorId)),
];

const STATES = ["new", "waiting", "late", "running", "down", "paused"] as const;

/** The fields of a heartbeat in the answers about one monitor. */
export const heartbeatFields = {
  ping_url: nullable(
    text(
      "Where its job sends pings. Null for read-only API keys. A path without a host while the hub does not know its own address.",
      "https://status.example.com/ping/0f6b1c6e5a8d4d0e9a3c2b1f7e6d5c4b",
    ),
  ),
  slug_url: nullable(
    text(
      "The same by its slug and the oldest ping key of its team. Null without one of the two, and for read-only API keys.",
      "https://status.example.com/ping/Jx0Kq2mWv8sT1aBcD4eF5g/nightly-backup",
    ),
    null,
  ),
  heartbeat: object({
    state: oneOf(
      "`new` before the first ping; `waiting` for the next one; `late` when it was expected and there is still time; `running` between the start of a run and its end; `down`; `paused`.",
      STATES,
      "waiting",
    ),
    expected_at: nullable(time("When the next ping is expected; null while none is.")),
    deadline: nullable(time("When it goes down unless a ping arrives; null while none is expected.")),
    running_since: nullable(time("When the run in progress started; null while none is known to run.")),
    last_ping: nullable(time("The last ping of any kind; null before the first.")),
    last_success: nullable(time("The last ping that reported success; null before the first.")),
    possibly_lost: nullable(
      object({
        expected_at: time("When the ping was expected."),
        gap: HubGap,
      }),
      null,
    ),
    muted_until: nullable(
      time("Until then a missing ping is no failure, because the job announced it; usually null."),
      null,
    ),
  }),
};
const Fields = object(heartbeatFields);
export type HeartbeatAnswer = Static<typeof Fields>;

type Facts = { id: number; teamId: number; active: boolean; status: string; schedule: Schedule; reads: boolean };

/** The ping that may have been lost in a gap of the hub, with that gap. */
const readPossiblyLost = async ({ db, clock }: Pick<Deps, "db" | "clock">, expectedAt: number | null) => {
  if (expectedAt === null || expectedAt > clock.now()) return null;
  const gaps = await readGaps({ db }, { from: expectedAt - EARLY, to: clock.now() });
  const [gap] = presentGaps(gaps);
  return gap ? { expected_at: isoTime(expectedAt), gap } : null;
};

/** Reads the fields of a heartbeat. `reads`: the viewer is a read-only API key, which must not know the token. */
export const readHeartbeat = async (
  { db, clock, config }: Pick<Deps, "db" | "clock" | "config">,
  { id, teamId, active, status, schedule, reads }: Facts,
): Promise<HeartbeatAnswer> => {
  const [row] = await db.select().from(heartbeats).where(eq(heartbeats.monitorId, id));
  const base = config.publicUrl || ((await readSetting(db, "seen_url")) ?? config.basePath.slice(0, -1));
  const addressOf = (path: string) => `${base.replace(/\/$/, "")}/ping/${path}`;
  const key = row?.slug && !reads ? await readPingKey({ db }, teamId) : null;
  const now = clock.now();
  const mutedUntil = (row?.mutedUntil ?? 0) > now ? (row?.mutedUntil ?? null) : null;
  const { startedAt = null, deadlineAt = null, pingedAt = null, succeededAt = null, token = "" } = row ?? {};
  const expectedAt = deadlineAt === null ? null : Math.max(deadlineAt - schedule.grace * SECOND, startedAt ?? 0);
  const stateOf = (): (typeof STATES)[number] => {
    if (!active) return "paused";
    if (status === "down") return "down";
    if (startedAt !== null) return "running";
    if (deadlineAt === null) return "new";
    return expectedAt !== null && expectedAt <= now ? "late" : "waiting";
  };
  return {
    ping_url: reads ? null : addressOf(token),
    slug_url: key === null ? null : addressOf(`${key}/${row?.slug}`),
    heartbeat: {
      state: stateOf(),
      expected_at: isoTimeOrNull(expectedAt),
      deadline: deadlineAt === null ? null : isoTime(Math.max(deadlineAt, mutedUntil ?? 0)),
      running_since: isoTimeOrNull(startedAt),
      last_ping: isoTimeOrNull(pingedAt),
      last_success: isoTimeOrNull(succeededAt),
      possibly_lost: await readPossiblyLost({ db, clock }, row?.unknownSince ?? null),
      muted_until: isoTimeOrNull(mutedUntil),
    },
  };
};
