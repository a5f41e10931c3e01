/** Mutes: targets whose events are stored but not sent, until a time, until the target recovers, or for good. */
import { type Static, Type } from "@sinclair/typebox";
import { and, eq, gt, isNull, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { validation } from "../../../core/errors";
import type { Database } from "../../../db/database";
import { insertMany } from "../../../db/insert-many";
import { type Owner, requireRight, type Viewer } from "../../../db/owner";
import { mutes } from "../../../db/schema";
import { isOneOf, lock, lockAlerts } from "../../../db/sql";
import { isoTimeOrNull } from "../../../lib/time";
import { boolean, nullable, object, time } from "../../../server/answers";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import type { TargetType } from "../../../shared/notifications";
import { recordOfTarget } from "../logged";

/** The longest mute with a fixed end, in days. */
export const MAX_DAYS = 366;

/**
 * The columns of a mute for the page. The first column is never null: Drizzle takes a joined row with a null there for
 * missing.
 */
export const muteColumns = { untilRecovery: mutes.untilRecovery, endsAt: mutes.endsAt };
export type Mute = Pick<typeof mutes.$inferSelect, keyof typeof muteColumns>;

/** How long the alerts of a target are withheld. */
export const Muted = object({
  until: nullable(time("When the mute ends; null without a fixed end.", "2026-01-16T09:00:00.000Z")),
  until_recovery: boolean("Whether it also ends when the target recovers.", false),
});
export type Muted = Static<typeof Muted>;

/** The field of a monitor or server. */
export const mutedField = nullable(
  Type.Object(Muted.properties, { description: "How long its alerts are withheld; null unless it is muted." }),
  null,
);

export const presentMute = <Given extends Mute | null>(mute: Given) =>
  (mute && { until: isoTimeOrNull(mute.endsAt), until_recovery: mute.untilRecovery }) as Muted | Extract<Given, null>;

/** The condition that a row of `mutes` mutes a target at `now`; `targetId` may be a column, for a join. */
export const isActiveMute = (type: TargetType, targetId: SQLWrapper, now: number): SQL =>
  sql`${mutes.targetType} = ${type} and ${mutes.targetId} = ${targetId} and (${mutes.endsAt} is null or ${mutes.endsAt} > ${now})`;

/** The ids of muted targets among some of one type. */
export const readMutedIds = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  type: TargetType,
  ids: readonly number[],
): Promise<number[]> => {
  if (ids.length === 0) return [];
  const { targetId, targetType, endsAt } = mutes;
  const isActive = or(isNull(endsAt), gt(endsAt, clock.now()));
  const rows = await db
    .select({ id: targetId })
    .from(mutes)
    .where(and(eq(targetType, type), isOneOf(targetId, ids), isActive));
  return rows.map(({ id }) => id);
};

/** The longest mute of a viewer of a team. */
const VIEWER_LONGEST = HOUR;

type MuteBody = { until?: string | null; minutes?: number; until_recovery?: boolean };

/**
 * The end that a call asks for; null for none.
 * @throws {AppError} validation
 */
const parseEnd = ({ until, minutes }: MuteBody, now: number): number | null => {
  const refuse = (path: string, message: string) => validation([{ path, message: `${path}: ${message}` }]);
  if (minutes !== undefined && until) throw refuse("minutes", "until is given too; send one of them");
  if (minutes !== undefined) return now + minutes * MINUTE;
  if (!until) return null;
  const at = Date.parse(until);
  if (at > now && at <= now + MAX_DAYS * DAY) return at;
  throw refuse("until", `expected a time in the future, at most ${MAX_DAYS} days from now`);
};

/** A target with its owner. */
type Owned = { type: TargetType; id: number; owner: Owner };

/** @throws {AppError} role_insufficient when a viewer of a team would set or end a mute that may last longer than an hour */
const requireShort = (viewer: Viewer, owner: Owner, endsAt: number | null, now: number): void => {
  if (endsAt === null || endsAt > now + VIEWER_LONGEST) requireRight(viewer, "edit", owner);
};

/** @throws {AppError} role_insufficient when a viewer of a team may not change the mute of a target */
const requireMutable = async ({ db }: Pick<Deps, "db">, viewer: Viewer, { type, id, owner }: Owned, now: number) => {
  const [active] = await db
    .select(muteColumns)
    .from(mutes)
    .where(isActiveMute(type, sql`${id}`, now));
  if (active) requireShort(viewer, owner, active.endsAt, now);
};

/**
 * Mutes a target, or changes the end of its mute. `owner` is the owner of the target.
 * @throws {AppError} validation when the end is not in the future; role_insufficient
 */
export const muteTarget = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  viewer: Viewer,
  target: Owned,
  body: MuteBody,
): Promise<Muted | null> => {
  const { type, id, owner } = target;
  const now = deps.clock.now();
  const end = { endsAt: parseEnd(body, now), untilRecovery: body.until_recovery ?? false };
  requireShort(viewer, owner, end.endsAt, now);
  await requireMutable(deps, viewer, target, now);
  await deps.db.transact(async (tx) => {
    await lock(tx, lockAlerts);
    await tx
      .insert(mutes)
      .values({ targetType: type, targetId: id, ...owner, mutedAt: now, ...end })
      .onConflictDoUpdate({
        target: [mutes.targetType, mutes.targetId],
        // A changed mute continues; an expired one may not be deleted yet.
        set: { ...end, mutedAt: sql`case when ${mutes.endsAt} <= ${now} then ${now} else ${mutes.mutedAt} end` },
      });
    const after = { mutedUntil: isoTimeOrNull(end.endsAt), untilRecovery: end.untilRecovery };
    await recordOfTarget({ ...deps, db: tx }, viewer, { type, id, teamId: owner.teamId }, { action: "muted", after });
  });
  return presentMute(end);
};

/** The shortest and longest time that a new monitor is muted. */
const NEW_MUTE = { least: 5 * MINUTE, most: 60 * MINUTE };

/**
 * Mutes monitors that were created together, in the transaction that creates them, for two of their intervals (s): what does not
 * work at first is then reported at once, in one message.
 */
export const muteNew = (
  tx: Database,
  owner: Owner,
  monitors: readonly { id: number; seconds: number; isActive: boolean }[],
  now: number,
): Promise<void> => {
  const checked = monitors.filter(({ seconds, isActive }) => isActive && seconds > 0);
  const endsAt = (seconds: number) => now + Math.min(NEW_MUTE.most, Math.max(NEW_MUTE.least, 2 * seconds * SECOND));
  const rows = checked.map(({ id, seconds }) => ({
    ...{ targetType: "monitor" as const, targetId: id, ...owner, mutedAt: now },
    ...{ endsAt: endsAt(seconds), untilRecovery: false },
  }));
  return insertMany(tx, mutes, rows, { skipExisting: true });
};

/**
 * Ends the mute of a target now. It is deleted by the next run of deliveries, which reports what was missed.
 * @throws {AppError} role_insufficient
 */
export const unmuteTarget = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  viewer: Viewer,
  target: Owned,
): Promise<void> => {
  const { type, id } = target;
  const now = deps.clock.now();
  await requireMutable(deps, viewer, target, now);
  const active = sql`(${mutes.endsAt} is null or ${mutes.endsAt} > ${now})`;
  await deps.db.transact(async (tx) => {
    await lock(tx, lockAlerts);
    const [ended] = await tx
      .update(mutes)
      .set({ endsAt: now })
      .where(and(eq(mutes.targetType, type), eq(mutes.targetId, id), active))
      .returning({ teamId: mutes.teamId });
    if (ended) await recordOfTarget({ ...deps, db: tx }, viewer, { type, id, ...ended }, { action: "unmuted" });
  });
};
