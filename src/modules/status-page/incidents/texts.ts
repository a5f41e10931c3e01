/** Templates of incidents. The editor of a new incident or update fills in their variables. */
import type { Static } from "@sinclair/typebox";
import { and, asc, eq } from "drizzle-orm";
import { AppError, notFound } from "../../../core/errors";
import { madeBy, ownedBy, type Viewer } from "../../../db/owner";
import { incidentTexts } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { component, id, oneOf, text, time } from "../../../server/answers";
import { INCIDENT_STATUSES, INCIDENT_LIMITS as LIMITS } from "../../../shared/status/incidents";
import { recordChange } from "../../accounts/audit/record";
import { lockOwner } from "../../accounts/quotas/service";
import type { TextBody } from "./model";
import type { Store } from "./service";

type Row = typeof incidentTexts.$inferSelect;

/** The fields of a template that an exported file has, too. */
export const textFields = {
  name: text("Its name in the editor.", "Payments"),
  status: oneOf("The state that it sets.", INCIDENT_STATUSES),
  title: text("The title of a new incident; may be empty.", "{{component}} is not available"),
  body: text("The text of the update, in Markdown.", "We are looking into it."),
};
export const IncidentText = component("IncidentText", {
  id: id("The template's id.", 2),
  ...textFields,
  updated_at: time("When it was last changed."),
});

export const presentTextFields = ({ name, status, title, body }: Pick<Row, "name" | "status" | "title" | "body">) => ({
  ...{ name, status, title, body },
});
const present = (row: Row): Static<typeof IncidentText> => ({
  id: row.id,
  ...presentTextFields(row),
  updated_at: isoTime(row.updatedAt),
});

const isOfTeam = (teamId: number, textId: number) => and(eq(incidentTexts.id, textId), ownedBy(incidentTexts, teamId));
const logged = ({ id, name, teamId }: Row) => ({ object: { type: "incident_text" as const, id, name }, teamId });

export const readTexts = ({ db }: Pick<Store, "db">, teamId: number): Promise<Row[]> =>
  db
    .select()
    .from(incidentTexts)
    .where(ownedBy(incidentTexts, teamId))
    .orderBy(asc(incidentTexts.name), asc(incidentTexts.id));

export const listTexts = async (store: Store, { teamId }: Viewer) => (await readTexts(store, teamId)).map(present);

/** Inserts a template within a transaction that has locked its team. @throws {AppError} too_many_incident_texts */
export const insertText = async (
  { db, clock }: Pick<Store, "db" | "clock">,
  owner: Viewer,
  sent: TextBody,
): Promise<Row> => {
  if ((await db.$count(incidentTexts, ownedBy(incidentTexts, owner.teamId))) >= LIMITS.texts)
    throw new AppError("too_many_incident_texts", { limit: LIMITS.texts });
  const [row] = await db
    .insert(incidentTexts)
    .values({ ...madeBy(owner), ...presentTextFields(sent), updatedAt: clock.now() })
    .returning();
  return row as Row;
};

const changing = <T>(store: Store, writer: Viewer, change: (within: Store) => Promise<T>): Promise<T> =>
  store.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(writer));
    return change({ ...store, db: tx });
  });

/** @throws {AppError} not_found */
const findText = async ({ db }: Store, teamId: number, textId: number): Promise<Row> => {
  const [row] = await db.select().from(incidentTexts).where(isOfTeam(teamId, textId));
  if (!row) throw notFound("Template");
  return row;
};

/** @throws {AppError} too_many_incident_texts */
export const createText = (store: Store, writer: Viewer, sent: TextBody) =>
  changing(store, writer, async (within) => {
    const row = await insertText(within, writer, sent);
    await recordChange(within, writer, { action: "created", ...logged(row) });
    return present(row);
  });

/** @throws {AppError} not_found */
export const updateText = (store: Store, writer: Viewer, textId: number, sent: TextBody) =>
  changing(store, writer, async (within) => {
    const before = await findText(within, writer.teamId, textId);
    const [after = before] = await within.db
      .update(incidentTexts)
      .set({ ...presentTextFields(sent), updatedAt: store.clock.now() })
      .where(isOfTeam(writer.teamId, textId))
      .returning();
    await recordChange(within, writer, { action: "changed", ...logged(after), before, after });
    return present(after);
  });

/** @throws {AppError} not_found */
export const deleteText = (store: Store, writer: Viewer, textId: number): Promise<void> =>
  changing(store, writer, async (within) => {
    const row = await findText(within, writer.teamId, textId);
    await recordChange(within, writer, { action: "deleted", ...logged(row) });
    await within.db.delete(incidentTexts).where(isOfTeam(writer.teamId, textId));
  });
