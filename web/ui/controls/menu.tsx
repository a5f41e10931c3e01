import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import { PageIcon } from "./page-icon";

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
      {value === chosen && <PageIcon name="check" className="tick" />}
    </button>
  ));
}

const items = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];

/** The space that stays free below a menu in pixels: the links of phones are there. */
const MARGIN = 72;

/** A button that opens a menu. Arrow keys move the focus; Escape, a choice and a click outside close the menu. */
export function Menu({ label, button, children }: { label: string; button: ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const [location] = useLocation();
  const [openedAt, setOpenedAt] = useState(location);
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();

  if (open && location !== openedAt) setOpen(false);

  useEffect(() => {
    if (!open) return;
    // A list without room below opens above its button.
    const box = list.current?.getBoundingClientRect();
    if (list.current && box && innerHeight - box.bottom < MARGIN) list.current.dataset.above = "true";
    // One without room on the left begins at the left end of its button.
    if (list.current && box && box.left < 0) list.current.dataset.right = "true";
    items(list.current)[0]?.focus();
    const away = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, [open]);

  const close = () => {
    setOpen(false);
    root.current?.querySelector("button")?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      // It does not also close a dialog around the menu.
      event.preventDefault();
      return close();
    }
    if (event.key === "Tab") return setOpen(false);
    const all = items(list.current);
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  };

  return (
    <div className="menu" ref={root}>
      <button
        type="button"
        className="quiet"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => {
          setOpenedAt(location);
          setOpen(!open);
        }}
      >
        <span className="visually-hidden">{label}</span>
        {button}
      </button>
      {open && (
        <div
          className="menu-list"
          role="menu"
          id={id}
          aria-label={label}
          ref={list}
          onKeyDown={onKeyDown}
          onClick={close}
        >
          {children}
        </div>
      )}
    </div>
  );
}
