import { useAtomValue } from "jotai";
import { Suspense, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { HOUR, MINUTE, SECOND } from "../../../src/shared/limits";
import { isBroken } from "../../../src/shared/notifications";
import { nowAtom } from "../../lib/now";
import { later } from "../../lib/offline/code";
import { paths } from "../../paths";
import { StatusMark } from "../../ui/feedback/badge";
import { ErrorBoundary } from "../../ui/feedback/error-boundary";
import { useFormat } from "../../ui/hooks/use-format";
import { spanSeriesAtom } from "../monitors/api";
import { groupsOf, hubUnknownAtom, targetKey } from "../problems/api";
import { DependencyButton } from "../problems/cause";
import { outageMark } from "../problems/outage-mark";
import { useReason } from "../problems/use-reason";
import { alongsideAtom, type Outage } from "./api";

const ResponseChart = later(() => import("../monitors/detail/response-chart"));

/** The chart begins this long before the outage, and ends this long after it. */
const AROUND = HOUR / 2;
/** Checks of one monitor follow each other within this time, in seconds. */
const LONGEST_INTERVAL = 3600;

/** The chart of an open outage is loaded again after this time. */
const STEP = 5 * MINUTE;

const useSpan = ({ started_at, ended_at }: Outage): { from: number; to: number } => {
  const now = useAtomValue(nowAtom);
  const end = ended_at === null ? Math.ceil(now / STEP) * STEP : Date.parse(ended_at) + AROUND;
  return { from: Date.parse(started_at) - AROUND, to: end };
};

/** The response times of the monitor around an outage. */
export function ChartAround({ outage }: { outage: Outage }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { from, to } = useSpan(outage);
  const { data } = useAtomValue(
    spanSeriesAtom(`${outage.target_id}/${new Date(from).toISOString()}/${new Date(to).toISOString()}`),
  );
  const window = useMemo((): [number, number] => [from / SECOND, to / SECOND], [from, to]);
  const outages = useMemo(() => [outage], [outage]);
  return (
    <section className="card outage-chart">
      <h2>{t("outages.around")}</h2>
      <ErrorBoundary fallback={() => <div className="chart-note">{t("monitors.chart.failed")}</div>}>
        <Suspense fallback={<div className="chart-note" />}>
          {data && data.points.length > 0 ? (
            <ResponseChart
              {...{ window, outages }}
              points={data.points}
              summary={data.summary}
              gaps={data.gaps}
              label={format.shortRange(from, to)}
              interval={LONGEST_INTERVAL}
            />
          ) : (
            <div className="chart-note">{data && t("monitors.chart.none")}</div>
          )}
        </Suspense>
      </ErrorBoundary>
    </section>
  );
}

type Targeted = Pick<Outage, "kind" | "owner" | "team" | "target_type" | "target_id" | "target_name">;

const targetOf = ({ target_type: type, target_id: id, target_name: name }: Targeted) => ({ type, id, name });

/** Whether the target of an outage may depend on the target of another one, which is of the same team. */
const mayBeParent = (outage: Targeted, other: Targeted): boolean =>
  isBroken(outage.kind) && isBroken(other.kind) && outage.owner === other.owner && outage.team?.id === other.team?.id;

/** The mark of the target of another outage, which may be over while this one is still open. */
const useMark = () => {
  const { t } = useTranslation();
  return ({ maintenance, ended_at, kind }: Outage, isOpen: boolean, isUnknown: boolean) => {
    if (ended_at !== null && isOpen) return { status: "up", label: t("common.status.up") } as const;
    const label = t(`outages.kinds.${kind}.label`);
    if (maintenance) return { status: "maintenance", label } as const;
    return { status: ended_at === null && isUnknown ? "unknown" : outageMark(kind), label } as const;
  };
};

/** Other outages that were open when this one was. Renders nothing without any. */
export function Alongside({ outage }: { outage: Outage }) {
  const { t } = useTranslation();
  const format = useFormat();
  const reason = useReason();
  const markOf = useMark();
  const isUnknown = useAtomValue(hubUnknownAtom) !== null;
  const { data } = useAtomValue(alongsideAtom(`${outage.id} ${outage.started_at}`));
  // The timeline has what explains it, and what it explains.
  const others = data?.outages.filter(
    (other) =>
      other.explained_by !== outage.id && other.id !== outage.explained_by && targetKey(other) !== targetKey(outage),
  );
  if (!data || !others || others.length === 0) return null;
  return (
    <section className="card outage-alongside">
      <h2>{t("outages.alongside")}</h2>
      <ul>
        {groupsOf(others, targetKey).map(([other, ...more]) => (
          <li key={other.id}>
            <StatusMark {...markOf(other, outage.ended_at === null, isUnknown)} />
            <span>
              <Link href={paths.outage(other.id)}>{other.target_name}</Link>
              <small className="soft">
                {reason({ ...other, figure: null, threshold: null, mount: null, last_report: null })}
              </small>
              <small className="soft">
                {[
                  other.ended_at === null
                    ? format.moment(other.started_at)
                    : `${format.moment(other.started_at)} – ${format.moment(other.ended_at)}`,
                  more.length > 0 && t("outages.more", { count: more.length, number: format.number(more.length) }),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </small>
            </span>
            {mayBeParent(outage, other) && (
              <DependencyButton parent={targetOf(other)} target={targetOf(outage)} isIcon />
            )}
          </li>
        ))}
      </ul>
      {data.isMore && (
        <Link href={paths.outages} className="small">
          {t("outages.list.all")}
        </Link>
      )}
    </section>
  );
}
