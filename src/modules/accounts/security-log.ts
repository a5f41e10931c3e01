import type { Static } from "@sinclair/typebox";
import { and, count, desc, eq, gt, inArray, isNull, lt, lte, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { describeError } from "../../core/errors";
import { ofUser, ownedBy } from "../../db/owner";
import { securityLog } from "../../db/schema";
import { isoTime } from "../../lib/time";
import { component, id, integer, nullable, oneOf, text, time } from "../../server/answers";
import { CHANGES } from "../../shared/audit/changes";
import { DAY, MINUTE } from "../../shared/limits";
import { MANY_ADDRESSES, REFUSALS, SECURITY_EVENTS, type SecurityEventKind } from "../../shared/security-events";
import { clientAddress, originOf } from "./client-address";

/** Control characters, line separators and characters that change the direction of a line. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text from outside for one line of a log or a list: unsafe characters replaced, and cut to a length. */
export const cleanText = (text: string, length: number): string =>
  text.slice(0, length).replace(UNSAFE, "\ufffd").toWellFormed();

type Store = Pick<Deps, "db" | "clock" | "log">;
type Event = {
  kind: SecurityEventKind;
  /** Of the user who acted; left out for a caller without a session. */
  userId?: number;
  /** The acting user's name, or the name that was tried. */
  username: string;
  /** The caller's address. */
  address: string;
  /** The object of the action, such as the name of another user or of a key. */
  detail?: string;
};
/** The request of a route and its user. */
type Context = {
  user: { id: number; username: string };
  request: Request;
  server: Parameters<typeof clientAddress>[2];
};

/** Rows of refusals, and rows of everything else: a flood of failed sign-ins pushes no other entry out. */
export const KEPT_ROWS = 50_000;
/** Addresses whose rate-limited sign-ins are counted one by one within a minute; the others share one count. */
const COUNTED_ADDRESSES = 100;

/** Formats an IPv4 address as such, also when the socket reports it as IPv6. */
export const cleanAddress = (address: string) => cleanText(address.replace(/^::ffff:(?=[\d.]+$)/i, ""), 64);

type Written = Pick<typeof securityLog.$inferSelect, "userId" | "username" | "address" | "detail"> &
  Pick<Event, "kind">;

/** Writes a security event to the log of the process. */
export const logEvent = (log: Deps["log"], { kind, userId, username, address, detail }: Written): void => {
  // The address comes before anything that a caller can choose, so that no name can look like one.
  const fields = { kind, address, username, ...(userId !== null && { user_id: userId }), ...(detail && { detail }) };
  log[REFUSALS.includes(kind) ? "warn" : "info"]("security event", fields);
};

const write = async ({ db, clock, log }: Store, event: Event): Promise<number | undefined> => {
  const { kind, userId = null } = event;
  const [address, username] = [cleanAddress(event.address), cleanText(event.username, 64)];
  const detail = cleanText(event.detail ?? "", 200);
  logEvent(log, { kind, userId, username, address, detail });
  try {
    const [row] = await db
      .insert(securityLog)
      .values({ at: clock.now(), kind, userId, username, address, detail })
      .returning({ id: securityLog.id });
    return row?.id;
  } catch (error) {
    log.warn("a security event was logged here only", { error: describeError(error) });
    return undefined;
  }
};

/** Rate-limited sign-ins of one address within one minute: one row that holds how many there were. */
type Count = { address: string; minute: number; count: number; id?: number };
const countsOf = new WeakMap<Deps["db"], Map<string, Count>>();

/** Removes and returns the counts of past minutes. */
const takeEnded = ({ db, clock }: Store): Count[] => {
  const counts = countsOf.get(db) ?? new Map<string, Count>();
  const minute = Math.floor(clock.now() / MINUTE);
  const ended = [...counts].filter(([, count]) => count.minute !== minute);
  for (const [key] of ended) counts.delete(key);
  return ended.map(([, count]) => count);
};

const writeCounts = async ({ db, log }: Store, ended: Count[]): Promise<void> => {
  for (const { id, address, count } of ended) {
    if (id === undefined || count === 1) continue;
    log.warn("rate-limited sign-ins within a minute", { address, count });
    await db
      .update(securityLog)
      .set({ detail: String(count) })
      .where(eq(securityLog.id, id));
  }
};

const recordRefusal = async (store: Store, event: Event): Promise<void> => {
  const counts = countsOf.get(store.db) ?? new Map<string, Count>();
  countsOf.set(store.db, counts);
  const minute = Math.floor(store.clock.now() / MINUTE);
  const origin = originOf(event.address);
  const entry = counts.get(origin);
  if (entry?.minute === minute) {
    entry.count++;
    return;
  }
  const ended = takeEnded(store);
  const full = counts.size >= COUNTED_ADDRESSES;
  const shared = full ? counts.get(MANY_ADDRESSES) : undefined;
  if (shared) {
    shared.count++;
    return;
  }
  const address = full ? MANY_ADDRESSES : event.address;
  const count: Count = { address: cleanAddress(address), minute, count: 1 };
  counts.set(full ? MANY_ADDRESSES : origin, count);
  count.id = await write(store, { ...event, address, ...(full && { username: "" }) });
  await writeCounts(store, ended);
};

/**
 * Records a security event: one line in the log and one row for the administrators' page. Rate-limited sign-ins are
 * counted, one row for each address and minute. A failure to write is logged and not thrown, because the
 * event has already happened.
 */
export const recordSecurityEvent = async (store: Store, event: Event): Promise<void> => {
  if (event.kind !== "sign_in_refused") await write(store, event);
  else
    await recordRefusal(store, event).catch((error) =>
      store.log.warn("a security event was not recorded", { error: describeError(error) }),
    );
};

/** Records what a signed-in user did, with the address that the request came from. */
export const recordUserAction = (
  deps: Deps,
  { user, request, server }: Context,
  kind: SecurityEventKind,
  detail = "",
): Promise<void> =>
  recordSecurityEvent(deps, {
    kind,
    userId: user.id,
    username: user.username,
    address: clientAddress(deps, request, server),
    detail,
  });

type Filter = { before?: number; limit?: number; kind?: SecurityEventKind; user?: string };

const PAGE = 50;

export const SecurityLogEntry = component("SecurityLogEntry", {
  id: id("The entry's id.", 18),
  at: time("When it happened."),
  kind: oneOf("What happened.", SECURITY_EVENTS),
  user_id: nullable(integer("The user who acted; null for a caller without a session.", 1)),
  username: text("The user who acted, or the username that was tried.", "alice"),
  address: text("The caller's address.", "192.0.2.1"),
  detail: text(
    "What was acted on, such as another user's name; the number of rate-limited sign-ins or ended sessions.",
    "bob",
  ),
});
type LogPage = { entries: Static<typeof SecurityLogEntry>[]; next: number | null };

/** A page of the security log, the latest entry first. `next` is the `before` of the next page, null on the last one. */
export const readSecurityLog = async (
  { db }: Pick<Deps, "db">,
  { before, limit = PAGE, kind, user }: Filter,
): Promise<LogPage> => {
  const rows = await db
    .select()
    .from(securityLog)
    .where(
      and(
        // As in the index of these rows.
        sql`${securityLog.kind} <> 'change'`,
        before === undefined ? undefined : lt(securityLog.id, before),
        kind && eq(securityLog.kind, kind),
        user ? eq(securityLog.username, user) : undefined,
      ),
    )
    .orderBy(desc(securityLog.id))
    .limit(limit);
  const entries = rows.map(({ at, userId, ...row }) => ({
    id: row.id,
    at: isoTime(at),
    kind: row.kind as SecurityEventKind,
    user_id: userId,
    username: row.username,
    address: row.address,
    detail: row.detail,
  }));
  return { entries, next: entries.length === limit ? (entries.at(-1)?.id ?? null) : null };
};

/** Purges the oldest entries of a group beyond the latest `rows`. */
const purgeBeyond = async ({ db }: Pick<Store, "db">, group: SQL | undefined, rows: number): Promise<void> => {
  const { id, at } = securityLog;
  const [last] = await db
    .select({ id, at })
    .from(securityLog)
    .where(group)
    .orderBy(desc(at), desc(id))
    .limit(1)
    .offset(rows);
  if (last) await db.delete(securityLog).where(and(group, lte(at, last.at), or(lt(at, last.at), lte(id, last.id))));
};

/** Purges the oldest changes of a team, whose members displace only changes of their own team. */
export const purgeTeam = (store: Pick<Store, "db">, teamId: number, rows: number = CHANGES.perTeam): Promise<void> =>
  purgeBeyond(store, ownedBy(securityLog, teamId), rows);

/**
 * Purges entries that are older than RETENTION_AUDIT_DAYS, the oldest changes of each team, and of everything else the oldest
 * ones beyond `rows` of refusals and of other entries. Of one user's actions a tenth of that is kept, so that a user who
 * creates and deletes items in a loop displaces only their own entries.
 */
export const purgeSecurityLog = async (
  store: Store & Pick<Deps, "config">,
  { rows = KEPT_ROWS, perTeam = CHANGES.perTeam }: { rows?: number; perTeam?: number } = {},
): Promise<void> => {
  await writeCounts(store, takeEnded(store));
  const { db, clock, config } = store;
  const { at, kind, userId, teamId } = securityLog;
  await db.delete(securityLog).where(lt(at, clock.now() - config.retention.auditDays * DAY));
  const byTeam = await db.select({ teamId }).from(securityLog).groupBy(teamId).having(gt(count(), perTeam));
  for (const team of byTeam) if (team.teamId !== null) await purgeTeam(store, team.teamId, perTeam);
  const acts = and(isNull(teamId), notInArray(kind, [...REFUSALS]));
  const busy = await db
    .select({ userId })
    .from(securityLog)
    .where(acts)
    .groupBy(userId)
    .having(gt(count(), rows / 10));
  for (const user of busy)
    if (user.userId !== null) await purgeBeyond(store, and(acts, ofUser(securityLog, user.userId)), rows / 10);
  for (const group of [inArray(kind, [...REFUSALS]), acts]) await purgeBeyond(store, group, rows);
};
