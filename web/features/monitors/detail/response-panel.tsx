import { useAtom } from "jotai";
import { lazy, useState } from "react";
import { useTranslation } from "react-i18next";
import { useRefreshOn } from "../../../lib/hooks/use-refresh-on";
import { ChartPanel } from "../../../ui/charts/chart-panel";
import { type Range, ranges } from "../calls";
import { seriesAtom } from "../monitors-state";

const ResponseChart = lazy(() => import("./response-chart"));

type Props = {
  id: number;
  /** Seconds. */
  interval: number;
  lastChecked: string | null;
};

export function ResponsePanel({ id, interval, lastChecked }: Props) {
  const { t } = useTranslation();
  const [range, setRange] = useState<Range>("24h");
  const [{ data, error }, refresh] = useAtom(seriesAtom(`${id}/${range}`));
  useRefreshOn(lastChecked, refresh);

  return (
    <ChartPanel
      title={t("monitors.chart.title")}
      failed={t("monitors.chart.failed")}
      none={t("monitors.chart.none")}
      ranges={ranges}
      range={range}
      onRange={setRange}
      points={data?.points}
      error={error}
      chart={(points) => <ResponseChart points={points} range={range} interval={interval} />}
    />
  );
}
