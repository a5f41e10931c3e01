import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type uPlot from "uplot";
import { timeWindow } from "../../../lib/charts/series";
import { Plot } from "../../../ui/charts/plot";
import { useFormat } from "../../../ui/hooks/use-format";
import { type Point, type Range, rangeDays } from "../calls";
import { downStretches, toColumns, totals } from "./chart-data";
import { chartOptions } from "./chart-options";

type Props = {
  points: readonly Point[];
  range: Range;
  /** Seconds between two checks: a pause of that length is no gap. */
  interval: number;
};

export default function ResponseChart({ points, range, interval }: Props) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [place, setPlace] = useState<number | null>();
  const columns = useMemo(() => toColumns(points, interval * 1500), [points, interval]);
  const data = useMemo(() => columns.slice(0, 4) as uPlot.AlignedData, [columns]);
  const options = useCallback(
    (width: number) => {
      const window = timeWindow(points, rangeDays[range], Date.now());
      const words = { locale: i18n.language, number: (value: number) => format.number(value, 1) };
      return chartOptions({ width, window, stretches: downStretches(points) }, words, setPlace);
    },
    [points, range, i18n.language, format],
  );

  const all = totals(points);
  const summary = t("monitors.chart.summary", {
    range: t(`common.range.${range}`),
    average: format.milliseconds(all.average),
    min: format.milliseconds(all.min),
    max: format.milliseconds(all.max),
    down: format.number(all.down),
  });

  return (
    <>
      <Legend columns={columns} place={place} total={all} />
      <Plot data={data} options={options} label={summary} />
    </>
  );
}

type LegendProps = {
  columns: ReturnType<typeof toColumns>;
  place: number | null | undefined;
  total: ReturnType<typeof totals>;
};

/** The figures under the crosshair, or those of the whole range. */
function Legend({ columns: [times, average, min, max, down, up], place, total }: LegendProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const at = typeof place === "number" ? times[place] : undefined;
  const here =
    at === undefined || typeof place !== "number"
      ? total
      : {
          average: average[place] ?? null,
          min: min[place] ?? null,
          max: max[place] ?? null,
          down: down[place] ?? 0,
          up: up[place] ?? 0,
        };
  return (
    <p className="chart-legend" aria-hidden="true">
      {at !== undefined && <b>{format.dateTime(at * 1000)}</b>}
      <span className="key line">
        {t("monitors.chart.average")} <b>{format.milliseconds(here.average)}</b>
      </span>
      <span className="key band">
        {t("monitors.chart.band")}{" "}
        <b>
          {format.milliseconds(here.min)} – {format.milliseconds(here.max)}
        </b>
      </span>
      <span className="key outage">{t("monitors.chart.upDown", { up: here.up, down: here.down })}</span>
    </p>
  );
}
