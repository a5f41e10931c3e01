import { eq, type SQL } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { describeError } from "../../core/errors";
import { agents, agentStates as states } from "../../db/schema";
import { isOneOf } from "../../db/sql";
import { isoTimeOrNull } from "../../lib/time";
import type { LiveChange } from "../../shared/live";
import { publishOutages } from "../outages/live";
import { withPending } from "./ingest/pending";
import { hottestOf } from "./machine";
import { tenth } from "./present";

const readChanges = async ({ db }: Pick<Deps, "db">, condition: SQL): Promise<LiveChange[]> => {
  const rows = await db
    .select({ userId: agents.userId, state: states })
    .from(states)
    .innerJoin(agents, eq(agents.id, states.agentId))
    .where(condition);
  const latest = rows.map(({ userId, state }) => ({ userId, state: withPending(db, state.agentId, state) }));
  return latest.map(({ userId, state }) => ({
    event: "agent",
    userId,
    data: {
      id: state.agentId,
      status: state.status,
      cpu_usage: tenth(state.cpu),
      memory_total: state.memoryTotal,
      memory_used: state.memoryUsed,
      disk_total: state.diskTotal,
      disk_used: state.diskUsed,
      network_rx: tenth(state.networkRx),
      network_tx: tenth(state.networkTx),
      load_average: state.extra?.load ?? null,
      temperature: tenth(hottestOf(state.extra)),
      updated_at: isoTimeOrNull(state.reportedAt),
    },
  }));
};

/** Passes the stored states of servers, by their ids or the hashes of their keys, to the pages that are open, with their outages. */
export const publishAgents = async (
  deps: Pick<Deps, "db" | "live" | "clock" | "log">,
  of: { ids: readonly number[] } | { keyHashes: readonly string[] },
  withOutages: boolean,
): Promise<void> => {
  const { db, live, log } = deps;
  if (Object.values(of).flat().length === 0 || !live.watched()) return;
  const condition = "ids" in of ? isOneOf(states.agentId, of.ids) : isOneOf(states.keyHash, of.keyHashes);
  try {
    const changes = await readChanges({ db }, condition);
    live.publish(changes);
    const ids = changes.map(({ data }) => data.id);
    if (withOutages) await publishOutages(deps, "agent", ids);
  } catch (error) {
    log.warn("changes of servers were not sent to open pages", { error: describeError(error) });
  }
};
