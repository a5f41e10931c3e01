import { type ReactNode, Suspense } from "react";
import { ErrorBoundary } from "../feedback/error-boundary";
import type { ChartRange } from "./chart-range";
import { RangeChoice } from "./range-choice";
import type { ChosenRange } from "./use-chart-range";

type Props<Range extends ChartRange, Point> = {
  title: string;
  /** The texts in place of the chart. */
  failed: string;
  none: string;
  ranges: readonly Range[];
  chosen: ChosenRange<Range>;
  /** The first and the last second of the chart. */
  window: readonly [number, number];
  points: readonly Point[] | undefined;
  error: unknown;
  chart: (points: readonly Point[]) => ReactNode;
};

/** A chart with a choice of ranges. The chart's code is loaded when it is first rendered; a note stands in until there is data. */
export function ChartPanel<Range extends ChartRange, Point>(props: Props<Range, Point>) {
  const { title, failed, none, ranges, chosen, window, points, error, chart } = props;
  const note = (text: string) => <div className="chart-note">{text}</div>;

  return (
    <section className="card">
      <div className="chart-head">
        <h2>{title}</h2>
        <RangeChoice ranges={ranges} chosen={chosen} window={window} />
      </div>
      <ErrorBoundary fallback={() => note(failed)}>
        <Suspense fallback={note("")}>
          {!points && note(error ? failed : "")}
          {points?.length === 0 && note(none)}
          {points && points.length > 0 && chart(points)}
        </Suspense>
      </ErrorBoundary>
    </section>
  );
}
