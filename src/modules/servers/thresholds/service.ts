/**
 * Thresholds that users set besides the three of the notification rules. ingest/ evaluates them with each report;
 * effective.ts chooses those that count for a server.
 */
import type { Static } from "@sinclair/typebox";
import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound, validation } from "../../../core/errors";
import { madeBy, ownedBy, type Viewer } from "../../../db/owner";
import { agents, thresholds } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { MAX_THRESHOLDS, type ThresholdSetting } from "../../../shared/agents/thresholds";
import { lockOwner } from "../../accounts/quotas/service";
import { listTags } from "../../tags/service";
import { invalidateThresholds, readThresholdsOf } from "./effective";
import { type Place, recordThreshold } from "./logged";
import { completed, settingErrors, type Threshold, type ThresholdBody } from "./model";

type Row = typeof thresholds.$inferSelect & { minutes: number };
type Store = Pick<Deps, "db" | "clock" | "log">;

/** The condition that a threshold was set by a user: others belong to the user's notification rules. */
const isOwn = (teamId: number) => and(ownedBy(thresholds, teamId), isNotNull(thresholds.minutes));

/** The thresholds of a user, oldest first. */
export const readRows = async ({ db }: Pick<Deps, "db">, teamId: number): Promise<Row[]> => {
  const rows = await db
    .select()
    .from(thresholds)
    .where(isOwn(teamId))
    .orderBy(asc(thresholds.id))
    .limit(MAX_THRESHOLDS);
  return rows.map(({ minutes, ...row }) => ({ ...row, minutes: minutes ?? 0 }));
};

const present = async (
  deps: Pick<Deps, "db">,
  teamId: number,
  rows: readonly Row[],
): Promise<Static<typeof Threshold>[]> => {
  const tags = rows.some(({ tagId }) => tagId !== null) ? await listTags(deps, teamId) : [];
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
  present(deps, viewer.teamId, await readRows(deps, viewer.teamId));

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
  const counting = await readThresholdsOf(deps, [{ agentId, teamId: viewer.teamId }], deps.clock.now());
  const ids = new Set((counting.get(agentId) ?? []).map(({ id }) => id));
  return (await listThresholds(deps, viewer)).filter(({ id }) => ids.has(id));
};

const assertServer = async ({ db }: Pick<Deps, "db">, viewer: Viewer, id: number): Promise<void> => {
  const count = await db.$count(agents, and(eq(agents.id, id), ownedBy(agents, viewer.teamId)));
  if (count === 0) throw notFound("Server");
};

/** @throws {AppError} validation, not_found */
const checked = async (deps: Store, viewer: Viewer, sent: ThresholdBody): Promise<Place & ThresholdSetting> => {
  const { scope, tag_id: tagId = null, agent_id: agentId = null } = sent;
  const setting = completed(sent);
  const errors = settingErrors(setting);
  if (scope === "tag" && tagId === null) errors.push({ path: "tag_id", message: "tag_id: expected a tag of yours" });
  if (scope === "agent" && agentId === null)
    errors.push({ path: "agent_id", message: "agent_id: expected a server of yours" });
  if (errors.length > 0) throw validation(errors);
  if (scope === "tag" && !(await listTags(deps, viewer.teamId)).some(({ id }) => id === tagId)) throw notFound("Tag");
  if (scope === "agent") await assertServer(deps, viewer, agentId as number);
  return { ...setting, scope, tagId: scope === "tag" ? tagId : null, agentId: scope === "agent" ? agentId : null };
};

/** @throws {AppError} threshold_exists when another one is for the same place, figure and subject */
const requireFree = (own: readonly Row[], given: Place & ThresholdSetting, except = 0): void => {
  if (own.some((row) => row.id !== except && keyOf(row) === keyOf(given))) throw new AppError("threshold_exists");
};

/** Equal for thresholds of the same place, figure and subject. */
export const keyOf = ({ scope, tagId, agentId, metric, subject }: Place & ThresholdSetting): string =>
  JSON.stringify([scope, tagId, agentId, metric, subject]);

const one = async (deps: Store, viewer: Viewer, id: number): Promise<Static<typeof Threshold>> => {
  const rows = (await readRows(deps, viewer.teamId)).filter((row) => row.id === id);
  const [threshold] = await present(deps, viewer.teamId, rows);
  if (!threshold) throw notFound("Threshold");
  return threshold;
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
  const id = await deps.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(viewer));
    const given = await checked({ ...deps, db: tx }, viewer, sent);
    const own = await readRows({ db: tx }, viewer.teamId);
    requireFree(own, given);
    if (own.length >= MAX_THRESHOLDS) throw new AppError("too_many_thresholds", { limit: MAX_THRESHOLDS });
    const [row] = await tx
      .insert(thresholds)
      .values({ ...given, ...madeBy(viewer) })
      .returning({ id: thresholds.id });
    const { id } = row as Pick<Row, "id">;
    await recordThreshold({ ...deps, db: tx }, viewer, id, { action: "created", after: given });
    return id;
  });
  invalidateThresholds(deps, viewer.teamId);
  return one(deps, viewer, id);
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
  await deps.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(viewer));
    const own = await readRows({ db: tx }, viewer.teamId);
    const before = own.find((row) => row.id === id);
    if (!before) throw notFound("Threshold");
    const given = await checked({ ...deps, db: tx }, viewer, sent);
    requireFree(own, given, id);
    await tx.update(thresholds).set(given).where(eq(thresholds.id, id));
    await recordThreshold({ ...deps, db: tx }, viewer, id, { action: "changed", before, after: given });
  });
  invalidateThresholds(deps, viewer.teamId);
  return one(deps, viewer, id);
};

/** Deletes a threshold. An alert by it ends without a message. @throws {AppError} not_found */
export const deleteThreshold = async (deps: Store, viewer: Viewer, id: number): Promise<void> => {
  await deps.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(viewer));
    const before = (await readRows({ db: tx }, viewer.teamId)).find((one) => one.id === id);
    if (!before) throw notFound("Threshold");
    await tx.delete(thresholds).where(eq(thresholds.id, id));
    await recordThreshold({ ...deps, db: tx }, viewer, id, { action: "deleted", before });
  });
  invalidateThresholds(deps, viewer.teamId);
};
