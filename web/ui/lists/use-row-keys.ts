import { useEffect, useLayoutEffect } from "react";
import { navigate } from "wouter/use-browser-location";
import { base } from "../../lib/navigation/base-path";
import { useBackTo } from "../layout/last-list";

/** Where keys mean something else. */
const BUSY = "input, textarea, select, [contenteditable], [role^=menu], [role=tab], [role=img], dialog";

const links = () => [...document.querySelectorAll<HTMLAnchorElement>(".rows a.row-link")];

/** The row with the focus, or else the row whose page is open. */
const placeOf = (all: HTMLAnchorElement[]): number => {
  const focused = all.findIndex((link) => link.closest("[data-row]")?.contains(document.activeElement));
  return focused >= 0 ? focused : all.findIndex((link) => link.getAttribute("aria-current") === "page");
};

/** The direction of a key: j and k walk from anywhere, arrows where they do not scroll the page. */
const stepOf = ({ key }: KeyboardEvent, isInList: boolean): number =>
  key === "j" || (isInList && key === "ArrowDown") ? 1 : key === "k" || (isInList && key === "ArrowUp") ? -1 : 0;

/** The element that a key is for. Undefined where the key means something else. */
const targetOf = ({ target, defaultPrevented, ctrlKey, metaKey, altKey }: KeyboardEvent): Element | undefined => {
  const element = target instanceof Element ? target : document.body;
  if (defaultPrevented || ctrlKey || metaKey || altKey) return undefined;
  return element.closest(BUSY) || document.querySelector("dialog[open]") ? undefined : element;
};

/** Opens the list at a path by Escape, with the query it had, from the page of one of its items. */
export const useEscapeTo = (list: string): void => {
  const listAt = useBackTo(list);
  // The key may be pressed as soon as the page is on screen.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape" && targetOf(event)) navigate(base + listAt);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [listAt]);
};

/**
 * Walks the rows of the list on screen by j, k and the arrow keys; Enter opens the focused row, as any link. `isBeside`: the
 * list is beside the page of one of its items.
 */
export const useRowKeys = (isBeside = false): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = targetOf(event);
      if (!target) return;
      const isInList = target.closest(".rows") !== null || (isBeside && !target.closest("a, button"));
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
  }, [isBeside]);
};
