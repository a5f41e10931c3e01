import { useAtom } from "jotai";
import { type ReactNode, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { mergeById, useRefreshOn } from "../../../lib/resource";
import { Segments } from "../../../ui/controls/segments";
import { Empty } from "../../../ui/feedback/empty";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { toast } from "../../../ui/feedback/toast";
import type { Gap } from "../../../ui/hooks/use-unknown-words";
import { listRuns, newestRunsAtom, type Run } from "../api";
import { GapRow, type Maintenance, MaintenanceRow, RunRows } from "./run-rows";

const filters = ["all", "down"] as const;
type Filter = (typeof filters)[number];

/** The rows for the reports of a job, and the runs that these rows already show. */
type Reports = {
  rows: readonly { at: number; isDown: boolean; row: ReactNode }[];
  has: (run: Run) => boolean;
};

type Props = { id: number; lastChecked: string | null; reports?: Reports };

export function HistoryTab(props: Props) {
  const { t } = useTranslation();
  const [filter, setFilter] = useState<Filter>("all");
  return (
    <div className="stack">
      <div>
        <Segments
          label={t("monitors.history.filter")}
          choices={filters.map((value) => ({ value, label: t(`monitors.history.${value}`) }))}
          chosen={filter}
          onChoose={setFilter}
        />
      </div>
      <Runs key={filter} {...props} filter={filter} />
    </div>
  );
}

/** The average response time of two parts of a run. */
const averageOf = (parts: readonly Run[]): number | null => {
  const answered = parts.filter(({ response_time }) => response_time !== null);
  const checks = answered.reduce((sum, part) => sum + part.checks, 0);
  return checks === 0
    ? null
    : answered.reduce((sum, part) => sum + (part.response_time ?? 0) * part.checks, 0) / checks;
};

/** Runs of two pages. The last one of the first page may continue on the second. */
export const joinRuns = (newer: readonly Run[], older: readonly Run[]): Run[] => {
  const [last, [first, ...rest]] = [newer.at(-1), older];
  if (!last?.continues || !first || first.status !== last.status) return mergeById(newer, older);
  const { last_at, ended_at, status_code, error_code, error_detail } = last;
  const checks = last.checks + first.checks;
  const response_time = averageOf([last, first]);
  const joined = { ...first, last_at, ended_at, status_code, error_code, error_detail, checks, response_time };
  return [...newer.slice(0, -1), joined, ...rest];
};

type Older = { runs: Run[]; gaps: Gap[]; maintenance: Maintenance[]; next: number | null };

/** The newest page is refreshed; older pages are loaded once and stay below it. */
function Runs({ id, lastChecked, reports, filter }: Props & { filter: Filter }) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(newestRunsAtom(`${id}/${filter}`));
  useRefreshOn(lastChecked, refresh);
  const [older, setOlder] = useState<Older>();
  const [busy, start] = useTransition();

  if (!data)
    return error ? (
      <Failure title={t("monitors.history.loadFailed")} error={error} onRetry={() => void refresh()} />
    ) : (
      <Skeleton heights={["24rem"]} />
    );

  const runs = older ? mergeById(data.runs, older.runs) : data.runs;
  const gaps = older ? older.gaps : data.gaps;
  const maintenance = older ? older.maintenance : data.maintenance;
  const next = older ? older.next : data.next;
  const reported = (reports?.rows ?? []).filter(({ isDown }) => isDown || filter === "all");
  if (runs.length + gaps.length + reported.length === 0 && next === null)
    return <NoRuns filter={filter} isJob={reports !== undefined} />;

  const more = (before: number) =>
    start(async () => {
      try {
        const page = await listRuns(id, { before, ...(filter === "down" && { status: filter }) });
        setOlder({
          ...{ runs: joinRuns(runs, page.runs), gaps: [...gaps, ...page.gaps] },
          ...{ maintenance: [...maintenance, ...page.maintenance], next: page.next },
        });
      } catch {
        toast(t("monitors.history.loadFailed"), { tone: "bad" });
      }
    });

  return (
    <>
      <RunTable
        id={id}
        runs={reports ? runs.filter((run) => !reports.has(run)) : runs}
        gaps={[...data.gaps, ...gaps]}
        maintenance={[...data.maintenance, ...maintenance]}
        withTimes={filter === "all"}
        reported={reports && reported}
      />
      {next !== null && (
        <div className="actions centre">
          <button type="button" className="plain" disabled={busy} onClick={() => more(next)}>
            {t(busy ? "monitors.history.loadingMore" : "monitors.history.moreRuns")}
          </button>
        </div>
      )}
    </>
  );
}

function NoRuns({ filter, isJob }: { filter: Filter; isJob: boolean }) {
  const { t } = useTranslation();
  if (isJob && filter === "all")
    return <Empty icon="pending" title={t("kinds.heartbeat.noPings")} text={t("kinds.heartbeat.noPingsText")} />;
  return (
    <Empty icon="pending" title={t(filter === "down" ? "monitors.history.emptyDown" : "monitors.history.empty")} />
  );
}

type TableProps = {
  id: number;
  runs: readonly Run[];
  gaps: readonly Gap[];
  maintenance: readonly Maintenance[];
  /** Whether maintenance has rows of its own. */
  withTimes: boolean;
  reported: Reports["rows"] | undefined;
};

/** Times without repetitions: of one on two pages, or on a page that was refreshed, the first is the latest. */
const distinct = <T extends { from: string }>(times: readonly T[]): T[] => [
  ...new Map(times.toReversed().map((one) => [one.from, one])).values(),
];

const isWithin = (run: Run, { from, to }: Maintenance): boolean =>
  Date.parse(from) <= run.id && Date.parse(run.last_at) < Date.parse(to);

function RunTable({ id, runs, gaps, maintenance, withTimes, reported }: TableProps) {
  const { t } = useTranslation();
  const maintained = distinct(maintenance);
  const rows = [
    ...(reported ?? []),
    ...runs.map((run) => {
      const isPlanned = maintained.some((one) => isWithin(run, one));
      return { at: run.id, row: <RunRows key={run.id} id={id} run={run} isPlanned={isPlanned} /> };
    }),
    ...distinct(gaps).map((gap) => ({ at: Date.parse(gap.from), row: <GapRow key={`gap ${gap.from}`} gap={gap} /> })),
    ...(withTimes ? maintained : []).map((one) => ({
      at: Date.parse(one.from),
      row: <MaintenanceRow key={`maintenance ${one.from}`} maintenance={one} />,
    })),
  ].toSorted((a, b) => b.at - a.at);
  const [time = "", ...heads] = reported
    ? (["time", "kind", "duration", "exit", "from"] as const).map((name) => t(`kinds.heartbeat.column.${name}`))
    : (["time", "status", "response", "code", "error"] as const).map((name) => t(`monitors.history.${name}`));
  const columns = [
    [time, ""],
    [t("monitors.history.lasted"), "number run-length"],
    ...heads.map((label, place) => [label, place === 1 || place === 2 ? "number" : ""] as const),
  ] as const;
  return (
    <section className="card runs" aria-label={t("monitors.detail.tab.history")}>
      <table>
        <thead>
          <tr>
            {columns.map(([label, className]) => (
              <th key={label} scope="col" className={className}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        {rows.map(({ row }) => row)}
      </table>
    </section>
  );
}
