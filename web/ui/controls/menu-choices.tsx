import type { ReactNode } from "react";
import { Icon } from "./icon";

type Props<T extends string> = {
  choices: readonly { value: T; label: ReactNode; lang?: string }[];
  chosen: T;
  onChoose: (value: T) => void;
};

/** Exclusive choices inside a menu, with a tick at the current one. */
export function MenuChoices<T extends string>({ choices, chosen, onChoose }: Props<T>) {
  return choices.map(({ value, label, lang }) => (
    <button
      key={value}
      type="button"
      role="menuitemradio"
      aria-checked={value === chosen}
      lang={lang}
      onClick={() => onChoose(value)}
    >
      {label}
      {value === chosen && <Icon name="check" className="tick" />}
    </button>
  ));
}
