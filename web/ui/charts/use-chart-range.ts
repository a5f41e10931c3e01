import { useCallback, useMemo } from "react";
import { useSearchParams } from "wouter";
import { type ChartRange, type Covered, problemOf, type Span, spanIn, withSpan } from "./chart-range";

/** The span of the charts of a page, and how the viewer changes it. */
export type ChosenRange<Range extends ChartRange> = {
  /** The range, or the span that is chosen instead and can be loaded. */
  covered: Covered<Range>;
  /** The range that is covered without a span. */
  range: Range;
  span: Span | undefined;
  /** Why the span cannot be loaded. */
  problem: ReturnType<typeof problemOf>;
  onRange: (range: Range) => void;
  onSpan: (span: Span) => void;
  /** Selects the time between two seconds, which were dragged over. */
  onSelect: (from: number, to: number) => void;
  /** Returns from the span to the range. */
  onBack: () => void;
};

/** Keeps a span of the charts in the address, so that it can be shared and left by the browser's back button. */
export const useChartRange = <Range extends ChartRange>(
  range: Range,
  setRange: (range: Range) => void,
): ChosenRange<Range> => {
  const [search, setSearch] = useSearchParams();
  const { from, to } = spanIn(search) ?? {};
  const span = useMemo(() => (from === undefined || to === undefined ? undefined : { from, to }), [from, to]);
  const problem = span && problemOf(span);
  const onSpan = useCallback((chosen: Span) => setSearch((before) => withSpan(before, chosen)), [setSearch]);
  const onSelect = useCallback((from: number, to: number) => onSpan({ from: from * 1000, to: to * 1000 }), [onSpan]);
  const onBack = () => setSearch((before) => withSpan(before, undefined));
  return {
    ...{ range, span, problem, onSpan, onSelect, onBack },
    covered: span && !problem ? span : range,
    onRange: (chosen) => {
      setRange(chosen);
      if (span) onBack();
    },
  };
};
