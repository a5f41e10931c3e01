/** Alerts by thresholds that users set, and about parts of servers: evaluated with each report, and written with its state. */
import { type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { agents, outages, agentStates as states } from "../../../../db/schema";
import { isOneOf, withValues } from "../../../../db/sql";
import type { MachineFacts, Report } from "../../../../shared/agents/report";
import type { Alarm } from "../../../../shared/agents/thresholds";
import { MINUTE, SECOND } from "../../../../shared/limits";
import { type AlertFacts, eventKindsOf } from "../../../../shared/notifications";
import { writeEventsBySubject } from "../../../notifications/events";
import { closeOutagesBySubject, openOutagesBySubject } from "../../../outages/statements";
import type { Rule } from "../../thresholds/effective";
import { type Change, evaluateFigures } from "../../thresholds/figures";
import { evaluateParts, hasParts } from "../../thresholds/parts";
import { withPending } from "../pending";

/** A report that is compared with what is stored of its agent. */
export type Compared = {
  keyHash: string;
  agentId: number;
  report: Report;
  rules: readonly Rule[];
  alarms: Alarm[] | null;
  /** The time of the newest sample before. */
  sampledAt: number | null;
};

/** The alarms of an agent before and after a report, and the alerts that begin or end with it. */
export type AlarmChange = {
  keyHash: string;
  before: Alarm[] | null;
  after: Alarm[] | null;
  changes: Change[];
  facts: Pick<AlertFacts, "processes">;
};

/** The containers of the reports before, by agent; read for reports that have containers. */
const readPrevious = async ({ db }: Pick<Deps, "db">, compared: readonly Compared[]) => {
  const ids = compared.filter(({ report }) => report.containers !== undefined).map(({ agentId }) => agentId);
  if (ids.length === 0) return new Map<number, MachineFacts | null>();
  const rows = await db
    .select({ agentId: states.agentId, extra: states.extra })
    .from(states)
    .where(isOneOf(states.agentId, ids));
  return new Map(rows.map((row) => [row.agentId, withPending(db, row.agentId, { extra: row.extra }).extra]));
};

const isEvaluated = ({ report, rules, alarms }: Compared): boolean =>
  rules.length > 0 || alarms !== null || hasParts(report);

/** Samples that are not older than what is stored, the oldest first. A clock that is ahead does not count. */
const newSamples = ({ report: { samples }, sampledAt }: Compared, now: number) =>
  samples
    .map((sample) => ({ at: Math.min(Date.parse(sample.at), now), sample }))
    .filter(({ at }) => at > (sampledAt ?? 0))
    .toSorted((one, other) => one.at - other.at);

/** Evaluates reports. Those without thresholds, alarms and parts cost nothing. */
export const evaluateAlarms = async (
  deps: Pick<Deps, "db">,
  compared: readonly Compared[],
  now: number,
): Promise<Map<string, AlarmChange>> => {
  const evaluated = compared.filter(isEvaluated);
  if (evaluated.length === 0) return new Map();
  const previous = await readPrevious(deps, evaluated);
  return new Map(
    evaluated.flatMap((one): [string, AlarmChange][] => {
      const { keyHash, agentId, report, rules, alarms: before } = one;
      const samples = newSamples(one, now);
      const newest = samples.at(-1);
      if (!newest) return [];
      const figures = evaluateFigures(before ?? [], {
        samples,
        rules,
        processors: report.processors,
        unreadable: report.unreadable_disks ?? [],
        lastAt: one.sampledAt,
        longestPause: 3 * report.interval * SECOND + MINUTE,
      });
      const parts = evaluateParts(before ?? [], report, previous.get(agentId) ?? null, newest.at);
      const after = [...figures.alarms, ...parts.alarms];
      const { processes } = report;
      return [
        [
          keyHash,
          {
            keyHash,
            before,
            after: after.length > 0 ? after : null,
            changes: [...figures.changes, ...parts.changes],
            facts: processes ? { processes } : {},
          },
        ],
      ];
    }),
  );
};

/** Whether a report changes nothing that is stored of alarms. */
export const isUnchanged = ({ before, after }: AlarmChange): boolean => Bun.deepEquals(before, after);

const CHANGE = {
  key_hash: "text",
  before: "json",
  kind: "text",
  outage_kind: "text",
  subject: "text",
  closing: "boolean",
  figure: "double precision",
  threshold: "double precision",
  mount: "text",
  facts: "json",
} as const;

/** Figures that programs use. */
const USED_BY_PROGRAMS: readonly Alarm["metric"][] = ["cpu", "memory", "swap", "load"];

const factsOf = ({ facts }: AlarmChange, { kind, begins, said }: Change): AlertFacts | null => {
  const found: AlertFacts = {
    ...(begins && USED_BY_PROGRAMS.includes(kind) && facts),
    ...(said?.state !== undefined && { state: said.state }),
    ...(said?.thresholdId !== undefined && { threshold_id: said.thresholdId }),
  };
  return Object.keys(found).length > 0 ? found : null;
};

const rowsOf = (alarms: readonly AlarmChange[], wanted: (change: Change) => boolean) =>
  alarms.flatMap((alarm) =>
    alarm.changes.filter(wanted).map((change) => {
      const { kind, subject, begins, said } = change;
      const { opening, closing } = eventKindsOf(kind);
      const figures = [said?.figure ?? null, said?.threshold ?? null, kind === "disk" && subject ? subject : null];
      const event = begins ? opening : closing;
      return [alarm.keyHash, alarm.before, event, kind, subject, !begins, ...figures, factsOf(alarm, change)];
    }),
  );

/** The state is still the one that the change was computed from: another instance may have changed it. */
const isBefore = (column: SQL) => sql`coalesce(cast(s.alarms as text), '') = coalesce(cast(${column} as text), '')`;

/** Statements that store these changes of alarms with their events and outages, usually none. */
export const writeAlarmChanges = (alarms: readonly AlarmChange[], now: number): SQL[] => {
  const changed = alarms.filter((alarm) => !isUnchanged(alarm));
  if (changed.length === 0) return [];
  const at = sql`cast(${now} as bigint)`;
  const from = sql`from c join ${states} as s on s.key_hash = c.key_hash join ${agents} as a on a.id = s.agent_id
    where ${isBefore(sql`c.before`)}`;
  const since = sql`(select max(o.started_at) from ${outages} as o where c.closing and o.target_type = 'agent' and o.target_id = a.id
    and o.kind = c.outage_kind and o.subject = c.subject and o.ended_at is null)`;
  const said = rowsOf(changed, (change) => change.said !== null);
  const [begun, ended] = [rowsOf(changed, ({ begins }) => begins), rowsOf(changed, ({ begins }) => !begins)];
  const values = changed.map(({ keyHash, before, after }) => [keyHash, before, after]);
  return [
    ...(said.length > 0
      ? [
          writeEventsBySubject(
            sql`select a.user_id, c.kind, 'agent', a.id, a.name, c.subject, c.facts, ${at}, ${since}, c.figure, c.threshold, c.mount ${from}`,
            withValues("c", CHANGE, said),
          ),
        ]
      : []),
    ...(ended.length > 0
      ? [
          closeOutagesBySubject(
            sql`select 'agent' as target_type, a.id as target_id, c.outage_kind as kind, c.subject, ${at} as ended_at ${from}`,
            withValues("c", CHANGE, ended),
          ),
        ]
      : []),
    ...(begun.length > 0
      ? [
          openOutagesBySubject(
            sql`select a.user_id, 'agent', a.id, c.outage_kind, c.subject, c.facts, ${at} ${from}`,
            withValues("c", CHANGE, begun),
          ),
        ]
      : []),
    sql`${withValues("c", { key_hash: "text", before: "json", after: "json" }, values)} update ${states} as s set alarms = c.after
      from c where s.key_hash = c.key_hash and ${isBefore(sql`c.before`)}`,
  ];
};
