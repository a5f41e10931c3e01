import { agentStates, sampleBlocks, samplePacks } from "../../../db/schema";
import { rowTable, type Shape } from "../../../history/shape";
import { writeAllPending } from "../ingest/journal/journal";
import { waitingSamples } from "../ingest/states";
import { type StoredSample, sampleBlock, samplePack, secondOf } from "./samples";
import { hourSums, tenSums } from "./sums";

/** How the samples of agents are stored. */
export const sampleShape: Shape<StoredSample> = {
  rows: "samples",
  target: "agent",
  timeOf: ({ at }) => at,
  keyOf: secondOf,
  pack: samplePack,
  packs: { table: samplePacks, hour: "hour", data: "data" },
  states: agentStates,
  blocks: rowTable(sampleBlocks, sampleBlock, secondOf),
  sums: [tenSums, hourSums],
  waiting: waitingSamples,
  beforeMove: writeAllPending,
};
