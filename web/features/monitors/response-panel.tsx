import { useAtom } from "jotai";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useRefreshOn } from "../../lib/use-refresh-on";
import { ErrorBoundary } from "../../ui/error-boundary";
import { Segments } from "../../ui/segments";
import { type Range, ranges } from "./calls";
import { seriesAtom } from "./monitors-state";

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
  const note = (text: string) => <div className="chart-note">{text}</div>;

  return (
    <section className="card">
      <div className="chart-head">
        <h2>{t("monitors.chart.title")}</h2>
        <Segments
          label={t("common.range.label")}
          choices={ranges.map((value) => ({ value, label: t(`common.range.${value}`) }))}
          chosen={range}
          onChoose={setRange}
        />
      </div>
      <ErrorBoundary fallback={() => note(t("monitors.chart.failed"))}>
        <Suspense fallback={note("")}>
          {!data && note(error ? t("monitors.chart.failed") : "")}
          {data?.points.length === 0 && note(t("monitors.chart.none"))}
          {data && data.points.length > 0 && <ResponseChart points={data.points} range={range} interval={interval} />}
        </Suspense>
      </ErrorBoundary>
    </section>
  );
}
