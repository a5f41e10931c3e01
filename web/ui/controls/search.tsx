import { Icon } from "./icon";

type Props = {
  label: string /** The placeholder; the label unless given. */;
  hint?: string | undefined;
  value: string;
  onChange: (value: string) => void;
};

/** A search field that reports each change of its text. */
export function Search({ label, hint = label, value, onChange }: Props) {
  return (
    <div className="search">
      <Icon name="search" />
      <input
        type="search"
        value={value}
        placeholder={hint}
        aria-label={label}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
