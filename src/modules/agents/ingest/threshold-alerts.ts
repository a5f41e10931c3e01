import { eq, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { agents, events, agentStates as states } from "../../../db/schema";
import { isOneOf, withValues } from "../../../db/sql";
import type { DiskUsage, Sample, UnreadableDisk } from "../../../shared/agents/report";
import { METRICS } from "../../../shared/notifications";
import { writeEvents } from "../../notifications/events";
import { afterReport, type Crossing, isAlerting, readThresholds } from "../../notifications/rules/thresholds";
import { closeOutages, openOutages } from "../../outages/statements";
import { withPending } from "./pending";

/** The changes of an agent's alerts by a report. */
export type ThresholdAlert = {
  keyHash: string;
  levelsBefore: number;
  levels: number;
  crossings: Crossing[];
  mount: string | null;
};

const EVENT = {
  key_hash: "text",
  levels_before: "integer",
  kind: "text",
  at: "bigint",
  figure: "double precision",
  threshold: "double precision",
  mount: "text",
} as const;

const UNKNOWN = { cpu: null, memory: null, disk: null };

const shareOf = ({ total, used }: { total: number; used: number }) =>
  total > 0 ? Math.min(100, (used / total) * 100) : null;

/** The fullest mount, or all together when they are not reported separately. */
const fullest = ({ disk, disks = [] }: Sample): { mount: string | null; share: number | null } => {
  const worse = (one: DiskUsage, other: DiskUsage) => ((shareOf(other) ?? 0) > (shareOf(one) ?? 0) ? other : one);
  const worst = disks.length > 0 ? disks.reduce(worse) : null;
  return worst ? { mount: worst.mount, share: shareOf(worst) } : { mount: null, share: shareOf(disk) };
};

/** The mount that each of these agents' disk alert named, without agents whose alert named none. */
const readAlertedMounts = async ({ db }: Pick<Deps, "db">, agentIds: number[]): Promise<Map<number, string>> => {
  if (agentIds.length === 0) return new Map();
  const rows = await db.rows<{ target_id: number; mount: string | null }>(sql`
    select alert.target_id, alert.mount from ${events} as alert
    where alert.target_type = 'agent' and alert.kind = 'disk_high' and ${isOneOf(sql`alert.target_id`, agentIds)}
      and alert.at = (select max(other.at) from ${events} as other where other.target_type = 'agent'
        and other.target_id = alert.target_id and other.kind = 'disk_high')`);
  return new Map(rows.flatMap(({ target_id, mount }) => (mount === null ? [] : [[Number(target_id), mount]])));
};

/**
 * The disk that an alert names: undefined if it was removed, so that the fullest one is evaluated; with a share of null if
 * it can't be read, so that the alert stays.
 */
const alertedDisk = (mount: string | undefined, { disks = [] }: Sample, unreadable: UnreadableDisk[]) => {
  if (mount === undefined) return undefined;
  const disk = disks.find((one) => one.mount === mount);
  if (disk) return { mount, share: shareOf(disk) };
  return unreadable.some((one) => one.mount === mount) ? { mount, share: null } : undefined;
};

/** Evaluates the newest sample of each report against its owner's thresholds. Unknown keys are skipped. */
export const evaluateThresholds = async (
  deps: Pick<Deps, "db">,
  reports: { keyHash: string; newest: Sample; unreadable?: UnreadableDisk[] }[],
): Promise<Map<string, ThresholdAlert>> => {
  const rows = await deps.db
    .select({
      keyHash: states.keyHash,
      agentId: agents.id,
      userId: agents.userId,
      levels: states.levels,
      sampledAt: states.sampledAt,
    })
    .from(states)
    .innerJoin(agents, eq(agents.id, states.agentId))
    .where(
      isOneOf(
        states.keyHash,
        reports.map(({ keyHash }) => keyHash),
      ),
    );
  const thresholds = await readThresholds(deps, rows);
  const alerted = await readAlertedMounts(
    deps,
    rows.filter(({ levels }) => isAlerting(levels, "disk")).map(({ agentId }) => agentId),
  );
  const sent = new Map(reports.map((report) => [report.keyHash, report]));
  return new Map(
    rows.map(({ keyHash, agentId, levels: levelsBefore, ...stored }, index) => {
      const { sampledAt } = withPending(deps.db, agentId, { sampledAt: stored.sampledAt });
      const { newest: sample, unreadable = [] } = sent.get(keyHash) as (typeof reports)[number];
      // Samples that are sent late or again do not describe the current state.
      const isNew = Date.parse(sample.at) > (sampledAt ?? 0);
      const worst = fullest(sample);
      const figures = isNew ? { cpu: sample.cpu, memory: shareOf(sample.memory), disk: worst.share } : UNKNOWN;
      const disk = alertedDisk(alerted.get(agentId), sample, unreadable);
      const alerting = isNew && disk ? { disk: disk.share } : {};
      const { levels, crossings } = afterReport(levelsBefore, figures, thresholds[index]!, alerting);
      return [keyHash, { keyHash, levelsBefore, levels, crossings, mount: (disk ?? worst).mount }];
    }),
  );
};

const OUTAGE = { key_hash: "text", levels_before: "integer", kind: "text" } as const;

/**
 * Statements that open and close outages of figures, usually none. A figure that is no longer evaluated, because its
 * threshold was switched off, ends its outage without an event.
 */
const writeThresholdOutages = (alarms: ThresholdAlert[], now: number): SQL[] => {
  const rowsOf = (begins: boolean) =>
    alarms.flatMap(({ keyHash, levelsBefore, levels }) =>
      METRICS.filter((metric) => {
        const [before, after] = [isAlerting(levelsBefore, metric), isAlerting(levels, metric)];
        return before !== after && after === begins;
      }).map((metric) => [keyHash, levelsBefore, metric]),
    );
  const [begun, ended] = [rowsOf(true), rowsOf(false)];
  const from = sql`from o join ${states} as s on s.key_hash = o.key_hash join ${agents} as a on a.id = s.agent_id
    where s.levels = o.levels_before`;
  const open = sql`select a.user_id, 'agent', a.id, o.kind, cast(${now} as bigint),
    cast(null as text), cast(null as jsonb), cast(null as text), cast(null as integer), cast(null as text) ${from}`;
  const close = sql`select 'agent' as target_type, a.id as target_id, o.kind, cast(${now} as bigint) as ended_at ${from}`;
  return [
    ...(begun.length > 0 ? [openOutages(open, withValues("o", OUTAGE, begun))] : []),
    ...(ended.length > 0 ? [closeOutages(close, withValues("o", OUTAGE, ended))] : []),
  ];
};

const writeThresholdEvents = (alarms: ThresholdAlert[], now: number): SQL[] => {
  const rows = alarms.flatMap(({ keyHash, levelsBefore, crossings, mount }) =>
    crossings.map(({ metric, high, figure, threshold }) => {
      const kind = `${metric}_${high ? "high" : "normal"}`;
      return [keyHash, levelsBefore, kind, now, figure, threshold, metric === "disk" ? mount : null];
    }),
  );
  if (rows.length === 0) return [];
  const began = sql`(select max(high.at) from ${events} as high where high.target_type = 'agent' and high.target_id = a.id
    and e.kind like '%_normal' and high.kind = replace(e.kind, '_normal', '_high'))`;
  // A crossing counts only if the levels have not changed since.
  return [
    writeEvents(
      sql`select a.user_id, e.kind, 'agent', a.id, a.name, e.at, ${began}, cast(null as text), cast(null as jsonb), e.figure, e.threshold, e.mount
        from e join ${states} as s on s.key_hash = e.key_hash join ${agents} as a on a.id = s.agent_id where s.levels = e.levels_before`,
      withValues("e", EVENT, rows),
    ),
  ];
};

/** Statements that store the events and outages of these alerts, usually none. */
export const writeThresholdChanges = (alarms: ThresholdAlert[], now: number): SQL[] => [
  ...writeThresholdEvents(alarms, now),
  ...writeThresholdOutages(alarms, now),
];
