import { useEffect } from "react";
import { navigate } from "wouter/use-browser-location";
import { base } from "../../paths";

/** Where keys mean something else. */
const BUSY = "input, textarea, select, [contenteditable], [role^=menu], [role=tab], [role=img], dialog";

const links = () => [...document.querySelectorAll<HTMLAnchorElement>(".rows a.row-link")];

/** The row that has the focus, or else the one whose page is open. */
const placeOf = (all: HTMLAnchorElement[]): number => {
  const focused = all.findIndex((link) => link.closest("[data-row]")?.contains(document.activeElement));
  return focused >= 0 ? focused : all.findIndex((link) => link.getAttribute("aria-current") === "page");
};

/** The direction of a key: j and k walk from anywhere, arrows where they do not scroll the page. */
const stepOf = ({ key }: KeyboardEvent, isInList: boolean): number =>
  key === "j" || (isInList && key === "ArrowDown") ? 1 : key === "k" || (isInList && key === "ArrowUp") ? -1 : 0;

/**
 * Walks the rows of the list on screen by j, k and the arrow keys; Enter opens the focused row, as any link. `listAt` is the
 * address that Escape opens, for a list beside the page of an item.
 */
export const useRowKeys = (listAt?: string): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : document.body;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.closest(BUSY) || document.querySelector("dialog[open]")) return;
      if (event.key === "Escape" && listAt !== undefined) return navigate(base + listAt);
      const isInList = target.closest(".rows") !== null || (listAt !== undefined && !target.closest("a, button"));
      const step = stepOf(event, isInList);
      if (step === 0) return;
      const all = links();
      const now = placeOf(all);
      const next = now < 0 ? all[0] : all[now + step];
      event.preventDefault();
      next?.focus();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [listAt]);
};
