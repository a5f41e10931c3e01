import { type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { DateRange } from "../controls/date-range";
import { Segments } from "../controls/segments";
import { ErrorBoundary } from "../feedback/error-boundary";

type Range = "1h" | "24h" | "7d" | "30d" | "90d" | "1y";

type Props<R extends Range, P> = {
  title: string;
  /** The texts in place of the chart. */
  failed: string;
  none: string;
  ranges: readonly R[];
  /** The chosen range; undefined while two dates, or a part of the chart, are chosen. */
  range: R | undefined;
  onRange: (range: R) => void;
  /** The dates of any other range, where the chart may have one. */
  dates?: { from: string; to: string; onChange: (dates: { from: string; to: string }) => void };
  points: readonly P[] | undefined;
  error: unknown;
  chart: (points: readonly P[]) => ReactNode;
};

/** A chart with a choice of ranges. The chart's code is loaded when it is first rendered; a note stands in until there is data. */
export function ChartPanel<R extends Range, P>(props: Props<R, P>) {
  const { title, failed, none, ranges, range, onRange, dates, points, error, chart } = props;
  const { t } = useTranslation();
  const note = (text: string) => <div className="chart-note">{text}</div>;

  return (
    <section className="card">
      <div className="chart-head">
        <h2>{title}</h2>
        <Segments<R | "custom">
          label={t("common.range.label")}
          choices={[
            ...ranges.map((value) => ({ value, label: t(`common.range.${value as Range}`) })),
            ...(dates ? [{ value: "custom" as const, label: t("common.range.custom") }] : []),
          ]}
          chosen={range ?? "custom"}
          onChoose={(value) => (value === "custom" ? dates?.onChange(dates) : onRange(value))}
        />
        {dates && range === undefined && <DateRange {...dates} />}
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
