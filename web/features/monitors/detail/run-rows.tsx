import { useAtom } from "jotai";
import { useId, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { SECOND } from "../../../../src/shared/limits";
import { hubNow } from "../../../lib/now";
import { mergeById, useRefreshOn } from "../../../lib/resource";
import { StatusMark } from "../../../ui/feedback/badge";
import { toast } from "../../../ui/feedback/toast";
import { useCheckError } from "../../../ui/hooks/use-check-error";
import { useFormat } from "../../../ui/hooks/use-format";
import { type Gap, useUnknownWords } from "../../../ui/hooks/use-unknown-words";
import { OpeningCell } from "../../../ui/layout/opening-cell";
import { type Check, listChecks, type Run, runChecksAtom } from "../api";

export type Maintenance = { from: string; to: string; title: string };

type Props = {
  id: number;
  run: Run;
  /** Whether all of it was in maintenance: its failures were expected. */
  isPlanned: boolean;
};

/** A run in one row, and below it its checks once it is opened. */
export function RunRows({ id, run, isPlanned }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const checkError = useCheckError();
  const [open, setOpen] = useState(false);
  const rows = useId();
  const { status, checks, response_time, status_code } = run;
  const isSingle = checks === 1;
  const lasted = useLasted(run);
  const toggle = () => setOpen(!open);
  const shown = isPlanned && status === "down" ? "maintenance" : status;
  const isBroken = shown === "down" && run.ended_at === null;
  const classes = [shown, ...(isBroken ? ["current"] : []), ...(isSingle ? [] : ["opens"])];
  const words = status === "up" ? "monitors.history.up" : "monitors.history.failed";
  return (
    <tbody className={open ? "open" : undefined} id={rows}>
      <tr className={classes.join(" ")} onClick={isSingle ? undefined : toggle}>
        <OpeningCell opens={!isSingle} open={open} rows={rows} title={t("monitors.history.show")} onToggle={toggle}>
          {isSingle ? <time dateTime={run.started_at}>{format.dateTime(run.started_at)}</time> : <RunTime run={run} />}
        </OpeningCell>
        <td className="number run-length">{isSingle ? "" : lasted}</td>
        <td className="state">
          <StatusMark status={shown} label={t(`common.status.${shown}`)} />
          <span>{t(words, { count: checks, number: format.number(checks) })}</span>
        </td>
        <td className="number time" title={isSingle ? undefined : t("monitors.history.averageOf")}>
          {format.milliseconds(response_time)}
        </td>
        <td className="number code">{status_code ?? "–"}</td>
        <Why error={checkError(run)} />
      </tr>
      {open && !isSingle && <RunChecks id={id} run={run} />}
    </tbody>
  );
}

/** Why checks failed. */
const Why = ({ error }: { error: string }) => (
  <td className="why">
    <span className={error ? undefined : "none"}>{error}</span>
  </td>
);

type TimeProps = { from: string; to: string | null; status: "unknown" | "maintenance"; why: string };

/** A time that is no run, in a row between the runs before and after its beginning. */
function TimeRow({ from, to, status, why }: TimeProps) {
  const { t } = useTranslation();
  const lasted = useLasted({ started_at: from, last_at: from, ended_at: to });
  return (
    <tbody>
      <tr className={status}>
        <td className="when">
          <span className="run-time">
            <RunTime run={{ started_at: from, last_at: from, ended_at: to }} />
          </span>
        </td>
        <td className="number run-length">{lasted}</td>
        <td className="state">
          <StatusMark status={status} label="" />
          <span>{t(`common.status.${status}`)}</span>
        </td>
        <td className="number time" />
        <td className="number code" />
        <Why error={why} />
      </tr>
    </tbody>
  );
}

/** A gap of the hub. */
export function GapRow({ gap }: { gap: Gap }) {
  return <TimeRow from={gap.from} to={gap.to} status="unknown" why={useUnknownWords().reason(gap)} />;
}

/** Maintenance of the monitor, with the title of its window; the present one lasts until now. */
export function MaintenanceRow({ maintenance: { from, to, title } }: { maintenance: Maintenance }) {
  const isOver = Date.parse(to) <= hubNow();
  return <TimeRow from={from} to={isOver ? to : null} status="maintenance" why={title} />;
}

/** How long a run lasted, in words. */
const useLasted = ({ started_at, last_at, ended_at }: Pick<Run, "started_at" | "last_at" | "ended_at">): string => {
  const format = useFormat();
  const end = ended_at === null ? Math.max(hubNow(), Date.parse(last_at)) : Date.parse(ended_at);
  return format.elapsed(Math.max(0, Math.floor((end - Date.parse(started_at)) / SECOND)));
};

/** When a run began and ended. */
function RunTime({
  run: { started_at, last_at, ended_at },
}: {
  run: Pick<Run, "started_at" | "last_at" | "ended_at">;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = hubNow();
  const end = ended_at ?? last_at;
  const sameDay = new Date(started_at).toDateString() === new Date(end).toDateString();
  const to = ended_at === null ? t("monitors.history.now") : sameDay ? format.clock(end) : format.moment(end, now);
  return <span>{t("monitors.history.span", { from: format.moment(started_at, now), to })}</span>;
}

type Older = { checks: Check[]; next: number | null };

/** The checks of a run, newest first; the current run refreshes. */
function RunChecks({ id, run }: { id: number; run: Run }) {
  const { t } = useTranslation();
  const end = run.ended_at === null ? "now" : Date.parse(run.last_at) + 1;
  const [{ data, error }, refresh] = useAtom(runChecksAtom(`${id}/${end}`));
  useRefreshOn(run.last_at, refresh);
  const [older, setOlder] = useState<Older>();
  const [busy, start] = useTransition();
  if (!data)
    return (
      <tr className="note">
        <td colSpan={6}>{t(error ? "monitors.history.loadFailed" : "monitors.history.loadingMore")}</td>
      </tr>
    );

  const loaded = mergeById(data.checks, older?.checks ?? []);
  const next = older ? older.next : data.next;
  const ofRun = loaded.filter((check) => check.id >= run.id);
  const more = (before: number) =>
    start(async () => {
      try {
        const page = await listChecks(id, { before });
        setOlder({ checks: mergeById(loaded, page.checks), next: page.next });
      } catch {
        toast(t("monitors.history.loadFailed"), { tone: "bad" });
      }
    });
  return (
    <>
      {ofRun.map((check) => (
        <CheckRow key={check.id} check={check} />
      ))}
      {next !== null && ofRun.length === loaded.length && (
        <tr className="note">
          <td colSpan={6}>
            <button type="button" className="plain compact" disabled={busy} onClick={() => more(next)}>
              {t(busy ? "monitors.history.loadingMore" : "monitors.history.more")}
            </button>
          </td>
        </tr>
      )}
    </>
  );
}

function CheckRow({ check }: { check: Check }) {
  const { t } = useTranslation();
  const format = useFormat();
  const checkError = useCheckError();
  const state = check.slow ? "degraded" : check.status;
  return (
    <tr className="check">
      <td className="when">
        <time dateTime={check.checked_at}>{format.dateTime(check.checked_at)}</time>
      </td>
      <td className="run-length" />
      <td className="state">
        <StatusMark status={state} label="" />
        <span>{t(`common.status.${state}`)}</span>
      </td>
      <td className="number time">{format.milliseconds(check.response_time)}</td>
      <td className="number code">{check.status_code ?? "–"}</td>
      <Why error={checkError(check)} />
    </tr>
  );
}
