import { useEffect, useRef, useState } from "react";

const step = 60;

/** Long lists show a screenful and grow as their end comes near, so that a thousand rows stay light. */
export const useIncrementalList = <T>(items: readonly T[]) => {
  const [limit, setLimit] = useState(step);
  const mark = useRef<HTMLDivElement>(null);
  const rest = items.length > limit;

  // biome-ignore lint/correctness/useExhaustiveDependencies: observed anew after each growth, for the mark may still be in sight
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
