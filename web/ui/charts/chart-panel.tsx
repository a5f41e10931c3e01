import { type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Segments } from "../controls/segments";
import { ErrorBoundary } from "../feedback/error-boundary";

type Range = "1h" | "24h" | "7d" | "30d" | "90d" | "1y";

type Props<R extends Range, P> = {
  title: string;
  /** What is said in place of the chart. */
  failed: string;
  none: string;
  ranges: readonly R[];
  range: R;
  onRange: (range: R) => void;
  points: readonly P[] | undefined;
  error: unknown;
  /** Several charts have cards of their own; a single one is in the panel's. */
  several?: boolean;
  chart: (points: readonly P[]) => ReactNode;
};

/** A chart with its ranges. It is loaded when it is first drawn, and while it is not there a word stands in its place. */
export function ChartPanel<R extends Range, P>(props: Props<R, P>) {
  const { title, failed, none, ranges, range, onRange, points, error, several = false, chart } = props;
  const { t } = useTranslation();
  const note = (text: string) => <div className={several ? "card chart-note" : "chart-note"}>{text}</div>;

  return (
    <section className={several ? undefined : "card"}>
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
