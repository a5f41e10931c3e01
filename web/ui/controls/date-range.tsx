import { useTranslation } from "react-i18next";

type Dates = { from: string; to: string };

/** Two date fields. Dates are as in a date field, 2026-01-15. */
export function DateRange({ from, to, onChange }: Dates & { onChange: (dates: Dates) => void }) {
  const { t } = useTranslation();
  const set = (part: Partial<Dates>) => {
    const dates = { from, to, ...part };
    // A date field that is being edited is empty.
    if (dates.from && dates.to) onChange(dates);
  };
  return (
    <div className="date-range">
      <input
        type="date"
        aria-label={t("common.range.from")}
        value={from}
        onChange={(event) => set({ from: event.target.value })}
      />
      <span aria-hidden="true">–</span>
      <input
        type="date"
        aria-label={t("common.range.to")}
        value={to}
        onChange={(event) => set({ to: event.target.value })}
      />
    </div>
  );
}
