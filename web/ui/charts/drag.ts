import type uPlot from "uplot";

/** Called with the first and the last second of a part of a chart that was dragged over. */
export type OnSelect = (from: number, to: number) => void;

/** A drag over fewer pixels is a click. */
const SHORTEST_DRAG = 8;
/** The shortest part of a chart that can be selected, in seconds. */
const SHORTEST_SPAN = 600;

/** Selects the part of a chart that was dragged over, and some time around a short one. */
export const selectSpan = (plot: uPlot, onSelect: OnSelect | undefined): void => {
  const { left, width } = plot.select;
  if (!onSelect || width < SHORTEST_DRAG) return;
  const [from, to] = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
  const rest = Math.max(0, (SHORTEST_SPAN - (to - from)) / 2);
  onSelect(Math.floor(from - rest), Math.ceil(to + rest));
};
