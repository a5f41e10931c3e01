import { Type } from "@sinclair/typebox";
import { component, list } from "../../server/answers";
import type { PastOutcome } from "../../shared/monitor";
import { lastChecks, type RecentPacks } from "./history/pack";
import { monitorFields } from "./present";

/** What lists on the page show of a monitor. */
const SHOWN = [
  "id",
  "name",
  "owner",
  "team",
  "kind",
  "target",
  "active",
  "inverted",
  "status",
  "unknown",
  "since",
  "error_code",
  "error_detail",
  "muted",
  "maintenance",
  "maintenance_times",
  "tags",
  "response_time",
  "uptime",
  "watched",
  "last_checked",
  "updated_at",
] as const;

type PastCheck = [at: number, outcome: PastOutcome, responseTime: number | null];

export const pastOutcome = Type.Unsafe<PastCheck>({
  type: "array",
  items: Type.Union([Type.Number(), Type.Null()]),
  minItems: 3,
  maxItems: 3,
  description:
    "Its time in epoch milliseconds; 1 for up, 2 for up but slow, or 0 for down; and its response time in milliseconds or null.",
  examples: [[1_768_479_600_000, 1, 84.2]],
});

/** A monitor of a list with `fields=compact`. */
export const CompactMonitor = component("CompactMonitor", {
  ...Type.Pick(Type.Object(monitorFields), SHOWN).properties,
  history: list(pastOutcome, "The latest outcomes, oldest first."),
});

/** The last `count` outcomes of a monitor, oldest first. */
export const compactHistory = (packs: RecentPacks, count: number): PastCheck[] =>
  lastChecks(packs, count).map(({ at, up, slow, responseTime }) => [at, up ? (slow ? 2 : 1) : 0, responseTime]);
