/** Loads what the checks of claimed monitors need. */
import { eq, sql } from "drizzle-orm";
import { mayReachPrivate, type Config as Settings } from "../../../core/config";
import type { Deps } from "../../../core/deps";
import { monitors, users } from "../../../db/schema";
import { byteLength, isOneOf } from "../../../db/sql";
import type { AnyKind, Config, ProbeContext } from "../kinds/kind";
import { kindOf } from "../kinds/registry";
import type { Claim } from "./claims/claims";
import type { Request } from "./limits";

/** DNS lookups in flight for one user, and for one administrator. */
const LOOKUPS = 64;
const ADMIN_LOOKUPS = 768;

/** Large fields are read with the claim up to this many bytes; larger ones when the check starts. */
const READ_AHEAD = 512;

/** The part of a monitor that its check needs. */
type Target = Omit<ProbeContext, "outbound"> & { kind: AnyKind; config: Config; retries: number };

/** A claimed check. `target` is null until its large fields are read, so that they take memory only while it runs. */
export type Job = Claim & { request: Request; target: Target | null };

type Reading = Pick<Deps, "db" | "config">;
type Role = "admin" | "user";

/** The limits of a user's requests, and whether they may reach private addresses. */
export const callerOf = (userId: number, role: Role, settings: Settings) => ({
  key: String(userId),
  lookups: role === "admin" ? ADMIN_LOOKUPS : LOOKUPS,
  allowPrivate: mayReachPrivate(settings, role),
});

const { id, userId, kind, config, payload, timeout, retries } = monitors;
const bytes = byteLength(payload);
const size = sql<number>`${bytes}`.mapWith(Number);
const smallPayload = sql<Config | null>`case when ${bytes} <= ${sql.raw(String(READ_AHEAD))} then ${payload} end`;
const common = { id, userId, kind, config, timeout, retries, role: users.role, size };

type Row = { userId: number; role: Role; config: Config; payload: Config; timeout: number; retries: number };

const targetOf = (kind: AnyKind, row: Row, settings: Settings): Target => ({
  kind,
  config: { ...row.config, ...row.payload },
  timeout: row.timeout,
  retries: row.retries,
  caller: callerOf(row.userId, row.role, settings),
  privateBlockedForAll: settings.privateTargets === "none",
});

/**
 * Loads the jobs of these claims, with the large fields if they are small. Deleted monitors and kinds that only a newer
 * instance knows are left out.
 */
export const readJobs = async ({ db, config: settings }: Reading, claims: Claim[]): Promise<Job[]> => {
  if (claims.length === 0) return [];
  const ids = claims.map(({ monitorId }) => monitorId);
  const rows = await db
    .select({ ...common, payload: smallPayload.mapWith(payload) })
    .from(monitors)
    .innerJoin(users, eq(users.id, userId))
    .where(isOneOf(id, ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return claims.flatMap((claim) => {
    const row = byId.get(claim.monitorId);
    const known = row && kindOf(row.kind);
    if (!known) return [];
    const host = known.host(row.config);
    const request = { userId: row.userId, limited: row.role !== "admin", host, size: row.size };
    const target = row.payload && targetOf(known, { ...row, payload: row.payload }, settings);
    return [{ ...claim, request, target }];
  });
};

/** Loads everything that a monitor's check needs; null when the monitor was deleted. */
export const readTarget = async ({ db, config: settings }: Reading, monitorId: number): Promise<Target | null> => {
  const [row] = await db
    .select({ ...common, payload })
    .from(monitors)
    .innerJoin(users, eq(users.id, userId))
    .where(eq(id, monitorId));
  const known = row && kindOf(row.kind);
  return known ? targetOf(known, row, settings) : null;
};
