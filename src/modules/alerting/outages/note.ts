/** A note about an outage, which everyone who sees it may write. */
import type { Static } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { notFound } from "../../../core/errors";
import { type Viewer, visibleTo } from "../../../db/owner";
import { outages } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { component, nullable, text, time } from "../../../server/answers";
import { recordOfTarget } from "../logged";

const OutageNote = component("OutageNote", {
  text: text("What was written.", "The disk was full; it is larger now."),
  by: nullable(text("Who wrote it last.", "alice")),
  at: time("When."),
});
/** The note in answers; null without one. */
export const noteField = nullable(OutageNote, null);

type Stored = Pick<typeof outages.$inferSelect, "note" | "noteBy" | "noteAt">;

export const presentNote = ({ note, noteBy, noteAt }: Stored): Static<typeof noteField> =>
  note === null ? null : { text: note, by: noteBy, at: isoTime(noteAt ?? 0) };

/** Characters that change what is around them: controls but line breaks and tabs, and changes of direction. */
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Writes or deletes the note of an outage that a viewer sees.
 * @throws {AppError} not_found
 */
export const writeNote = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  viewer: Viewer & { username: string },
  id: number,
  sent: string,
): Promise<Static<typeof noteField>> => {
  const written = sent.replace(UNSAFE, (sign) => (/[\n\t]/.test(sign) ? sign : "")).trim();
  const note = written === "" ? null : written;
  const by = note === null ? { noteBy: null, noteAt: null } : { noteBy: viewer.username, noteAt: deps.clock.now() };
  await deps.db.transact(async (tx) => {
    const isShown = and(eq(outages.id, id), visibleTo(outages, viewer));
    const [outage] = await tx.select().from(outages).where(isShown);
    if (!outage) throw notFound("Outage");
    await tx
      .update(outages)
      .set({ note, ...by })
      .where(isShown);
    const target = { type: outage.targetType, id: outage.targetId, teamId: outage.teamId };
    const change = { action: "noted" as const, before: { note: outage.note }, after: { note } };
    await recordOfTarget({ ...deps, db: tx }, viewer, target, change);
  });
  return presentNote({ note, ...by });
};
