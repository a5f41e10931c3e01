import { thresholdsPart } from "../agents/thresholds/transfer";
import { agentsPart } from "../agents/transfer";
import { monitorsPart } from "../monitors/transfer";
import { channelsPart } from "../notifications/channels/transfer";
import { dependenciesPart } from "../notifications/dependencies/transfer";
import { mutesPart } from "../notifications/mutes/transfer";
import { policiesPart } from "../notifications/policies/transfer";
import { rulesPart } from "../notifications/rules/transfer";
import { templatesPart } from "../notifications/templates/transfer";
import { statusPagePart } from "../status-page/transfer";
import type { TransferPart } from "./part";

/** The parts of an exported file in its order: a part refers to items of previous ones only. */
const PARTS = [
  monitorsPart,
  agentsPart,
  channelsPart,
  policiesPart,
  rulesPart,
  thresholdsPart,
  templatesPart,
  mutesPart,
  dependenciesPart,
  statusPagePart,
] as const satisfies readonly TransferPart[];

/** One of the parts, with the types of its schemas. */
export type Part = (typeof PARTS)[number];

/** The parts as the module uses them. */
export const parts: TransferPart[] = [...PARTS];
