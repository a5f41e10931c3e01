/** Changes and deletes servers. */
import { eq, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { notFound } from "../../core/errors";
import { ownerOf } from "../../db/owner";
import { agents, agentStates as states } from "../../db/schema";
import { lock, lockRows } from "../../db/sql";
import { sortKey } from "../../lib/sort-key";
import { tagsText } from "../../shared/tags";
import { type Author, recordChange } from "../accounts/audit/record";
import { purgeTargets } from "../alerting/report";
import { parseTags } from "../tags/model";
import { purgeTags, readTags, replaceTags } from "../tags/service";
import { purgeSamples } from "./history/retention";
import { rememberDeleted } from "./ingest/report-keys";
import type { RenameBody } from "./model";
import { endPlanOutages } from "./plans/alerts";
import { parsePlan } from "./plans/model";
import type { ServerRow } from "./present";

/**
 * Renames a server, and replaces its tags and its plan if they are given.
 * @throws {AppError} not_found, validation, too_many_tags
 */
export const renameServer = async (
  deps: Pick<Deps, "db" | "clock" | "live" | "log">,
  { agent: { id } }: ServerRow,
  { name: sent, tags, plan }: RenameBody,
  author: Author,
): Promise<void> => {
  const name = sent.trim();
  await deps.db.transact(async (tx) => {
    await lock(tx, lockRows(agents, agents.id, eq(agents.id, id)));
    const [agent] = await tx.select().from(agents).where(eq(agents.id, id));
    if (!agent) throw notFound("Agent");
    const tagsBefore = (await readTags({ db: tx }, "agent", [id])).get(id) ?? [];
    const after = { name, plan: plan === undefined ? agent.plan : plan && parsePlan(plan) };
    await tx
      .update(agents)
      .set({ ...after, nameKey: sortKey(name) })
      .where(eq(agents.id, id));
    const wanted = tags && parseTags(tags);
    if (wanted) await replaceTags(tx, { owner: ownerOf(agent), type: "agent" }, [{ id, tags: wanted }]);
    await recordChange({ ...deps, db: tx }, author, {
      ...{ action: "changed", object: { type: "agent", id, name }, teamId: agent.teamId },
      before: { name: agent.name, plan: agent.plan, tags: tagsText(tagsBefore) },
      after: { ...after, tags: tagsText(wanted ?? tagsBefore) },
    });
  });
  if (plan !== undefined) await endPlanOutages(deps, id);
};

/** Deletes an agent with everything recorded of it. Its key is remembered, so that the agent program stops. */
export const deleteServer = (
  deps: Pick<Deps, "db" | "clock" | "log">,
  { agent }: ServerRow,
  author: Author,
): Promise<void> =>
  deps.db.transact(async (tx) => {
    const now = deps.clock.now();
    // The state is deleted first, so that no report finds the agent and leaves rows behind.
    const results = await tx.atomically((build) => [
      ...lockRows(states, states.agentId, eq(states.agentId, agent.id)),
      rememberDeleted(sql`${agent.id}`, now),
      build.delete(states).where(eq(states.agentId, agent.id)),
      ...purgeSamples(build, agent.id, agent.createdAt, now),
      ...purgeTargets(build, "agent", sql`(${agent.id})`),
      purgeTags(build, "agent", sql`(${agent.id})`),
      build.delete(agents).where(eq(agents.id, agent.id)).returning({ id: agents.id }),
    ]);
    if ((results.at(-1) as unknown[]).length === 0) return;
    const { id, name, teamId } = agent;
    await recordChange({ ...deps, db: tx }, author, {
      ...{ action: "deleted", object: { type: "agent", id, name }, teamId },
      event: { kind: "agent_deleted", detail: name },
    });
  });
