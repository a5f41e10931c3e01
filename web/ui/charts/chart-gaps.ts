import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type uPlot from "uplot";
import { fade, token } from "../../lib/chart-theme";
import { hubNow } from "../../lib/now";
import { useFormat } from "../hooks/use-format";
import { type Gap, useUnknownWords } from "../hooks/use-unknown-words";

/** The maintenance of a target. */
type MaintenanceTime = { from: string; to: string; title: string };
/** A time that a chart marks: a gap of the hub, or maintenance. */
export type Band = Gap | (MaintenanceTime & { reason: "maintenance" });

/** The times that a chart marks. */
export const bandsOf = (gaps: readonly Gap[], maintenance: readonly MaintenanceTime[]): Band[] => [
  ...maintenance.map((time) => ({ ...time, reason: "maintenance" as const })),
  ...gaps,
];

/** A band in a chart. Times are in seconds. */
type ChartGap = { from: number; to: number; gap: Band };

/** The gaps that reach into the window of a chart, oldest first. An open gap ends now. */
export const gapsWithin = (gaps: readonly Band[], [start, end]: readonly [number, number], now = end): ChartGap[] =>
  gaps.flatMap((gap) => {
    const from = Math.max(start, Date.parse(gap.from) / 1000);
    const to = Math.min(end, gap.to === null ? now : Date.parse(gap.to) / 1000);
    return from < to ? [{ from, to, gap }] : [];
  });

/** The parts of periods outside of unknown time, which is hatched instead. */
export const outsideOf = <P extends { from: number; to: number }>(
  periods: readonly P[],
  gaps: readonly ChartGap[],
): P[] =>
  gaps
    .filter(({ gap }) => gap.reason !== "maintenance")
    .reduce<P[]>(
      (parts, { from, to }) =>
        parts.flatMap((part) =>
          to <= part.from || from >= part.to
            ? [part]
            : [...(part.from < from ? [{ ...part, to: from }] : []), ...(to < part.to ? [{ ...part, from: to }] : [])],
        ),
      [...periods],
    );

export const lengthOfGaps = (gaps: readonly ChartGap[]): number =>
  gaps.reduce((sum, { from, to }) => sum + to - from, 0);

/** The gap at a time, or at most `near` seconds from it. */
export const gapAt = (gaps: readonly ChartGap[], time: number | undefined, near: number): Band | null => {
  if (time === undefined) return null;
  return gaps.find(({ from, to }) => from - near <= time && time <= to + near)?.gap ?? null;
};

/** The distance between lines of the hatching, and between a pointer and the gap that it means, in CSS pixels. */
const [HATCH, NEAR] = [6, 4];

/** Hatches gaps in grey, and rules maintenance in its colour, so that they differ from other periods by more than the colour. */
const drawGaps =
  (gaps: readonly ChartGap[]) =>
  ({ ctx, bbox, valToPos }: uPlot): void => {
    for (const { from, to, gap } of gaps) {
      const isMaintenance = gap.reason === "maintenance";
      const colour = token(isMaintenance ? "--maintenance" : "--unknown");
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
      const step = HATCH * devicePixelRatio;
      if (isMaintenance)
        for (let y = bbox.top; y < bbox.top + bbox.height; y += step) {
          ctx.moveTo(left, y);
          ctx.lineTo(left + width, y);
        }
      else
        for (let x = left - bbox.height; x < left + width; x += step) {
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
export const useChartGaps = (all: readonly Band[], [start, end]: readonly [number, number]) => {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useUnknownWords();
  const [here, setHere] = useState<Band | null>(null);
  const { now, gaps } = useMemo(() => {
    const now = hubNow() / 1000;
    return { now, gaps: gapsWithin(all, [start, end], now) };
  }, [all, start, end]);
  const draw = useMemo(() => drawGaps(gaps), [gaps]);
  const onCursor = useCallback(
    ({ cursor: { left = -1 }, posToVal }: uPlot): void => {
      const near = posToVal(NEAR, "x") - posToVal(0, "x");
      setHere(gapAt(gaps, left < 0 ? undefined : posToVal(left, "x"), near));
    },
    [gaps],
  );
  const textOf = (gap: Band): string =>
    gap.reason === "maintenance"
      ? `${gap.title || t("common.status.maintenance")} ${format.momentRange(gap.from, gap.to)}`
      : words.gap(gap);
  const [maintenance, unknown] = [true, false].map((is) =>
    gaps.filter(({ gap }) => (gap.reason === "maintenance") === is),
  ) as [ChartGap[], ChartGap[]];
  const [length, held] = [lengthOfGaps(unknown), lengthOfGaps(maintenance)];
  const total = unknown.length > 0 ? t("common.unknownFor", { time: format.elapsed(length) }) : undefined;
  const inMaintenance = held > 0 ? `${t("common.status.maintenance")} ${format.elapsed(held)}` : undefined;
  const named = gaps.slice(-NAMED).map(({ gap }) => textOf(gap));
  const more = gaps.length - named.length;
  return {
    /** The gaps in the window, and the end of an open gap. */
    gaps,
    now,
    draw,
    onCursor,
    /** The gap at the crosshair. */
    here: here ? textOf(here) : undefined,
    /** "unknown for 3 min"; undefined where it is too little of the chart to be seen. */
    total: length >= (end - start) * VISIBLE ? total : undefined,
    /** "Under maintenance 1 h 15 min", in the same way. */
    maintenance: held >= (end - start) * VISIBLE ? inMaintenance : undefined,
    /** All of it as sentences for screen readers. */
    sentences: [
      ...[total, inMaintenance].flatMap((text) => text ?? []),
      ...named,
      ...(more > 0 ? [t("unknown.more", { count: more })] : []),
    ],
  };
};
