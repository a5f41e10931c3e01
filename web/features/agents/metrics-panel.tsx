import { useAtom } from "jotai";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useRefreshOn } from "../../lib/use-refresh-on";
import { ErrorBoundary } from "../../ui/error-boundary";
import { Segments } from "../../ui/segments";
import { metricsAtom, rangeAtom } from "./agents-state";
import { ranges } from "./calls";

const MetricCharts = lazy(() => import("./metric-charts"));

type Props = { id: number; interval: number | null; updatedAt: string | null };

export function MetricsPanel({ id, interval, updatedAt }: Props) {
  const { t } = useTranslation();
  const [range, setRange] = useAtom(rangeAtom);
  const [{ data, error }, refresh] = useAtom(metricsAtom(`${id}/${range}`));
  useRefreshOn(updatedAt, refresh);
  const note = (text: string) => <div className="card chart-note">{text}</div>;

  return (
    <section>
      <div className="chart-head">
        <h2>{t("agents.chart.title")}</h2>
        <Segments
          label={t("common.range.label")}
          choices={ranges.map((value) => ({ value, label: t(`common.range.${value}`) }))}
          chosen={range}
          onChoose={setRange}
        />
      </div>
      <ErrorBoundary fallback={() => note(t("agents.chart.failed"))}>
        <Suspense fallback={note("")}>
          {!data && note(error ? t("agents.chart.failed") : "")}
          {data?.points.length === 0 && note(t("agents.chart.none"))}
          {data && data.points.length > 0 && <MetricCharts points={data.points} range={range} interval={interval} />}
        </Suspense>
      </ErrorBoundary>
    </section>
  );
}
