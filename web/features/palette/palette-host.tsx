import { atom, useAtom, useSetAtom } from "jotai";
import { Suspense, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { loadAllTexts } from "../../i18n";
import { later } from "../../lib/offline/code";
import { loadScreenStyles } from "../../lib/offline/screen-styles";
import { Icon } from "../../ui/controls/icon";
import type { View } from "./palette";
import { shortcut } from "./shortcut";

const Palette = later(async () => {
  const [page] = await Promise.all([import("./palette"), loadAllTexts(), loadScreenStyles()]);
  return page;
});

const openAtom = atom<View | null>(null);

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));

/** Focuses the search of the list on screen. Returns whether there is one. */
const focusSearch = (): boolean => {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
};

/** The text typed between opening the palette and the first focus of its field. */
const useTyped = (isOpen: boolean): { current: string } => {
  const typed = useRef("");
  useEffect(() => {
    typed.current = "";
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      if (document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key.length === 1) typed.current += event.key;
      else if (event.key === "Backspace") typed.current = typed.current.slice(0, -1);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener("keydown", onKey, true);
    return () => removeEventListener("keydown", onKey, true);
  }, [isOpen]);
  return typed;
};

/** The palette and the keys that open it: Ctrl or ⌘ K from everywhere, `?` and `/` outside of fields. */
export function PaletteHost() {
  const [open, setOpen] = useAtom(openAtom);
  const typed = useTyped(open === "search");

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const command = event.ctrlKey || event.metaKey;
      if (command && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") setOpen("search");
      else if (command || event.altKey || isTyping(event.target)) return;
      else if (event.key === "?") setOpen("keys");
      else if (event.key !== "/" || !focusSearch()) return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("keydown", onKey);
      // The next user to sign in begins without it.
      setOpen(null);
    };
  }, [setOpen]);

  if (!open) return null;
  return (
    <Suspense>
      <Palette key={typeof open === "string" ? open : "delete"} view={open} typed={typed} onView={setOpen} />
    </Suspense>
  );
}

/** Opens the palette; in the navigation bar. */
export function PaletteButton() {
  const { t } = useTranslation();
  const setOpen = useSetAtom(openAtom);
  return (
    <button type="button" className="plain palette-button" onClick={() => setOpen("search")}>
      <Icon name="search" />
      <span className="words">{t("common.nav.search")}</span>
      <span className="key" aria-hidden="true">
        <kbd>{shortcut()}</kbd>
      </span>
    </button>
  );
}
