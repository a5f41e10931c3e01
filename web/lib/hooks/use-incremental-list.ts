import { useEffect, useRef, useState } from "react";

const step = 60;

/** Renders a long list in steps of 60: `mark` goes below the list, and `shown` grows when it comes near the viewport. */
export const useIncrementalList = <T>(items: readonly T[]) => {
  const [limit, setLimit] = useState(step);
  const mark = useRef<HTMLDivElement>(null);
  const rest = items.length > limit;

  // biome-ignore lint/correctness/useExhaustiveDependencies: observe again after each step, because the mark may still be in view
  useEffect(() => {
    if (!rest || !mark.current) return;
    const grow = () => setLimit((now) => now + step);
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && grow(), {
      rootMargin: "1200px",
    });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [rest, limit]);

  return { shown: rest ? items.slice(0, limit) : items, mark };
};
