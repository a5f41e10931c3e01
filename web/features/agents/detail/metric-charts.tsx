import { useMemo } from "react";
import { withGaps } from "../../../lib/charts/series";
import type { Point, Range } from "../calls";
import { MetricChart } from "./metric-chart";
import { charts } from "./metrics";

type Props = { points: readonly Point[]; range: Range; interval: number | null };

/** The four charts, under one crosshair. */
export default function MetricCharts({ points, range, interval }: Props) {
  // Reports are seldom on time to the second: only when two are missing in a row has something been silent.
  const rows = useMemo(() => withGaps(points, (interval ?? 0) * 2500), [points, interval]);
  return (
    <div className="charts">
      {charts.map((chart) => (
        <MetricChart key={chart} chart={chart} rows={rows} range={range} />
      ))}
    </div>
  );
}
