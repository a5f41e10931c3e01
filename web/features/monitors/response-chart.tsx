import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import uPlot from "uplot";
import { useFormat } from "../../ui/use-format";
import { type Point, type Range, rangeDays } from "./calls";
import { downStretches, timeWindow, toColumns, totals } from "./chart-data";
import { chartOptions } from "./chart-options";

const themeName = () => document.documentElement.dataset.theme;

/** Redraws when the theme does. */
const useThemeName = () => {
  const [theme, setTheme] = useState(themeName);
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(themeName()));
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => observer.disconnect();
  }, []);
  return theme;
};

export default function ResponseChart({ points, range }: { points: readonly Point[]; range: Range }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const box = useRef<HTMLDivElement>(null);
  const theme = useThemeName();
  const [place, setPlace] = useState<number | null>();
  const columns = useMemo(() => toColumns(points), [points]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme's colours are read while drawing
  useEffect(() => {
    const target = box.current;
    if (!target) return;
    const words = { locale: i18n.language, number: format.number };
    const options = chartOptions(
      {
        width: target.clientWidth,
        window: timeWindow(points, rangeDays[range], Date.now()),
        stretches: downStretches(points),
      },
      words,
      setPlace,
    );
    const plot = new uPlot(options, columns.slice(0, 4) as uPlot.AlignedData, target);
    const observer = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height: options.height }));
    observer.observe(target);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [columns, points, range, theme, i18n.language, format]);

  const all = totals(points);
  const summary = t("monitors.chart.summary", {
    range: t(`monitors.chart.ranges.${range}`),
    average: format.milliseconds(all.average),
    min: format.milliseconds(all.min),
    max: format.milliseconds(all.max),
    down: format.number(all.down),
  });

  return (
    <>
      <Legend columns={columns} place={place} total={all} />
      <div className="chart-box" ref={box} role="img" aria-label={summary} />
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
