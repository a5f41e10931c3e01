import { checkBlocks, monitorStates, recentChecks } from "../../../db/schema";
import { rowTable, type Shape } from "../../../history/shape";
import { MAX_RECENT } from "../../../shared/monitor";
import { checkBlock } from "./block";
import { checkPack, type StoredCheck } from "./pack";
import { daySums, hourSums } from "./sums";

const timeOf = ({ checkedAt }: StoredCheck): number => checkedAt;

/** How the checks of monitors are stored. */
export const checkShape: Shape<StoredCheck> = {
  rows: "checks",
  target: "monitor",
  timeOf,
  keyOf: timeOf,
  pack: checkPack,
  packs: { table: monitorStates, hour: "pack_hour", data: "pack" },
  states: monitorStates,
  blocks: rowTable(checkBlocks, checkBlock, timeOf),
  sums: [hourSums, daySums],
  recent: { table: recentChecks, data: "checks", count: MAX_RECENT },
};
