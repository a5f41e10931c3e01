import { eq, sql } from "drizzle-orm";
import { type Config, mayReachPrivate } from "../../../core/config";
import type { Deps } from "../../../core/deps";
import { monitors, users } from "../../../db/schema";
import { byteLength, isOneOf } from "../../../db/sql";
import type { Target } from "../../../probe/http";
import { type Method, SECOND } from "../../../shared/limits";
import type { Request } from "./limits/admission";
import type { Claim } from "./sql/schedule";

/** Look-ups of names under way at once for one user, and for one administrator. */
const LOOKUPS = 64;
const ADMIN_LOOKUPS = 768;

/** Headers and body are read with the claim up to this many bytes together; larger ones when the check starts. */
const READ_AHEAD = 512;

export type FullTarget = Target & { retries: number };

/** A claimed check. `target` is null while its request is not read yet: that holds memory only while a check runs. */
export type Job = Claim & { request: Request; target: FullTarget | null };

type Reading = Pick<Deps, "db" | "config">;
type Role = "admin" | "user";

const callerOf = (userId: number, role: Role, config: Config) => ({
  key: String(userId),
  lookups: role === "admin" ? ADMIN_LOOKUPS : LOOKUPS,
  allowPrivate: mayReachPrivate(config, role),
});

const hostOf = (url: string): string => URL.parse(url)?.hostname ?? "";

const { id, userId, url, method, headers, body, timeout, expectedStatus, retries } = monitors;
const bytes = sql`(${byteLength(headers)} + ${byteLength(body)})`;
const size = sql<number>`${bytes}`.mapWith(Number);
const isSmall = sql`${bytes} <= ${sql.raw(String(READ_AHEAD))}`;
const common = { id, userId, url, method, timeout, expectedStatus, retries, role: users.role, size };
const smallHeaders = sql<Record<string, string> | null>`case when ${isSmall} then ${headers} end`.mapWith(headers);
const smallBody = sql<string | null>`case when ${isSmall} then ${body} end`;

type Row = Omit<FullTarget, "caller" | "privateForNobody" | "method"> & { userId: number; method: string; role: Role };

const targetOf = (row: Row, config: Config): FullTarget => ({
  url: row.url,
  method: row.method as Method,
  headers: row.headers,
  body: row.body,
  timeout: row.timeout,
  expectedStatus: row.expectedStatus,
  retries: row.retries,
  caller: callerOf(row.userId, row.role, config),
  privateForNobody: config.privateTargets === "none",
});

/** The jobs of these claims, with the requests of those that are small. A monitor that was deleted has none. */
export const readJobs = async ({ db, config }: Reading, claims: Claim[]): Promise<Job[]> => {
  if (claims.length === 0) return [];
  const ids = claims.map(({ monitorId }) => monitorId);
  const rows = await db
    .select({ ...common, headers: smallHeaders, body: smallBody })
    .from(monitors)
    .innerJoin(users, eq(users.id, userId))
    .where(isOneOf(id, ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return claims.flatMap((claim) => {
    const row = byId.get(claim.monitorId);
    if (!row) return [];
    const request = { userId: row.userId, limited: row.role !== "admin", host: hostOf(row.url), size: row.size };
    const { headers: known, body: text } = row;
    const target = known === null || text === null ? null : targetOf({ ...row, headers: known, body: text }, config);
    return [{ ...claim, request, target }];
  });
};

/** The whole request of a monitor, or null when it was deleted. */
export const readTarget = async ({ db, config }: Reading, monitorId: number): Promise<FullTarget | null> => {
  const [row] = await db
    .select({ ...common, headers, body })
    .from(monitors)
    .innerJoin(users, eq(users.id, userId))
    .where(eq(id, monitorId));
  return row ? targetOf(row, config) : null;
};

/** Checks that start within this many milliseconds of each other start together. */
export const START_GRANULARITY_MS = 20;

/**
 * The jobs by the milliseconds after which they start: each at its own time. Jobs that are overdue by more than a second,
 * as after a pause of the hub, are spread over one.
 */
export const groupByStart = <T extends { dueAt: number }>(jobs: T[], now: number): Map<number, T[]> => {
  const overdue = jobs.filter(({ dueAt }) => dueAt < now - SECOND);
  const startOf = new Map(overdue.map((job, index) => [job, now + (index * SECOND) / overdue.length]));
  return Map.groupBy(jobs, (job) => {
    const wait = (startOf.get(job) ?? job.dueAt) - now;
    return Math.max(0, Math.ceil(wait / START_GRANULARITY_MS)) * START_GRANULARITY_MS;
  });
};
