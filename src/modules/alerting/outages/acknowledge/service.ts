/**
 * Acknowledgements: a person takes care of an open outage, so its steps and reminders rest until it recovers or until a
 * time. By a call of a user, or by the link in a message, without a session.
 */
import type { Static } from "@sinclair/typebox";
import { and, eq, isNotNull, isNull, lte, or, type SQL } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { AppError, notFound, validation } from "../../../../core/errors";
import { type Viewer, visibleTo } from "../../../../db/owner";
import { outages } from "../../../../db/schema";
import { isOneOf, lock, lockAlerts } from "../../../../db/sql";
import { isoTime, isoTimeOrNull } from "../../../../lib/time";
import { component, nullable, object, text, time } from "../../../../server/answers";
import { DAY } from "../../../../shared/limits";
import type { AcknowledgedVia } from "../../../../shared/notifications";
import type { Author } from "../../../accounts/audit/record";
import { restAlerts, resumeAlerts } from "../../delivery/acknowledgements";
import { recordOfTarget } from "../../logged";
import { oneLine } from "../../messages/format";
import { publishOutages } from "../live";

/** Characters of a note at most. */
export const MAX_TEXT = 500;

/** The longest acknowledgement with a fixed end, in days. */
export const MAX_DAYS = 30;

type Row = typeof outages.$inferSelect;

export const Acknowledgement = component("Acknowledgement", {
  by: nullable(text("The username, or the name that was given with a link.", "alice")),
  link: nullable(
    object({ channel_type: text("Its kind.", "telegram"), channel_name: text("Its name.", "On call") }),
    null,
  ),
  at: time("When."),
  until: nullable(time("Until when alerts rest; null until it recovers.", "2026-01-15T14:00:00.000Z")),
  note: nullable(text("Why.", "The disk is being replaced.")),
});

/** The field of an outage: null unless it is acknowledged now, or was when it ended. `link` is the channel of the link that was used. */
export const acknowledgedField = nullable(Acknowledgement, null);

type Acknowledged = Pick<
  Row,
  "endedAt" | "acknowledgedAt" | "acknowledgedBy" | "acknowledgedVia" | "acknowledgedUntil" | "acknowledgedNote"
>;

/** The acknowledgement of an outage, if it is in effect, or null. */
export const presentAcknowledgement = (row: Acknowledged, now: number): Static<typeof acknowledgedField> => {
  const { acknowledgedAt: at, acknowledgedUntil: until, acknowledgedVia: via } = row;
  if (at === null || (until !== null && until <= (row.endedAt ?? now))) return null;
  return {
    by: row.acknowledgedBy,
    link: via && { channel_type: via.type, channel_name: via.name },
    at: isoTime(at),
    until: isoTimeOrNull(until),
    note: row.acknowledgedNote,
  };
};

/** The condition that an outage is not acknowledged at `now`. */
export const isUnacknowledged = (now: number): SQL | undefined =>
  or(isNull(outages.acknowledgedAt), lte(outages.acknowledgedUntil, now));

type Store = Pick<Deps, "db" | "clock" | "live" | "log">;

/** Who acknowledges: a user, or a person with a link, who may give a name. */
type Acknowledger = { by: string | null; via: AcknowledgedVia | null };

type Change = Acknowledger & { until: number | null; note: string | null };

export const acknowledgedColumns = ({ by, via, until, note }: Change, now: number) => ({
  acknowledgedAt: now,
  acknowledgedBy: by,
  acknowledgedVia: via,
  acknowledgedUntil: until,
  acknowledgedNote: note,
});

const { id, targetType, targetId, teamId } = outages;
const acknowledged = { id, targetType, targetId, teamId };

const targetOf = ({ targetType: type, targetId: id, teamId }: Pick<Row, "targetType" | "targetId" | "teamId">) => ({
  ...{ type, id, teamId },
});

/**
 * Acknowledges the outages that are open and fulfil `condition`, and notifies the channels that know of them. Returns how
 * many they are.
 */
export const acknowledge = async (
  store: Store,
  rows: readonly Pick<Row, "id">[],
  { author, ...change }: Change & { author: Author },
  condition?: SQL,
): Promise<number> => {
  const now = store.clock.now();
  const ids = rows.map(({ id }) => id);
  const changed = await store.db.transact(async (tx) => {
    await lock(tx, lockAlerts);
    const open = await tx
      .update(outages)
      .set(acknowledgedColumns(change, now))
      .where(and(isOneOf(outages.id, ids), isNull(outages.endedAt), condition))
      .returning(acknowledged);
    for (const outage of open) {
      await restAlerts(tx, outage.id, change.until, now);
      const after = { outage: outage.id, until: isoTimeOrNull(change.until) };
      await recordOfTarget({ ...store, db: tx }, author, targetOf(outage), { action: "acknowledged", after });
    }
    return open;
  });
  for (const [type, targets] of Map.groupBy(changed, ({ targetType }) => targetType)) {
    void publishOutages(
      store,
      type,
      targets.map(({ targetId }) => targetId),
    );
  }
  return changed.length;
};

/** @throws {AppError} not_found, also for another user's */
const findOutage = async ({ db }: Pick<Deps, "db">, viewer: Viewer, id: number): Promise<Row> => {
  const [row] = await db
    .select()
    .from(outages)
    .where(and(eq(outages.id, id), visibleTo(outages, viewer)));
  if (!row) throw notFound("Outage");
  return row;
};

/** @throws {AppError} validation */
const parseUntil = (until: string | null | undefined, now: number): number | null => {
  if (!until) return null;
  const at = Date.parse(until);
  if (at > now && at <= now + MAX_DAYS * DAY) return at;
  const message = `until: expected a time in the future, at most ${MAX_DAYS} days from now`;
  throw validation([{ path: "until", message }]);
};

/** A text as one line, which holders of a link cannot make change the direction of others; null for an empty one. */
export const trimmed = (text: string | null | undefined): string | null => oneLine(text ?? "", MAX_TEXT) || null;

/**
 * Acknowledges an outage as a user, or changes its acknowledgement.
 * @throws {AppError} not_found, outage_ended, validation
 */
export const acknowledgeAsUser = async (
  store: Store,
  user: Viewer & { username: string },
  id: number,
  { until, note }: { until?: string | null; note?: string | null },
): Promise<Static<typeof acknowledgedField>> => {
  const now = store.clock.now();
  const row = await findOutage(store, user, id);
  const change = { by: user.username, via: null, until: parseUntil(until, now), note: trimmed(note), author: user };
  if (row.endedAt !== null || (await acknowledge(store, [row], change)) === 0) throw new AppError("outage_ended");
  return presentAcknowledgement(await findOutage(store, user, id), now);
};

/**
 * Withdraws an acknowledgement, if there is one: alerts continue with the first step.
 * @throws {AppError} not_found, outage_ended
 */
export const withdrawAcknowledgement = async (store: Store, viewer: Viewer, id: number): Promise<void> => {
  const row = await findOutage(store, viewer, id);
  if (row.endedAt !== null) throw new AppError("outage_ended");
  const now = store.clock.now();
  if (!presentAcknowledgement(row, now)) return;
  await store.db.transact(async (tx) => {
    await lock(tx, lockAlerts);
    const [open] = await tx
      .update(outages)
      .set({
        acknowledgedAt: null,
        acknowledgedBy: null,
        acknowledgedVia: null,
        acknowledgedUntil: null,
        acknowledgedNote: null,
      })
      .where(and(eq(outages.id, id), isNull(outages.endedAt), isNotNull(outages.acknowledgedAt)))
      .returning(acknowledged);
    if (!open) return;
    await resumeAlerts(tx, id, now);
    const before = { outage: id };
    await recordOfTarget({ ...store, db: tx }, viewer, targetOf(open), { action: "unacknowledged", before });
  });
  void publishOutages(store, row.targetType, [row.targetId]);
};
