/**
 * The links to reports in messages of schedules that share them. Nothing is stored: a token names its schedule and period, and
 * is signed together with what the schedule shows. It is useless once the schedule is deleted, changed or shares no more.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { reportSchedules } from "../../../db/schema";
import type { Interval } from "../../../lib/intervals";
import { SECOND } from "../../../shared/limits";

const PREFIX = "wks_";

export type Schedule = typeof reportSchedules.$inferSelect;
type Secrets = Pick<Deps, "jwtSecret" | "installationId">;

/** 128 bits, signed with a key of its own, so that no token of another purpose is accepted. */
const macOf = ({ jwtSecret, installationId }: Secrets, schedule: Schedule, { from, to }: Interval): string => {
  const key = createHmac("sha256", jwtSecret).update("report link").digest();
  const { id, userId, createdAt, scope, zone, target, details } = schedule;
  const text = JSON.stringify([installationId, id, userId, createdAt, scope, zone, target, details, from, to]);
  return createHmac("sha256", key).update(text).digest("hex").slice(0, 32);
};

/** The token of the report of a schedule about a span of whole seconds. */
export const signReport = (secrets: Secrets, schedule: Schedule, span: Interval): string => {
  const parts = [schedule.id, span.from / SECOND, span.to / SECOND].map((part) => part.toString(36));
  return `${PREFIX}${[...parts, macOf(secrets, schedule, span)].join("-")}`;
};

/** The schedule and the span of a token; null for an invalid token, also if it was valid before. */
export const readSigned = async (
  deps: Secrets & Pick<Deps, "db">,
  token: string,
): Promise<{ schedule: Schedule; span: Interval } | null> => {
  const [, id, from, to, given] =
    /^wks_([0-9a-z]{1,10})-([0-9a-z]{1,8})-([0-9a-z]{1,8})-([0-9a-f]{32})$/.exec(token) ?? [];
  if (id === undefined || from === undefined || to === undefined || given === undefined) return null;
  const [schedule] = await deps.db
    .select()
    .from(reportSchedules)
    .where(eq(reportSchedules.id, Number.parseInt(id, 36)));
  if (!schedule?.share) return null;
  const span = { from: Number.parseInt(from, 36) * SECOND, to: Number.parseInt(to, 36) * SECOND };
  const isValid = timingSafeEqual(Buffer.from(given), Buffer.from(macOf(deps, schedule, span)));
  return isValid ? { schedule, span } : null;
};
