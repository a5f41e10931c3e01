import { useState } from "react";
import { useTranslation } from "react-i18next";

type Dates = { from: string; to: string };

/** Two date fields. Dates are as in a date field, 2026-01-15. */
export function DateRange({ from, to, onChange }: Dates & { onChange: (dates: Dates) => void }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<Partial<Dates>>({});
  const shown = { from, to, ...draft };
  const set = (part: Partial<Dates>) => {
    const dates = { ...shown, ...part };
    // A date field that is being edited is empty, or its year has its first digits only.
    const isComplete = [dates.from, dates.to].every((date) => date >= "1970");
    setDraft(isComplete ? {} : { ...draft, ...part });
    if (isComplete) onChange(dates);
  };
  return (
    <div className="date-range">
      <input
        type="date"
        aria-label={t("range.from")}
        value={shown.from}
        onChange={(event) => set({ from: event.target.value })}
      />
      <span aria-hidden="true">–</span>
      <input
        type="date"
        aria-label={t("range.to")}
        value={shown.to}
        onChange={(event) => set({ to: event.target.value })}
      />
    </div>
  );
}
