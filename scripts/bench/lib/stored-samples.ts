import {
  decodeBlock,
  decodePack,
  firstOfSeconds,
  type StoredSample,
} from "../../../src/modules/agents/history/samples";
import type { Query } from "./stored-checks";

/** The samples of an agent, from blocks or from its pack. */
export type AgentSample = StoredSample & { agentId: number };

type Row = Awaited<ReturnType<Query>>[number];

const decode = ({ agent_id, hour, data }: Row): AgentSample[] => {
  const [agentId, bytes] = [Number(agent_id), data as Uint8Array];
  const { samples, corrupt } = hour === null ? decodePack(bytes) : decodeBlock(Number(hour), bytes);
  if (corrupt) throw new Error(`the stored samples of agent ${agentId} are damaged`);
  return samples.map((sample) => ({ ...sample, agentId }));
};

/** Reads the samples of all agents, in blocks and in packs. */
export const readStoredSamples = async (query: Query): Promise<{ blocks: AgentSample[]; packed: AgentSample[] }> => {
  // One statement: the hub may move samples from packs to blocks meanwhile.
  const rows = await query(`
    select hour, agent_id, data from sample_blocks
    union all select null, agent_id, data from sample_packs where data is not null`);
  return {
    blocks: rows.filter(({ hour }) => hour !== null).flatMap(decode),
    packed: rows.filter(({ hour }) => hour === null).flatMap(decode),
  };
};

/**
 * Reads all stored samples, and compares them with their sums: at most one in a second is stored, and each one in a block
 * is in the sums of its hour. Every figure of `losses` should be zero.
 */
export const auditSamples = async (query: Query) => {
  const { blocks, packed } = await readStoredSamples(query);
  const samples = [...blocks, ...packed];
  const distinct = [...Map.groupBy(samples, ({ agentId }) => agentId).values()].flatMap(firstOfSeconds);
  const [sums] = await query("select coalesce(sum(memory_count), 0) as count from sample_hours");
  return {
    samples,
    losses: {
      samples_of_one_second: samples.length - distinct.length,
      sums_beside_samples: Math.abs(blocks.filter(({ memory }) => memory !== null).length - Number(sums?.count)),
    },
  };
};
