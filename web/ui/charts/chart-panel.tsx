import { type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Segments } from "../controls/segments";
import { ErrorBoundary } from "../feedback/error-boundary";

type Range = "1h" | "24h" | "7d" | "30d" | "90d" | "1y";

type Props<R extends Range, P> = {
  title: string;
  /** The texts in place of the chart. */
  failed: string;
  none: string;
  ranges: readonly R[];
  range: R;
  onRange: (range: R) => void;
  points: readonly P[] | undefined;
  error: unknown;
  chart: (points: readonly P[]) => ReactNode;
};

/** A chart with a choice of ranges. The chart's code is loaded when it is first rendered; a note stands in until there is data. */
export function ChartPanel<R extends Range, P>(props: Props<R, P>) {
  const { title, failed, none, ranges, range, onRange, points, error, chart } = props;
  const { t } = useTranslation();
  const note = (text: string) => <div className="chart-note">{text}</div>;

  return (
    <section className="card">
      <div className="chart-head">
        <h2>{title}</h2>
        <Segments
          label={t("common.range.label")}
          choices={ranges.map((value) => ({ value, label: t(`common.range.${value as Range}`) }))}
          chosen={range}
          onChoose={onRange}
        />
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
