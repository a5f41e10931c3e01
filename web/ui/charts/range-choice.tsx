import { useTranslation } from "react-i18next";
import { DAY } from "../../../src/shared/limits";
import { daysOf, spanOfDates } from "../../lib/day-range";
import { DateRange } from "../controls/date-range";
import { Icon } from "../controls/icon";
import { Segments } from "../controls/segments";
import { useFormat } from "../hooks/use-format";
import type { ChartRange } from "./chart-range";
import type { ChosenRange } from "./use-chart-range";

type Props<Range extends ChartRange> = {
  ranges: readonly Range[];
  chosen: ChosenRange<Range>;
  /** The first and the last second that is shown. */
  window: readonly [number, number];
};

/** The ranges of charts, two dates for any other one, and the way back from a part that was dragged over. */
export function RangeChoice<Range extends ChartRange>({ ranges, chosen, window: [from, to] }: Props<Range>) {
  const { t } = useTranslation();
  const format = useFormat();
  const { range, span, problem, onRange, onSpan, onBack } = chosen;
  const days = daysOf(span ?? { from: from * 1000, to: to * 1000 });
  const choose = (dates: typeof days) => onSpan(spanOfDates(dates));
  const isPart = span && !problem && span.to - span.from < DAY;
  return (
    <div className="range-choice">
      {span && (
        <button type="button" className="plain compact" onClick={onBack}>
          <Icon name="left" />
          {t("range.back", { range: t(`range.${range as ChartRange}`) })}
        </button>
      )}
      <Segments<Range | "custom">
        label={t("range.label")}
        choices={[
          ...ranges.map((value) => ({ value, label: t(`range.${value as ChartRange}`) })),
          { value: "custom" as const, label: t("range.custom") },
        ]}
        chosen={span ? "custom" : range}
        onChoose={(value) => (value === "custom" ? choose(days) : onRange(value))}
      />
      {span && <DateRange {...days} onChange={choose} />}
      {isPart && <span className="soft small figure">{format.shortRange(span.from, span.to)}</span>}
      {problem && (
        <p role="alert" className="error-text">
          {t(`range.${problem}`)}
        </p>
      )}
    </div>
  );
}
