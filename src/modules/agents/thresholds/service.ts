/**
 * Thresholds that users set besides the three of the notification rules. ingest/ evaluates them with each report;
 * effective.ts chooses those that count for a server.
 */
import type { Static } from "@sinclair/typebox";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound, validation } from "../../../core/errors";
import { ownedBy, type Viewer } from "../../../db/owner";
import { agents, thresholds } from "../../../db/schema";
import { isOneOf, withValues } from "../../../db/sql";
import { MAX_THRESHOLDS, type ThresholdSetting } from "../../../shared/agents/thresholds";
import { lockQuotas } from "../../quotas/service";
import { listTags } from "../../tags/service";
import { invalidateThresholds, readThresholdsOf } from "./effective";
import { completed, settingErrors, type Threshold, type ThresholdBody } from "./model";

type Row = typeof thresholds.$inferSelect;
type Store = Pick<Deps, "db" | "clock">;

/** The rows of a user, in the order in which they were created. */
export const readRows = ({ db }: Pick<Deps, "db">, userId: number): Promise<Row[]> =>
  db.select().from(thresholds).where(ownedBy(thresholds, userId)).orderBy(asc(thresholds.id)).limit(MAX_THRESHOLDS);

const present = async (
  deps: Pick<Deps, "db">,
  userId: number,
  rows: readonly Row[],
): Promise<Static<typeof Threshold>[]> => {
  const tags = rows.some(({ tagId }) => tagId !== null) ? await listTags(deps, userId) : [];
  const ids = rows.flatMap(({ agentId }) => agentId ?? []);
  const servers = await deps.db
    .select({ id: agents.id, name: agents.name })
    .from(agents)
    .where(isOneOf(agents.id, ids));
  return rows.map(({ id, scope, tagId, agentId, metric, subject, threshold, clear, minutes }) => {
    const tag = tags.find((one) => one.id === tagId);
    return {
      id,
      scope,
      tag: tag ? { id: tag.id, name: tag.name, color: tag.color } : null,
      agent: servers.find((server) => server.id === agentId) ?? null,
      metric,
      subject: subject || null,
      threshold,
      clear,
      minutes,
    };
  });
};

/** The thresholds of a user. */
export const listThresholds = async (deps: Pick<Deps, "db">, viewer: Viewer): Promise<Static<typeof Threshold>[]> =>
  present(deps, viewer.id, await readRows(deps, viewer.id));

/**
 * Those that count for a server of the user.
 * @throws {AppError} not_found
 */
export const listThresholdsOf = async (
  deps: Store,
  viewer: Viewer,
  agentId: number,
): Promise<Static<typeof Threshold>[]> => {
  await assertServer(deps, viewer, agentId);
  const counting = await readThresholdsOf(deps, [{ agentId, userId: viewer.id }], deps.clock.now());
  const ids = new Set((counting.get(agentId) ?? []).map(({ id }) => id));
  return (await listThresholds(deps, viewer)).filter(({ id }) => ids.has(id));
};

const assertServer = async ({ db }: Pick<Deps, "db">, viewer: Viewer, id: number): Promise<void> => {
  const known = await db.$count(agents, and(eq(agents.id, id), ownedBy(agents, viewer.id)));
  if (known === 0) throw notFound("Server");
};

type Place = Pick<Row, "scope" | "tagId" | "agentId">;

/** @throws {AppError} validation, not_found */
const checked = async (deps: Store, viewer: Viewer, sent: ThresholdBody): Promise<Place & ThresholdSetting> => {
  const { scope, tag_id: tagId = null, agent_id: agentId = null } = sent;
  const setting = completed(sent);
  const errors = settingErrors(setting);
  if (scope === "tag" && tagId === null) errors.push({ path: "tag_id", message: "tag_id: expected a tag of yours" });
  if (scope === "agent" && agentId === null)
    errors.push({ path: "agent_id", message: "agent_id: expected a server of yours" });
  if (errors.length > 0) throw validation(errors);
  if (scope === "tag" && !(await listTags(deps, viewer.id)).some(({ id }) => id === tagId)) throw notFound("Tag");
  if (scope === "agent") await assertServer(deps, viewer, agentId as number);
  return { ...setting, scope, tagId: scope === "tag" ? tagId : null, agentId: scope === "agent" ? agentId : null };
};

/** The columns of new rows. */
const COLUMNS = {
  scope: "text",
  tag_id: "bigint",
  agent_id: "bigint",
  metric: "text",
  subject: "text",
  threshold: "double precision",
  clear: "double precision",
  minutes: "integer",
} as const;

const rowOf = (given: Place & ThresholdSetting) => [
  given.scope,
  given.tagId,
  given.agentId,
  given.metric,
  given.subject,
  given.threshold,
  given.clear,
  given.minutes,
];

/** The condition that a user has no other threshold of the place, the figure and the subject of `given` than this one. */
export const isFree = (userId: number, except = 0) => sql`not exists (select 1 from ${thresholds} as own
  where own.user_id = ${userId} and own.id <> ${except} and own.scope = given.scope and own.metric = given.metric
    and own.subject = given.subject and coalesce(own.tag_id, 0) = coalesce(given.tag_id, 0)
    and coalesce(own.agent_id, 0) = coalesce(given.agent_id, 0))`;

/** The condition that a user may have one more. */
export const hasRoom = (userId: number) =>
  sql`(select count(*) from ${thresholds} as own where own.user_id = ${userId}) < ${MAX_THRESHOLDS}`;

const one = async (deps: Store, viewer: Viewer, id: number): Promise<Static<typeof Threshold>> => {
  const rows = (await readRows(deps, viewer.id)).filter((row) => row.id === id);
  const [shown] = await present(deps, viewer.id, rows);
  if (!shown) throw notFound("Threshold");
  return shown;
};

/**
 * Stores a new threshold.
 * @throws {AppError} validation, not_found, threshold_exists, too_many_thresholds
 */
export const createThreshold = async (
  deps: Store,
  viewer: Viewer,
  sent: ThresholdBody,
): Promise<Static<typeof Threshold>> => {
  const given = await checked(deps, viewer, sent);
  const names = sql.raw(Object.keys(COLUMNS).join(", "));
  const results = await deps.db.atomically(() => [
    // Concurrent calls come one after another.
    ...lockQuotas(viewer.id),
    sql`${withValues("given", COLUMNS, [rowOf(given)])} insert into ${thresholds} (${names}, user_id)
      select ${names}, cast(${viewer.id} as bigint) from given where ${isFree(viewer.id)} and ${hasRoom(viewer.id)} returning id`,
  ]);
  invalidateThresholds(deps, viewer.id);
  const [row] = results.at(-1) as { id: number }[];
  if (row) return one(deps, viewer, Number(row.id));
  const count = await deps.db.$count(thresholds, ownedBy(thresholds, viewer.id));
  if (count < MAX_THRESHOLDS) throw new AppError("threshold_exists");
  throw new AppError("too_many_thresholds", { limit: MAX_THRESHOLDS });
};

/**
 * Changes a threshold. An alert by it goes on unless the figure is normal now.
 * @throws {AppError} validation, not_found, threshold_exists
 */
export const updateThreshold = async (
  deps: Store,
  viewer: Viewer,
  id: number,
  sent: ThresholdBody,
): Promise<Static<typeof Threshold>> => {
  await one(deps, viewer, id);
  const given = await checked(deps, viewer, sent);
  const results = await deps.db.atomically(() => [
    ...lockQuotas(viewer.id),
    sql`${withValues("given", COLUMNS, [rowOf(given)])} update ${thresholds} set scope = given.scope, tag_id = given.tag_id,
        agent_id = given.agent_id, metric = given.metric, subject = given.subject, threshold = given.threshold,
        clear = given.clear, minutes = given.minutes
      from given where ${thresholds.id} = ${id} and ${ownedBy(thresholds, viewer.id)} and ${isFree(viewer.id, id)}
      returning ${thresholds.id}`,
  ]);
  invalidateThresholds(deps, viewer.id);
  if ((results.at(-1) as unknown[]).length > 0) return one(deps, viewer, id);
  await one(deps, viewer, id);
  throw new AppError("threshold_exists");
};

/** Deletes a threshold. An alert by it ends without a message. @throws {AppError} not_found */
export const deleteThreshold = async (deps: Store, viewer: Viewer, id: number): Promise<void> => {
  const deleted = await deps.db
    .delete(thresholds)
    .where(and(eq(thresholds.id, id), ownedBy(thresholds, viewer.id)))
    .returning({ id: thresholds.id });
  invalidateThresholds(deps, viewer.id);
  if (deleted.length === 0) throw notFound("Threshold");
};
