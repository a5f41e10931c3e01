import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type uPlot from "uplot";
import { fade, token } from "../../lib/chart-theme";
import { useFormat } from "../hooks/use-format";
import { type Gap, useUnknownWords } from "../hooks/use-unknown-words";

/** A gap of the hub in a chart. Times are in seconds. */
type ChartGap = { from: number; to: number; gap: Gap };

/** The gaps that reach into the window of a chart, oldest first. */
export const gapsWithin = (gaps: readonly Gap[], [start, end]: readonly [number, number]): ChartGap[] =>
  gaps.flatMap((gap) => {
    const from = Math.max(start, Date.parse(gap.from) / 1000);
    const to = Math.min(end, gap.to === null ? end : Date.parse(gap.to) / 1000);
    return from < to ? [{ from, to, gap }] : [];
  });

export const lengthOfGaps = (gaps: readonly ChartGap[]): number =>
  gaps.reduce((sum, { from, to }) => sum + to - from, 0);

/** The gap at a time, or at most `near` seconds from it. */
export const gapAt = (gaps: readonly ChartGap[], time: number | undefined, near: number): Gap | null => {
  if (time === undefined) return null;
  return gaps.find(({ from, to }) => from - near <= time && time <= to + near)?.gap ?? null;
};

/** The distance between lines of the hatching, and between a pointer and the gap that it means, in CSS pixels. */
const [HATCH, NEAR] = [6, 4];

/** Hatches the gaps in grey, so that they differ from other periods by more than the colour. */
const drawGaps =
  (gaps: readonly ChartGap[]) =>
  ({ ctx, bbox, valToPos }: uPlot): void => {
    const colour = token("--unknown");
    for (const { from, to } of gaps) {
      const left = valToPos(from, "x", true);
      const width = Math.max(2 * devicePixelRatio, valToPos(to, "x", true) - left);
      ctx.save();
      ctx.beginPath();
      ctx.rect(left, bbox.top, width, bbox.height);
      ctx.clip();
      ctx.fillStyle = fade(colour, 22);
      ctx.fillRect(left, bbox.top, width, bbox.height);
      ctx.strokeStyle = fade(colour, 60);
      ctx.lineWidth = devicePixelRatio;
      ctx.beginPath();
      for (let x = left - bbox.height; x < left + width; x += HATCH * devicePixelRatio) {
        ctx.moveTo(x, bbox.top + bbox.height);
        ctx.lineTo(x + bbox.height, bbox.top);
      }
      ctx.stroke();
      ctx.restore();
    }
  };

/** The least part of a chart whose length the legend has. */
const VISIBLE = 0.005;

/** Gaps that the text of a chart has one by one. */
const NAMED = 3;

/** The gaps of the hub in a chart: how they are drawn, the one at the crosshair, and what the legend and screen readers say. */
export const useChartGaps = (all: readonly Gap[], [start, end]: readonly [number, number]) => {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useUnknownWords();
  const [here, setHere] = useState<Gap | null>(null);
  const gaps = useMemo(() => gapsWithin(all, [start, end]), [all, start, end]);
  const draw = useMemo(() => drawGaps(gaps), [gaps]);
  const onCursor = useCallback(
    ({ cursor: { left = -1 }, posToVal }: uPlot): void => {
      const near = posToVal(NEAR, "x") - posToVal(0, "x");
      setHere(gapAt(gaps, left < 0 ? undefined : posToVal(left, "x"), near));
    },
    [gaps],
  );
  const length = lengthOfGaps(gaps);
  const total = gaps.length > 0 ? t("common.unknownFor", { time: format.elapsed(length) }) : undefined;
  const named = gaps.slice(-NAMED).map(({ gap }) => words.gap(gap));
  const more = gaps.length - named.length;
  return {
    draw,
    onCursor,
    /** The gap at the crosshair. */
    here: here ? words.gap(here) : undefined,
    /** "unknown for 3 min"; undefined where it is too little of the chart to be seen. */
    total: length >= (end - start) * VISIBLE ? total : undefined,
    /** All of it as sentences for screen readers. */
    sentences: [...(total ? [total] : []), ...named, ...(more > 0 ? [t("unknown.more", { count: more })] : [])],
  };
};
