import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../controls/icon";

/** Time until a slow load offers a reload (ms). */
const SLOW = 5000;

/** Whether a shape is more than a line: a card with rows. */
const isCard = (height: string): boolean => Number.parseFloat(height) * (height.endsWith("px") ? 1 : 16) >= 80;

/** Shapes in place of data that is loading: lines, and cards with rows. When loading takes long, a button reloads the page. */
export function Skeleton({ heights, className = "stack" }: { heights: readonly string[]; className?: string }) {
  const { t } = useTranslation();
  const slow = useElapsed(SLOW);
  return (
    <>
      {slow && (
        <p className="loading-slow" role="status">
          <span>{t("common.loadingSlow")}</span>
          <button type="button" className="plain compact" onClick={() => location.reload()}>
            <Icon name="refresh" />
            {t("common.action.reload")}
          </button>
        </p>
      )}
      <div className={className} role="status" aria-label={t("common.loading")}>
        {heights.map((height, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all alike, never reordered
          <span key={place} className={isCard(height) ? "skeleton rows-to-come" : "skeleton"} style={{ height }} />
        ))}
      </div>
    </>
  );
}

/** Whether the component has been mounted for the given number of milliseconds. */
const useElapsed = (milliseconds: number): boolean => {
  const [elapsed, setElapsed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return elapsed;
};
