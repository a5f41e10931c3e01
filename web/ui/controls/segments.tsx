import type { ReactNode } from "react";

type Props<T extends string> = {
  label: string;
  choices: readonly { value: T; label: ReactNode; title?: string; count?: number }[];
  chosen: T;
  /** `byPointer`: by a tap or a click, not by a key. */
  onChoose: (value: T, byPointer: boolean) => void;
};

export function Segments<T extends string>({ label, choices, chosen, onChoose }: Props<T>) {
  return (
    <fieldset className="segments" aria-label={label}>
      {choices.map(({ value, label, title, count }) => (
        <button
          key={value}
          type="button"
          title={title}
          aria-label={title}
          aria-pressed={value === chosen}
          onClick={({ detail }) => onChoose(value, detail > 0)}
        >
          {label}
          {count !== undefined && <span className="count figure">{count}</span>}
        </button>
      ))}
    </fieldset>
  );
}
