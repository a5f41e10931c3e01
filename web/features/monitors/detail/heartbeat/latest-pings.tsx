import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { SECOND } from "../../../../../src/shared/limits";
import { useRefreshOn } from "../../../../lib/resource";
import { paths } from "../../../../paths";
import { tipPlace, useSlotPointer } from "../../../../ui/charts/use-slot-pointer";
import { StatusMark } from "../../../../ui/feedback/badge";
import { useFormat } from "../../../../ui/hooks/use-format";
import { useMonitorWords } from "../../../../ui/hooks/use-monitor-words";
import type { MonitorDetail } from "../../api";
import { type Interval, intervalsOf, MARKS, median, type Ping, pingsAtom } from "./pings";

/** The bars of intervals, and the reports that are listed. */
const [BARS, LISTED] = [40, 6];

/** The latest reports of a job: the time between them, and the result of each. */
export default function LatestPings({ monitor }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  const { id, heartbeat } = monitor;
  const [{ data }, refresh] = useAtom(pingsAtom(String(id)));
  useRefreshOn(heartbeat?.last_ping, refresh);
  const pings = data?.pings ?? [];
  if (pings.length === 0) return null;
  const intervals = intervalsOf(pings);
  const lengths = new Map(intervals.map(({ at, length }) => [at, length]));
  return (
    <section className="card latest-pings">
      <div className="section-head">
        <h2>{t("kinds.heartbeat.latest")}</h2>
        <Link href={`${paths.monitor(id)}?tab=history`} className="small">
          {t("kinds.heartbeat.all")}
        </Link>
      </div>
      {intervals.length > 1 && <IntervalBars monitor={monitor} intervals={intervals.slice(-BARS)} />}
      <ol>
        {pings
          // The report of a run says how long it took.
          .filter(({ kind }, place) => kind !== "start" || place === 0)
          .slice(0, LISTED)
          .map((ping) => (
            <PingLine key={ping.id} ping={ping} length={lengths.get(ping.at)} />
          ))}
      </ol>
    </section>
  );
}

function PingLine({ ping: { at, kind, duration, exit_status }, length }: { ping: Ping; length: number | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const details = [
    length !== undefined && t("kinds.heartbeat.afterLast", { time: format.elapsed(length / SECOND) }),
    duration !== null && t("kinds.heartbeat.took", { time: format.elapsed(duration / SECOND) }),
    exit_status !== null && t("kinds.heartbeat.exit", { status: exit_status }),
  ].filter(Boolean);
  return (
    <li>
      <time dateTime={at} title={format.dateTime(at)}>
        {format.moment(at)}
      </time>
      <StatusMark status={MARKS[kind]} label="" />
      <span>{t(`kinds.heartbeat.ping.${kind}`)}</span>
      <span className="soft small">{details.join(" · ")}</span>
    </li>
  );
}

const HEIGHT = 100;

type BarsProps = { monitor: MonitorDetail; intervals: readonly Interval[] };

/** The time between reports, oldest left, with a line at the expected one. */
function IntervalBars({ monitor, intervals }: BarsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const expected = useMonitorWords().target(monitor);
  const { chosen, pointer, onKeyDown } = useSlotPointer(intervals.length);
  const { every, grace } = monitor.config as { every?: number; grace: number };
  const limit = every === undefined ? undefined : (every + grace) * SECOND;
  const lengths = intervals.map(({ length }) => length);
  const most = Math.max(...lengths, limit ?? 0) || 1;
  const interval = chosen === undefined ? undefined : intervals[chosen];
  const text = (length: number) => format.elapsed(length / SECOND);
  const typical = text(median(lengths));
  const longest = text(Math.max(...lengths));
  const count = intervals.length;
  return (
    <div className="pulse-bar interval-bars">
      <p className="soft small">{t("kinds.heartbeat.between", { expected, typical, longest })}</p>
      <div
        className="pulse-slots"
        role="img"
        aria-label={t("kinds.heartbeat.betweenSummary", { count, typical, longest })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move from report to report
        tabIndex={0}
        onKeyDown={onKeyDown}
        {...pointer}
      >
        <svg viewBox={`0 0 ${count} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {intervals.map(({ at, length }, place) => {
            const height = Math.max(4, (length / most) * HEIGHT);
            const isLate = limit !== undefined && length > limit;
            return (
              <rect
                key={at}
                className={[isLate ? "late" : "in-time", ...(place === chosen ? ["pointed"] : [])].join(" ")}
                {...{ x: place + 0.15, y: HEIGHT - height, width: 0.7, height }}
              />
            );
          })}
          {limit !== undefined && (
            <line x1="0" x2={count} y1={HEIGHT - (limit / most) * HEIGHT} y2={HEIGHT - (limit / most) * HEIGHT} />
          )}
        </svg>
      </div>
      {interval && chosen !== undefined && (
        <span className="tip" role="status" style={{ left: tipPlace(chosen, count, "8rem") }}>
          {[format.dateTime(interval.at), t("kinds.heartbeat.afterLast", { time: text(interval.length) })].join(" · ")}
        </span>
      )}
      <div className="pulse-ends" aria-hidden="true">
        <span>{format.moment(intervals[0]?.at ?? "")}</span>
        <span>{format.moment(intervals.at(-1)?.at ?? "")}</span>
      </div>
    </div>
  );
}
