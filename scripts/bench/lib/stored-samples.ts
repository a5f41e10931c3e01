import {
  firstOfSeconds,
  type StoredSample,
  sampleBlock,
  samplePack,
} from "../../../src/modules/servers/history/samples";
import { decodeJournal } from "../../../src/modules/servers/ingest/journal/journal";
import type { Query } from "./stored-checks";

/** The samples of an agent: from blocks, from its pack, or from the journal. */
type AgentSample = StoredSample & { agentId: number };

type Row = Awaited<ReturnType<Query>>[number];

const decode = ({ agent_id, hour, data }: Row): AgentSample[] => {
  const [agentId, bytes] = [Number(agent_id), data as Uint8Array];
  const { rows: samples, corrupt } = hour === null ? samplePack.decode(bytes) : sampleBlock.decode(Number(hour), bytes);
  if (corrupt) throw new Error(`the stored samples of agent ${agentId} are damaged`);
  return samples.map((sample) => ({ ...sample, agentId }));
};

/** Reads the samples of all agents: those in blocks, and those that are not moved yet. */
export const readStoredSamples = async (query: Query): Promise<{ blocks: AgentSample[]; running: AgentSample[] }> => {
  // One statement: the hub may move samples from packs to blocks between two.
  const rows = await query(`
    select 'block' as source, hour, agent_id, data from sample_blocks
    union all select 'pack', null, agent_id, data from sample_packs where data is not null
    union all select 'journal', null, id, data from report_journal`);
  const of = (source: string) => rows.filter((row) => row.source === source);
  const packed = of("pack").flatMap(decode);
  const blocks = of("block").flatMap(decode);
  const sampleKeys = new Set([...blocks, ...packed].map(({ agentId, at }) => `${agentId} ${at}`));
  const waiting = of("journal")
    .flatMap(({ data }) => decodeJournal(data as Uint8Array))
    .flatMap(({ agentId, samples }) => samples.map((sample) => ({ ...sample, agentId })));
  // A report of the journal may be in its pack or in a block already.
  return {
    blocks,
    running: [...packed, ...waiting.filter(({ agentId, at }) => !sampleKeys.has(`${agentId} ${at}`))],
  };
};

/**
 * Reads all stored samples, and compares them with their sums: at most one in a second is stored, and each one in a block
 * is in the sums of its hour. Every figure of `losses` should be zero.
 */
export const auditSamples = async (query: Query) => {
  const { blocks, running } = await readStoredSamples(query);
  const samples = [...blocks, ...running];
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
