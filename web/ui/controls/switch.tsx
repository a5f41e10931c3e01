import type { ReactNode } from "react";

type Props = {
  label: ReactNode;
  name?: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
};

/** A switch that takes effect at once. `name` is its accessible name where the label alone is not enough. */
export function Switch({ label, name, checked, disabled = false, onChange }: Props) {
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        aria-label={name}
        checked={checked}
        disabled={disabled}
        aria-checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}
