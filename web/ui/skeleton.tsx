import { useTranslation } from "react-i18next";

/** Grey shapes where the first data will be. */
export function Skeleton({ heights, className = "stack" }: { heights: readonly string[]; className?: string }) {
  const { t } = useTranslation();
  return (
    <div className={className} role="status" aria-label={t("common.loading")}>
      {heights.map((height, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all alike, never reordered
        <span key={place} className="skeleton" style={{ height }} />
      ))}
    </div>
  );
}
