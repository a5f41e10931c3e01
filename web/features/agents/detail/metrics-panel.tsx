import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { later } from "../../../lib/offline/code";
import { useRefreshOn } from "../../../lib/resource";
import { choiceAtom } from "../../../lib/storage";
import { ChartPanel } from "../../../ui/charts/chart-panel";
import { metricsAtom, ranges } from "../api";

const rangeAtom = choiceAtom("agents.range", ranges, "1h");

const MetricCharts = later(() => import("./metric-charts"));

type Props = { id: number; interval: number | null; updatedAt: string | null };

export function MetricsPanel({ id, interval, updatedAt }: Props) {
  const { t } = useTranslation();
  const [range, setRange] = useAtom(rangeAtom);
  const [{ data, error }, refresh] = useAtom(metricsAtom(`${id}/${range}`));
  useRefreshOn(updatedAt, refresh);

  return (
    <ChartPanel
      title={t("agents.chart.title")}
      failed={t("agents.chart.failed")}
      none={t("agents.chart.none")}
      ranges={ranges}
      range={range}
      onRange={setRange}
      points={data?.points}
      error={error}
      several
      chart={(points) => <MetricCharts points={points} range={range} interval={interval} />}
    />
  );
}
