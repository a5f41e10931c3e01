import { createHmac, timingSafeEqual } from "node:crypto";
import type { Static } from "@sinclair/typebox";
import { and, desc, eq, gt, lte, ne, or, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, describeError, notFound } from "../../../core/errors";
import type { Database, Queries } from "../../../db/database";
import { ofUser } from "../../../db/owner";
import { members, sessions, users } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { boolean, component, text, time } from "../../../server/answers";
import { DAY, MINUTE, SECOND } from "../../../shared/limits";
import { cleanText } from "../security-log";
import { memberColumns, withTeams } from "../teams/service";

/** The claims of a session token. Times are epoch seconds, as in RFC 7519. */
type Claims = {
  /** The user's id. */
  sub: string;
  /** The user's token version when it was signed. */
  version: number;
  /** The id of its row in `sessions`. */
  sid: string;
  /** How often the token of the session had been replaced when it was signed. */
  renewals: number;
  /** The installation that signed it. */
  iss: string;
  exp: number;
};

/** The maximum length of a token in characters; valid ones have about 300. */
const MAX_LENGTH = 2048;

const parse = (part: string): Record<string, unknown> => Object(JSON.parse(Buffer.from(part, "base64url").toString()));

const isSignature = (signature: string, expected: string) =>
  signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));

/**
 * Verifies a session token (RFC 7515 compact serialization) and returns its claims, or undefined. Only HS256, with
 * `sub`, `version`, `sid`, `iss` and `exp`, and without critical header parameters. This is synchronous on purpose: the
 * `verify` of @elysiajs/jwt uses WebCrypto, which waits for the thread pool that blocking name lookups can exhaust.
 */
const verifyToken = (secret: string, issuer: string, token: string, now: number): Claims | undefined => {
  if (token.length > MAX_LENGTH) return undefined;
  const [header = "", payload = "", signature = "", ...rest] = token.split(".");
  if (
    rest.length > 0 ||
    !isSignature(signature, createHmac("sha256", secret).update(`${header}.${payload}`).digest("base64url"))
  )
    return undefined;
  try {
    const { alg, crit } = parse(header);
    const { sub, version, sid, renewals = 0, iss, exp, nbf = 0 } = parse(payload);
    const seconds = now / 1000;
    const isValid =
      alg === "HS256" &&
      crit === undefined &&
      iss === issuer &&
      typeof sub === "string" &&
      /^[1-9]\d{0,14}$/.test(sub) &&
      typeof sid === "string" &&
      Number.isInteger(version) &&
      Number.isInteger(renewals) &&
      typeof exp === "number" &&
      exp > seconds &&
      typeof nbf === "number" &&
      nbf <= seconds;
    return isValid ? { sub, version: version as number, sid, renewals: renewals as number, iss, exp } : undefined;
  } catch {
    return undefined;
  }
};

type Store = Pick<Deps, "db" | "clock" | "installationId">;
type Owner = { id: number; tokenVersion: number };
type Client = { userAgent: string; address: string };

const LASTS = 7 * DAY;
const USER_AGENT = 200;
/** Sessions of one user; the oldest ends when another one starts. */
export const MAX_SESSIONS = 50;
/** 16 random bytes as base64url. */
const SESSION_ID = /^[\w-]{22}$/;

type Signed = Pick<typeof sessions.$inferSelect, "id" | "expiresAt" | "renewals">;

const claimsOf = (
  { installationId }: Store,
  { id, tokenVersion }: Owner,
  { id: sid, expiresAt, renewals }: Signed,
): Claims => ({
  sub: String(id),
  version: tokenVersion,
  sid,
  renewals,
  iss: installationId,
  exp: Math.floor(expiresAt / 1000),
});

/** Starts a session of seven days and returns the claims of its token. A user has at most 50: the oldest ends. */
export const startSession = async (store: Store, user: Owner, client: Client): Promise<Claims> => {
  const now = store.clock.now();
  const row = {
    id: Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url"),
    userId: user.id,
    userAgent: cleanText(client.userAgent, USER_AGENT),
    address: cleanText(client.address, 64),
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + LASTS,
    provedAt: now,
    renewals: 0,
  };
  await store.db.atomically((tx) => {
    const newest = tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(ofUser(sessions, user.id), ne(sessions.id, row.id)))
      .orderBy(desc(sessions.createdAt), desc(sessions.id))
      .limit(MAX_SESSIONS - 1);
    const older = and(ofUser(sessions, user.id), ne(sessions.id, row.id), sql`${sessions.id} not in ${newest}`);
    return [tx.insert(sessions).values(row), tx.delete(sessions).where(older)];
  });
  return claimsOf(store, user, row);
};

/**
 * Replaces the token of a session, and extends the session to seven days from now: its user has proved that it is them, or has
 * changed how they do. Returns the claims of the new token.
 * @throws {AppError} unauthorized when the session has ended
 */
export const renewSession = async (
  { db, clock, ...store }: Store,
  user: Owner,
  sid: string,
  proof: { provedAt?: number } = {},
): Promise<Claims> => {
  const now = clock.now();
  const [row] = await db
    .update(sessions)
    .set({ ...proof, expiresAt: now + LASTS, renewals: sql`${sessions.renewals} + 1`, renewedAt: now })
    .where(eq(sessions.id, sid))
    .returning();
  if (!row) throw new AppError("unauthorized");
  return claimsOf({ db, clock, ...store }, user, row);
};

type Settings = Pick<Deps, "config" | "clock">;

/** Sessions that were last used before this time have ended. */
const idleSince = ({ config, clock }: Settings): number => clock.now() - config.sessionIdleDays * DAY;

/** How long the last token of a session is still accepted after it was replaced, for calls that are under way (ms). */
const GRACE = 10 * SECOND;

type Renewed = Pick<typeof sessions.$inferSelect, "renewals" | "renewedAt">;

/** Whether the token of these claims was replaced a moment ago. */
const isJustReplaced = (claims: Claims, { renewals, renewedAt }: Renewed, now: number): boolean =>
  claims.renewals === renewals - 1 && Math.abs(now - (renewedAt ?? 0)) < GRACE;

/** The new token of a session in an answer. */
export const renewedToken = text(
  "The token of the session from now on. The one of this call proves nothing any more, and is refused after 10 seconds.",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
);

/**
 * The user of a token, with the id of its session and when its user last proved that it is them, or undefined if it is not valid, or its session or user was deleted. The
 * session's address and last use are written at most once a minute, and the request does not wait for that.
 */
export const findByToken = async (
  deps: Pick<Deps, "db" | "clock" | "config" | "log" | "jwtSecret" | "installationId">,
  token: string,
  address: string,
) => {
  const { db, clock, log, jwtSecret, installationId } = deps;
  const now = clock.now();
  const claims = verifyToken(jwtSecret, installationId, token, now);
  if (!claims) return undefined;
  const rows = await db
    .select({ ...memberColumns, session: sessions })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(members, eq(members.userId, users.id))
    .where(eq(sessions.id, claims.sid));
  const [found] = rows;
  if (!found || String(found.user.id) !== claims.sub || found.user.tokenVersion !== claims.version) return undefined;
  const { session } = found;
  if (session.lastSeenAt <= idleSince(deps)) return undefined;
  const isPresent = claims.renewals === session.renewals;
  if (!isPresent && !isJustReplaced(claims, session, now)) return undefined;
  if (session.lastSeenAt <= now - MINUTE) {
    const due = and(eq(sessions.id, claims.sid), lte(sessions.lastSeenAt, now - MINUTE));
    void Promise.resolve(
      db
        .update(sessions)
        .set({ lastSeenAt: now, address: cleanText(address, 64) })
        .where(due),
    ).catch((error) => log.warn("a session's last use was not written", { error: describeError(error) }));
  }
  const provedAt = isPresent ? session.provedAt : null;
  return { user: withTeams(deps, found.user, rows), sessionId: claims.sid, provedAt };
};

/** The user of a session by its id, while it has not ended; undefined otherwise. For proofs that were issued in the session. */
export const findBySession = async (deps: Settings & Pick<Deps, "db">, sessionId: string) => {
  const rows = await deps.db
    .select({ ...memberColumns, session: sessions })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(members, eq(members.userId, users.id))
    .where(
      and(
        eq(sessions.id, sessionId),
        gt(sessions.expiresAt, deps.clock.now()),
        gt(sessions.lastSeenAt, idleSince(deps)),
      ),
    );
  const [found] = rows;
  return found && withTeams(deps, found.user, rows);
};

export const ListedSession = component("Session", {
  id: text("The session's id.", "2v5oVNGTCWlOM5y8TnX0Jw"),
  user_agent: text("The client's User-Agent header, at most 200 characters.", "Mozilla/5.0 … Firefox/140.0"),
  address: text("The address of the latest request, to the minute.", "192.0.2.1"),
  created_at: time("When the user signed in."),
  last_seen_at: time("When it was last used, to the minute."),
  current: boolean("Whether it is the session of this request.", true),
});

/** A user's sessions that have not expired, the last used first. `current` is the session of the request. */
export const listSessions = async (
  deps: Settings & Pick<Deps, "db">,
  userId: number,
  current: string,
): Promise<Static<typeof ListedSession>[]> => {
  const isOpen = and(gt(sessions.expiresAt, deps.clock.now()), gt(sessions.lastSeenAt, idleSince(deps)));
  const rows = await deps.db
    .select()
    .from(sessions)
    .where(and(ofUser(sessions, userId), isOpen))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt))
    .limit(MAX_SESSIONS);
  return rows.map(({ id, userAgent, address, createdAt, lastSeenAt }) => ({
    id,
    user_agent: userAgent,
    address,
    created_at: isoTime(createdAt),
    last_seen_at: isoTime(lastSeenAt),
    current: id === current,
  }));
};

/** @throws {AppError} not_found, also for another user's */
export const endSession = async ({ db }: { db: Database }, userId: number, id: string): Promise<void> => {
  if (!SESSION_ID.test(id)) throw notFound("Session");
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), ofUser(sessions, userId)))
    .returning({ id: sessions.id });
  if (ended.length === 0) throw notFound("Session");
};

/** The statement that ends a user's sessions: all of them, or all but one. */
export const endSessionsOf = (db: Queries, userId: number, except?: string) =>
  db
    .delete(sessions)
    .where(and(ofUser(sessions, userId), except === undefined ? undefined : ne(sessions.id, except)))
    .returning({ id: sessions.id });

/** Purges sessions whose tokens have expired, or that were not used for too long. */
export const purgeSessions = async (deps: Settings & Pick<Deps, "db">): Promise<void> => {
  const hasEnded = or(lte(sessions.expiresAt, deps.clock.now()), lte(sessions.lastSeenAt, idleSince(deps)));
  await deps.db.delete(sessions).where(hasEnded);
};
