import { eq, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { agents, events, agentStates as states } from "../../../../db/schema";
import { isOneOf, withValues } from "../../../../db/sql";
import {
  type DiskUsage,
  type Report,
  type Sample,
  type UnreadableDisk,
  usedPercent,
} from "../../../../shared/agents/report";
import { type AlertFacts, METRICS } from "../../../../shared/notifications";
import { writeEventsBySubject } from "../../../notifications/events";
import {
  afterReport,
  type Crossing,
  isAlerting,
  readThresholds,
  type Thresholds,
} from "../../../notifications/rules/thresholds";
import { closeOutages, openOutagesBySubject } from "../../../outages/statements";
import { type Rule, readThresholdsOf, ruleFor } from "../../thresholds/effective";
import type { TrafficState } from "../../traffic/count";
import { withPending } from "../pending";
import { type AlarmChange, evaluateAlarms, isUnchanged, writeAlarmChanges } from "./alarms";

/** The changes of an agent's alerts by a report. */
export type ThresholdAlert = {
  keyHash: string;
  levelsBefore: number;
  levels: number;
  crossings: Crossing[];
  mount: string | null;
  facts: AlertFacts | null;
  /** By thresholds that its owner set besides the rule, and about its parts; null without any. */
  alarms: AlarmChange | null;
};

/** Whether a report leaves the alerts of its agent as they are. */
export const isQuiet = ({ levels, levelsBefore, crossings, alarms }: ThresholdAlert): boolean =>
  levels === levelsBefore && crossings.length === 0 && (alarms === null || isUnchanged(alarms));

const EVENT = {
  key_hash: "text",
  levels_before: "integer",
  kind: "text",
  at: "bigint",
  figure: "double precision",
  threshold: "double precision",
  mount: "text",
  facts: "json",
} as const;

const UNKNOWN = { cpu: null, memory: null, disk: null };

/** The fullest mount, or all together when they are not reported separately. */
const fullest = ({ disk, disks = [] }: Sample): { mount: string | null; share: number | null } => {
  const worse = (one: DiskUsage, other: DiskUsage) =>
    (usedPercent(other) ?? 0) > (usedPercent(one) ?? 0) ? other : one;
  const worst = disks.length > 0 ? disks.reduce(worse) : null;
  return worst ? { mount: worst.mount, share: usedPercent(worst) } : { mount: null, share: usedPercent(disk) };
};

/** The mount that each of these agents' disk alert named, without agents whose alert named none. */
const readAlertedMounts = async ({ db }: Pick<Deps, "db">, agentIds: number[]): Promise<Map<number, string>> => {
  if (agentIds.length === 0) return new Map();
  const rows = await db.rows<{ target_id: number; mount: string | null }>(sql`
    select alert.target_id, alert.mount from ${events} as alert
    where alert.target_type = 'agent' and alert.kind = 'disk_high' and alert.subject = '' and ${isOneOf(sql`alert.target_id`, agentIds)}
      and alert.at = (select max(other.at) from ${events} as other where other.target_type = 'agent'
        and other.target_id = alert.target_id and other.kind = 'disk_high' and other.subject = '')`);
  return new Map(rows.flatMap(({ target_id, mount }) => (mount === null ? [] : [[Number(target_id), mount]])));
};

/**
 * The disk that an alert names: undefined if it was removed, so that the fullest one is evaluated; with a share of null if
 * it can't be read, so that the alert stays.
 */
const alertedDisk = (mount: string | undefined, { disks = [] }: Sample, unreadable: UnreadableDisk[]) => {
  if (mount === undefined) return undefined;
  const disk = disks.find((one) => one.mount === mount);
  if (disk) return { mount, share: usedPercent(disk) };
  return unreadable.some((one) => one.mount === mount) ? { mount, share: null } : undefined;
};

/** What the thresholds of the notification rule are about: what no other threshold of the server counts for. */
const remaining = (
  sample: Sample,
  thresholds: Thresholds,
  rules: readonly Rule[],
): { sample: Sample; thresholds: Thresholds } => {
  if (rules.length === 0) return { sample, thresholds };
  const disks = sample.disks?.filter(({ mount }) => !ruleFor(rules, "disk", mount));
  const hasDisks = sample.disks?.length ? disks && disks.length > 0 : !ruleFor(rules, "disk", "");
  return {
    sample: disks ? { ...sample, disks } : sample,
    thresholds: {
      cpu: ruleFor(rules, "cpu", "") ? null : thresholds.cpu,
      memory: ruleFor(rules, "memory", "") ? null : thresholds.memory,
      disk: hasDisks ? thresholds.disk : null,
    },
  };
};

/**
 * Evaluates the newest sample of each report against the notification rule of its owner, and its new samples against other
 * thresholds. Unknown keys are skipped.
 */
export const evaluateThresholds = async (
  deps: Pick<Deps, "db">,
  reports: { keyHash: string; report: Report; newest: Sample }[],
  now: number,
): Promise<Map<string, ThresholdAlert>> => {
  const rows = await deps.db
    .select({
      keyHash: states.keyHash,
      agentId: agents.id,
      userId: agents.userId,
      levels: states.levels,
      alarms: states.alarms,
      sampledAt: states.sampledAt,
      hostname: agents.hostname,
      boot: sql<string | null>`${states.traffic} ->> 'boot'`,
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
  const rulesOf = await readThresholdsOf(deps, rows, now);
  const compared = rows.map(({ keyHash, agentId, alarms, hostname, ...stored }) => {
    const { report, newest } = sent.get(keyHash) as (typeof reports)[number];
    const held = withPending(deps.db, agentId, { sampledAt: stored.sampledAt, traffic: null as TrafficState | null });
    const boot = held.traffic?.boot ?? stored.boot;
    return {
      ...{ keyHash, alarms, report, newest, sampledAt: held.sampledAt },
      rules: rulesOf.get(agentId) ?? [],
      machine: boot === null ? { hostname } : { hostname, boot },
    };
  });
  const alarms = evaluateAlarms(compared, now);
  return new Map(
    rows.map(({ keyHash, agentId, levels: levelsBefore }, index) => {
      const { report, rules, sampledAt } = compared[index]!;
      const { newest } = sent.get(keyHash) as (typeof reports)[number];
      const { sample, thresholds: left } = remaining(newest, thresholds[index]!, rules);
      const unreadable = report.unreadable_disks ?? [];
      // Samples that are sent late or again do not describe the current state.
      const isNew = Date.parse(sample.at) > (sampledAt ?? 0);
      const worst = fullest(sample);
      const figures = isNew ? { cpu: sample.cpu, memory: usedPercent(sample.memory), disk: worst.share } : UNKNOWN;
      const disk = alertedDisk(alerted.get(agentId), sample, unreadable);
      const alerting = isNew && disk ? { disk: disk.share } : {};
      const { levels, crossings } = afterReport(levelsBefore, figures, left, alerting);
      const { mount } = disk ?? worst;
      const facts = report.processes ? { processes: report.processes } : null;
      const changed = alarms.get(keyHash) ?? null;
      return [keyHash, { keyHash, levelsBefore, levels, crossings, mount, facts, alarms: changed }];
    }),
  );
};

const OUTAGE = { key_hash: "text", levels_before: "integer", kind: "text", facts: "json" } as const;

/** The programs that used the most: what they use fills no disk. */
const factsOf = ({ facts }: ThresholdAlert, metric: string) => (metric === "disk" ? null : facts);

/**
 * Statements that open and close outages of figures, usually none. A figure that is no longer evaluated, because its
 * threshold was switched off, ends its outage without an event.
 */
const writeThresholdOutages = (alarms: ThresholdAlert[], now: number): SQL[] => {
  const rowsOf = (begins: boolean) =>
    alarms.flatMap((alarm) => {
      const { keyHash, levelsBefore, levels } = alarm;
      return METRICS.filter((metric) => {
        const [before, after] = [isAlerting(levelsBefore, metric), isAlerting(levels, metric)];
        return before !== after && after === begins;
      }).map((metric) => [keyHash, levelsBefore, metric, factsOf(alarm, metric)]);
    });
  const [begun, ended] = [rowsOf(true), rowsOf(false)];
  const from = sql`from o join ${states} as s on s.key_hash = o.key_hash join ${agents} as a on a.id = s.agent_id
    where s.levels = o.levels_before`;
  const open = sql`select a.user_id, 'agent', a.id, o.kind, '', o.facts, cast(${now} as bigint) ${from}`;
  const close = sql`select 'agent' as target_type, a.id as target_id, o.kind, cast(${now} as bigint) as ended_at ${from}`;
  return [
    ...(begun.length > 0 ? [openOutagesBySubject(open, withValues("o", OUTAGE, begun))] : []),
    ...(ended.length > 0 ? [closeOutages(close, withValues("o", OUTAGE, ended))] : []),
  ];
};

const writeThresholdEvents = (alarms: ThresholdAlert[], now: number): SQL[] => {
  const rows = alarms.flatMap((alarm) => {
    const { keyHash, levelsBefore, crossings, mount } = alarm;
    return crossings.map(({ metric, high, figure, threshold }) => {
      const kind = `${metric}_${high ? "high" : "normal"}`;
      const facts = high ? factsOf(alarm, metric) : null;
      return [keyHash, levelsBefore, kind, now, figure, threshold, metric === "disk" ? mount : null, facts];
    });
  });
  if (rows.length === 0) return [];
  const began = sql`(select max(high.at) from ${events} as high where high.target_type = 'agent' and high.target_id = a.id
    and e.kind like '%_normal' and high.kind = replace(e.kind, '_normal', '_high') and high.subject = '')`;
  // A crossing counts only if the levels have not changed since.
  return [
    writeEventsBySubject(
      sql`select a.user_id, e.kind, 'agent', a.id, a.name, '', e.facts, e.at, ${began}, e.figure, e.threshold, e.mount
        from e join ${states} as s on s.key_hash = e.key_hash join ${agents} as a on a.id = s.agent_id where s.levels = e.levels_before`,
      withValues("e", EVENT, rows),
    ),
  ];
};

/** Statements that store the events and outages of these alerts, usually none. */
export const writeThresholdChanges = (alarms: ThresholdAlert[], now: number): SQL[] => [
  ...writeThresholdEvents(alarms, now),
  ...writeThresholdOutages(alarms, now),
  // A threshold that a user set takes over from that of the rule, whose outage has ended by now.
  ...writeAlarmChanges(
    alarms.flatMap((alarm) => alarm.alarms ?? []),
    now,
  ),
];
