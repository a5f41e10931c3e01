import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";

type Props<T extends string> = {
  label: string;
  /** `mark` is a number of problems, and what it counts in words. */
  tabs: readonly { value: T; label: string; mark?: { count: number; text: string } | undefined }[];
  chosen: T;
  onChoose: (value: T) => void;
  children: ReactNode;
};

/** Scrolls the chosen one of a list of tabs to its middle. */
export const scrollToChosen = (list: HTMLElement | null, selector: string): void => {
  const tab = list?.querySelector<HTMLElement>(selector);
  if (list && tab) list.scrollLeft = tab.offsetLeft - list.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
};

export function Tabs<T extends string>({ label, tabs, chosen, onChoose, children }: Props<T>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  // On a narrow screen the list scrolls, and the chosen tab may be outside of the visible part.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newly chosen tab has to be scrolled into view
  useEffect(() => scrollToChosen(list.current, "[aria-selected=true]"), [chosen]);

  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ value }) => value === chosen);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    const tab = next === undefined ? undefined : tabs.at(next % tabs.length);
    if (!tab) return;
    event.preventDefault();
    onChoose(tab.value);
    list.current?.querySelectorAll("button")[tabs.indexOf(tab)]?.focus();
  };

  return (
    <>
      <div
        className="tabs"
        role="tablist"
        aria-label={label}
        ref={list}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget }) => currentTarget.classList.toggle("scrolled", currentTarget.scrollLeft > 1)}
      >
        {tabs.map(({ value, label, mark }) => (
          <button
            key={value}
            type="button"
            role="tab"
            id={`${id}-${value}`}
            aria-selected={value === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={value === chosen ? 0 : -1}
            onClick={() => onChoose(value)}
          >
            {label}
            {mark && (
              <span className="tab-mark figure" role="img" aria-label={mark.text} title={mark.text}>
                {mark.count}
              </span>
            )}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}
