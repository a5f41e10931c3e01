/** The log of changes as members of a team and administrators read it. */
import { type Static, Type } from "@sinclair/typebox";
import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, or, type SQL } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { validation } from "../../../core/errors";
import { ownedBy, type Viewer, visibleTo } from "../../../db/owner";
import { securityLog } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { component, id, integer, nullable, object, oneOf, record, text, time } from "../../../server/answers";
import {
  CAUSING_ACTIONS,
  CHANGE_ACTIONS,
  CHANGED_OBJECTS,
  CHANGES,
  type ChangedObject,
  TEAM_RULES,
} from "../../../shared/audit/changes";

const value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

export const Change = component("Change", {
  id: id("The change's id.", 18),
  at: time("When it was made."),
  user: nullable(text("Who made it; null without an account, such as by the link in a message.", "alice")),
  key: nullable(text("The name of the API key that was used; null in a session.", "Backup script"), null),
  address: nullable(
    text("Where from; null unless it is your own change, or you own the team or are an administrator.", "192.0.2.1"),
  ),
  action: oneOf("What was done.", CHANGE_ACTIONS, "changed"),
  object: object({
    type: oneOf("The kind of object; an agent is a server.", CHANGED_OBJECTS),
    id: nullable(integer("Its id; null for a kind of which there is one.", 12)),
    name: text("Its name at that time. Of a `rule`, `global-monitor` or `global-agent`.", "Payments API"),
  }),
  fields: record(
    nullable(Type.Array(value, { minItems: 2, maxItems: 2, examples: [[60, 300]] })),
    "The changed fields by name, each with its old and its new value; null for a field whose values are not shown, such as a secret or a long text.",
    "interval",
  ),
  objects: integer("How many objects the same call changed: others have the same change.", 1),
});
type Change = Static<typeof Change>;
type Row = typeof securityLog.$inferSelect;

/** A change, without the address. */
const present = (row: Row): Change => ({
  id: row.id,
  at: isoTime(row.at),
  user: row.username || null,
  key: row.key,
  address: null,
  action: row.action ?? "changed",
  object: { type: row.objectType ?? "settings", id: row.objectId, name: row.objectName ?? "" },
  fields: Object.fromEntries(Object.entries(row.fields ?? {}).map(([name, values]) => [name, values && [...values]])),
  objects: row.objects ?? 1,
});

/** An object, or all objects of a type. */
type Wanted = { type: ChangedObject; id?: number };

/** Objects that a filter names at most. */
const MAX_OBJECTS = 10;

/** Parses texts such as `monitor:12,rule`. @throws {AppError} validation */
export const parseObjects = (sent: string): Wanted[] => {
  const parts = sent.split(",");
  const refuse = (message: string) => validation([{ path: "object", message: `object: ${message}` }]);
  if (parts.length > MAX_OBJECTS) throw refuse(`expected at most ${MAX_OBJECTS} objects`);
  return parts.map((part) => {
    const [name, id, ...rest] = part.split(":");
    const type = CHANGED_OBJECTS.find((one) => one === name);
    if (type && rest.length === 0 && (id === undefined || /^\d{1,15}$/.test(id)))
      return id === undefined ? { type } : { type, id: Number(id) };
    throw refuse(
      `expected a kind of object and an id, such as monitor:12; the kinds are ${CHANGED_OBJECTS.join(", ")}`,
    );
  });
};

const isOf = ({ type, id }: Wanted): SQL | undefined =>
  and(eq(securityLog.objectType, type), id === undefined ? undefined : eq(securityLog.objectId, id));

/** Conditions for the changes that a viewer sees. Administrators also see changes that belong to no team. */
const visibleChanges = (viewer: Viewer): (SQL | undefined)[] => {
  const ofTeams = visibleTo(securityLog, viewer);
  return viewer.role === "admin" && ofTeams ? [ofTeams, isNull(securityLog.teamId)] : [ofTeams];
};

/** The condition that a change is after another one in the list. */
const isAfter = async ({ db }: Pick<Deps, "db">, viewer: Viewer, before: number): Promise<SQL | undefined> => {
  const { id, at } = securityLog;
  const [last] = await db
    .select({ at })
    .from(securityLog)
    .where(and(eq(id, before), or(...visibleChanges(viewer))));
  if (!last) throw validation([{ path: "before", message: "before: expected the id of a change of an earlier page" }]);
  return and(lte(at, last.at), or(lt(at, last.at), lt(id, before)));
};

type Filter = {
  objects?: readonly Wanted[];
  user?: string;
  from: number | null;
  to: number | null;
  before?: number;
  limit?: number;
};

/** A viewer sees addresses of their own changes, and of all changes of a team that they own; a read-only API key sees none. */
const seesAddress = ({ id, role, teams, reads }: Viewer, { userId, teamId }: Row): boolean =>
  !reads && (role === "admin" || userId === id || (teamId !== null && teams.get(teamId) === "owner"));

/** The latest rows that meet any of some conditions. One query for each condition uses an index, and one for all does not. */
const readLatest = async ({ db }: Pick<Deps, "db">, conditions: readonly (SQL | undefined)[], limit: number) => {
  const { at, id } = securityLog;
  const read = (condition: SQL | undefined) =>
    db.select().from(securityLog).where(condition).orderBy(desc(at), desc(id)).limit(limit);
  const found = (await Promise.all(conditions.map(read))).flat();
  const once = new Map(found.map((row) => [row.id, row]));
  return [...once.values()].sort((one, other) => other.at - one.at || other.id - one.id).slice(0, limit);
};

/**
 * A page of the changes that a viewer sees, the latest first. `next` is the `before` of the next page. Without a filter by
 * object, the changes of one call are one entry.
 * @throws {AppError} validation
 */
export const readChanges = async (
  deps: Pick<Deps, "db">,
  viewer: Viewer,
  { objects = [], user, from, to, before, limit = CHANGES.page }: Filter,
): Promise<{ changes: Change[]; next: number | null }> => {
  const { at, username, action, batch } = securityLog;
  const matching = and(
    isNotNull(action),
    user === undefined ? undefined : eq(username, user),
    from === null ? undefined : gte(at, from),
    to === null ? undefined : lt(at, to),
    before === undefined ? undefined : await isAfter(deps, viewer, before),
  );
  const wanted = objects.length > 0 ? objects.map(isOf) : [isNull(batch)];
  const rows = await readLatest(
    deps,
    visibleChanges(viewer).flatMap((visible) => wanted.map((one) => and(visible, one, matching))),
    limit,
  );
  const changes = rows.map((row) => ({
    ...present(row),
    address: seesAddress(viewer, row) ? row.address || null : null,
  }));
  return { changes, next: changes.length === limit ? (changes.at(-1)?.id ?? null) : null };
};

/** The latest changes of a target that may lead to an outage, or of the rules of its team, in a span of time; oldest first. */
export const readChangesOf = async (
  deps: Pick<Deps, "db">,
  { type, id, teamId }: { type: ChangedObject; id: number; teamId: number },
  span: { from: number; to: number },
  limit: number,
): Promise<Change[]> => {
  const { at, objectType, action } = securityLog;
  const inSpan = and(gte(at, span.from), lte(at, span.to));
  const ofTarget = and(isOf({ type, id }), inArray(action, [...CAUSING_ACTIONS]), inSpan);
  const ofTeam = and(ownedBy(securityLog, teamId), inArray(objectType, [...TEAM_RULES]), inSpan);
  return (await readLatest(deps, [ofTarget, ofTeam], limit)).map(present).reverse();
};
