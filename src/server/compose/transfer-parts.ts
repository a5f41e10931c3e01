import { channelsPart } from "../../modules/alerting/channels/transfer";
import { dependenciesPart } from "../../modules/alerting/dependencies/transfer";
import { followsPart } from "../../modules/alerting/follows/transfer";
import { windowsPart } from "../../modules/alerting/maintenance/transfer";
import { mutesPart } from "../../modules/alerting/mutes/transfer";
import { policiesPart } from "../../modules/alerting/policies/transfer";
import { rulesPart } from "../../modules/alerting/rules/transfer";
import { templatesPart } from "../../modules/alerting/templates/transfer";
import { pingKeysPart } from "../../modules/monitors/heartbeats/ping-keys/transfer";
import { objectivesPart } from "../../modules/monitors/objectives/transfer";
import { monitorsPart } from "../../modules/monitors/transfer";
import { reportSchedulesPart } from "../../modules/reports/schedules/transfer";
import { thresholdsPart } from "../../modules/servers/thresholds/transfer";
import { serversPart } from "../../modules/servers/transfer";
import { incidentsPart, incidentTextsPart } from "../../modules/status-page/incidents/transfer";
import { pagesPart } from "../../modules/status-page/pages/transfer";
import { statusPagePart } from "../../modules/status-page/transfer";
import type { TransferPart } from "../../modules/transfer/part";

/** The parts of an exported file in its order: a part refers to items of previous ones only. */
const PARTS = [
  monitorsPart,
  pingKeysPart,
  serversPart,
  channelsPart,
  policiesPart,
  rulesPart,
  followsPart,
  objectivesPart,
  thresholdsPart,
  templatesPart,
  mutesPart,
  windowsPart,
  dependenciesPart,
  reportSchedulesPart,
  statusPagePart,
  pagesPart,
  incidentTextsPart,
  incidentsPart,
] as const satisfies readonly TransferPart[];

/** One of the parts, with the types of its schemas. */
type Part = (typeof PARTS)[number];

/** The parts as the app uses them. */
export const parts: Part[] = [...PARTS];
