import { getTableColumns, type SQL } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { describeError } from "../../core/errors";
import { agents, agentStates as states } from "../../db/schema";
import { isOneOf } from "../../db/sql";
import { isoTimeOrNull } from "../../lib/time";
import type { LiveChange } from "../../shared/live";
import { readServers } from "./ingest/states";
import { presentFigures } from "./machine";

const readChanges = async ({ db }: Pick<Deps, "db">, condition: SQL): Promise<LiveChange[]> => {
  const rows = await readServers(db, { teamId: agents.teamId, ...getTableColumns(states) }, condition);
  return rows.map(({ teamId, ...state }) => ({
    event: "agent",
    teamId,
    data: {
      id: state.agentId,
      status: state.status,
      ...presentFigures(state),
      updated_at: isoTimeOrNull(state.reportedAt),
    },
  }));
};

/** Passes the stored states of servers, by their ids or the hashes of their keys, to the pages that are open. */
export const publishServers = async (
  { db, live, log }: Pick<Deps, "db" | "live" | "log">,
  of: { ids: readonly number[] } | { keyHashes: readonly string[] },
): Promise<void> => {
  if (Object.values(of).flat().length === 0 || !live.watched()) return;
  const condition = "ids" in of ? isOneOf(states.agentId, of.ids) : isOneOf(states.keyHash, of.keyHashes);
  try {
    live.publish(await readChanges({ db }, condition));
  } catch (error) {
    log.warn("changes of servers were not sent to open pages", { error: describeError(error) });
  }
};
