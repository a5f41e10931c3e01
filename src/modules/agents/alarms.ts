import { eq, type SQL, sql } from "drizzle-orm";
import { agents, agentStates as states } from "../../db/schema";
import { isOneOf, withValues } from "../../db/values";
import type { Deps } from "../../deps";
import type { DiskUsage, Sample } from "../../shared/report";
import { writeEvents } from "../notifications/events";
import { afterReport, type Crossing } from "../notifications/levels";
import { readThresholds } from "../notifications/thresholds";

/** What a report changes of its agent's alerts. */
export type Alarm = {
  keyHash: string;
  levelsBefore: number;
  levels: number;
  crossings: Crossing[];
  back: boolean;
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

const shareOf = ({ total, used }: { total: number; used: number }) =>
  total > 0 ? Math.min(100, (used / total) * 100) : null;

/** The mount that is nearest to full, or all of them together where they were not told apart. */
const fullest = ({ disk, disks = [] }: Sample): { mount: string | null; share: number | null } => {
  const worse = (one: DiskUsage, other: DiskUsage) => ((shareOf(other) ?? 0) > (shareOf(one) ?? 0) ? other : one);
  const worst = disks.length > 0 ? disks.reduce(worse) : null;
  return worst ? { mount: worst.mount, share: shareOf(worst) } : { mount: null, share: shareOf(disk) };
};

/** Judges the newest sample of each report against what its agent's owner wants to know. Unknown keys are left out. */
export const readAlarms = async (
  deps: Pick<Deps, "db">,
  reports: { keyHash: string; newest: Sample }[],
): Promise<Map<string, Alarm>> => {
  const rows = await deps.db
    .select({
      keyHash: states.keyHash,
      agentId: agents.id,
      userId: agents.userId,
      levels: states.levels,
      status: states.status,
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
  const samples = new Map(reports.map(({ keyHash, newest }) => [keyHash, newest]));
  return new Map(
    rows.map(({ keyHash, levels: levelsBefore, status }, index) => {
      const sample = samples.get(keyHash) as Sample;
      const { mount, share } = fullest(sample);
      const figures = { cpu: sample.cpu, memory: shareOf(sample.memory), disk: share };
      const { levels, crossings } = afterReport(levelsBefore, figures, thresholds[index]!);
      return [keyHash, { keyHash, levelsBefore, levels, crossings, back: status === "inactive", mount }];
    }),
  );
};

/** The statements that write down what these alarms tell: nothing, nearly always. */
export const writeAlarms = (alarms: Alarm[], now: number): SQL[] => {
  const rows = alarms.flatMap(({ keyHash, levelsBefore, crossings, mount }) =>
    crossings.map(({ metric, high, figure, threshold }) => {
      const kind = `${metric}_${high ? "high" : "normal"}`;
      return [keyHash, levelsBefore, kind, now, figure, threshold, metric === "disk" ? mount : null];
    }),
  );
  const back = alarms.filter((alarm) => alarm.back).map(({ keyHash }) => [keyHash, 0, "online", now, null, null, null]);
  // A crossing counts only for the levels that it was judged by; a return only for one that is still silent.
  const told = (condition: SQL, values: unknown[][]) =>
    writeEvents(
      sql`select a.user_id, e.kind, 'agent', a.id, a.name, e.at, case when e.kind = 'online' then s.reported_at else null end,
          cast(null as text), e.figure, e.threshold, e.mount
        from e join ${states} as s on s.key_hash = e.key_hash join ${agents} as a on a.id = s.agent_id where ${condition}`,
      withValues("e", EVENT, values),
    );
  return [
    ...(rows.length > 0 ? [told(sql`s.levels = e.levels_before`, rows)] : []),
    ...(back.length > 0 ? [told(sql`s.status = 'inactive'`, back)] : []),
  ];
};
