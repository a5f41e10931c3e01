import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import uPlot from "uplot";

const themeName = () => document.documentElement.dataset.theme;

const useThemeName = () => {
  const [theme, setTheme] = useState(themeName);
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(themeName()));
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => observer.disconnect();
  }, []);
  return theme;
};

/** The data and options to draw. They stay while the viewer drags over the chart, because a new drawing would end the drag. */
const useDrawn = ({ data, options }: Omit<Props, "label">, box: RefObject<HTMLElement | null>) => {
  const [held, setHeld] = useState<{ data: Props["data"]; options: Props["options"] }>();
  useEffect(() => {
    const target = box.current;
    const hold = () => setHeld({ data, options });
    const release = () => setHeld(undefined);
    target?.addEventListener("mousedown", hold);
    // After uPlot's own listener, which is the document's.
    window.addEventListener("mouseup", release);
    return () => {
      target?.removeEventListener("mousedown", hold);
      window.removeEventListener("mouseup", release);
    };
  }, [data, options, box]);
  return held ?? { data, options };
};

type Props = {
  data: uPlot.AlignedData;
  /** Called for each drawing. A new function draws the chart again, so memoize it. */
  options: (width: number) => uPlot.Options;
  /** The chart as a sentence, for screen readers. */
  label: string;
};

/** A chart of the container's width, drawn again when its data, its options or the theme change. */
export function Plot({ label, ...latest }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const { data, options } = useDrawn(latest, box);
  const theme = useThemeName();

  // Before the first paint, which would show an empty box.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme's colours are read while drawing
  useLayoutEffect(() => {
    const target = box.current;
    if (!target) return;
    const plot = new uPlot(options(target.clientWidth), data, target);
    const observer = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height: plot.height }));
    observer.observe(target);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, options, theme]);

  return <div className="chart-box" ref={box} role="img" aria-label={label} />;
}
