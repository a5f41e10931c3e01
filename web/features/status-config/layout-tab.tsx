import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { STATUS_LIMITS } from "../../../src/shared/status-page";
import { Icon } from "../../ui/controls/icon";
import type { Body, Choice } from "./api";
import {
  addGroup,
  arrange,
  type Item,
  moveItem,
  type Part,
  type Place,
  partsOf,
  placeOf,
  removeGroup,
  stepGroup,
  stepItem,
} from "./arrangement";

type Props = {
  draft: Body;
  choices: { monitors: readonly Choice[]; agents: readonly Choice[] };
  errorOf: (name: string) => string | undefined;
  onChange: (change: Partial<Body>) => void;
};

/** Distance from the ends of the window at which dragging scrolls, and by how much, in px. */
const EDGE = 90;
const SCROLL = 14;

const keyOf = ({ kind, id }: Item) => `${kind}-${id}`;

/** Where an item goes that is dragged over a row: past the heading of its own group, to the end of the one before. */
const targetOf = (parts: readonly Part[], from: Place, over: HTMLElement): Place => {
  const to = { part: Number(over.dataset.part), place: Number(over.dataset.place) };
  const above = parts[from.part - 1];
  const isOwnHeading = over.classList.contains("layout-group") && to.part === from.part && from.place === 0;
  return isOwnHeading && above ? { part: from.part - 1, place: above.items.length } : to;
};

/** Drags an item: every row that the pointer passes gives way to it. */
const useDrag = (read: () => readonly Part[], write: (parts: Part[]) => void) => {
  const [dragged, setDragged] = useState<Item>();
  const now = useRef({ read, write });
  useEffect(() => {
    now.current = { read, write };
  });
  useEffect(() => {
    if (!dragged) return;
    const onMove = (event: globalThis.PointerEvent) => {
      const { clientX, clientY } = event;
      if (clientY < EDGE) scrollBy(0, -SCROLL);
      if (clientY > innerHeight - EDGE) scrollBy(0, SCROLL);
      const over = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-part]");
      const parts = now.current.read();
      const from = placeOf(parts, dragged);
      if (!over || !from) return;
      const to = targetOf(parts, from, over);
      if (to.part !== from.part || to.place !== from.place) now.current.write(moveItem(parts, from, to));
    };
    const stop = () => setDragged(undefined);
    const ends = ["pointerup", "pointercancel"] as const;
    addEventListener("pointermove", onMove);
    for (const end of ends) addEventListener(end, stop);
    return () => {
      removeEventListener("pointermove", onMove);
      for (const end of ends) removeEventListener(end, stop);
    };
  }, [dragged]);
  return { dragged, start: setDragged };
};

type GripProps = {
  name: string;
  id: string;
  hint: string;
  onStep: (step: -1 | 1) => void;
  onGrab?: () => void;
};

/** The handle of a row: dragged by a pointer, or moved by the arrow keys. */
function Grip({ name, id, hint, onStep, onGrab }: GripProps) {
  const { t } = useTranslation();
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] as -1 | 1 | undefined;
    if (step === undefined) return;
    event.preventDefault();
    onStep(step);
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || !onGrab) return;
    // The pointer is followed by the window, because the row moves in the document while it is dragged.
    (event.target as Element).releasePointerCapture?.(event.pointerId);
    onGrab();
  };
  return (
    <button
      type="button"
      id={id}
      className={onGrab ? "quiet icon-only grip" : "quiet icon-only grip keys"}
      aria-label={t("status.layout.move", { name })}
      aria-describedby={hint}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
    >
      <Icon path="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01" />
    </button>
  );
}

/** The order of what the page shows, and its groups: by drag, or by the arrow keys on the handles. */
export function LayoutTab({ draft, choices, errorOf, onChange }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const parts = partsOf(draft);
  const [said, setSaid] = useState("");
  const focused = useRef<string>(undefined);
  const write = (next: Part[]) => onChange(arrange(next));
  const { dragged, start } = useDrag(() => parts, write);
  // A row that moves in the document loses the focus.
  useEffect(() => {
    if (focused.current) document.getElementById(focused.current)?.focus();
    focused.current = undefined;
  });

  const names = new Map(
    (["monitors", "agents"] as const).flatMap((kind) =>
      choices[kind].map((choice) => [keyOf({ kind, id: choice.id }), choice.name] as const),
    ),
  );
  const nameOf = (item: Item) => names.get(keyOf(item)) ?? `#${item.id}`;
  const titleOf = (part: Part | undefined) => part?.name || t("status.layout.rest");
  const step = (item: Item, by: -1 | 1) => {
    const from = placeOf(parts, item);
    if (!from) return;
    const next = stepItem(parts, from, by);
    const to = placeOf(next, item);
    focused.current = `${id}-${keyOf(item)}`;
    write(next);
    if (to)
      setSaid(
        t("status.layout.moved", {
          name: nameOf(item),
          group: titleOf(next[to.part]),
          place: to.place + 1,
          total: next[to.part]?.items.length ?? 0,
        }),
      );
  };
  const rename = (at: number, name: string) =>
    write(parts.map((part, index) => (index === at ? { ...part, name } : part)));

  return (
    <section className="card layout">
      <p className="soft small" id={`${id}-hint`}>
        {t("status.layout.hint")}
      </p>
      <ol className="layout-list">
        {parts.flatMap((part, at) => [
          <li key={part.name === null ? "rest" : `group-${at}`} className="layout-group" data-part={at} data-place={0}>
            {part.name === null ? (
              <span className="soft">{parts.length > 1 ? t("status.layout.rest") : t("status.layout.all")}</span>
            ) : (
              <>
                <Grip
                  name={titleOf(part)}
                  id={`${id}-group-${at}`}
                  hint={`${id}-hint`}
                  onStep={(by) => {
                    const next = stepGroup(parts, at, by);
                    focused.current = `${id}-group-${next[at] === part ? at : at + by}`;
                    write(next);
                  }}
                />
                <input
                  aria-label={t("status.layout.name")}
                  aria-invalid={part.name.trim() === "" && errorOf("groups") ? true : undefined}
                  value={part.name}
                  maxLength={STATUS_LIMITS.groupName}
                  placeholder={t("status.layout.name")}
                  autoComplete="off"
                  onChange={({ target: { value } }) => rename(at, value)}
                />
                <button
                  type="button"
                  className="quiet icon-only"
                  aria-label={t("status.layout.remove", { name: titleOf(part) })}
                  onClick={() => write(removeGroup(parts, at))}
                >
                  <Icon name="trash" />
                </button>
              </>
            )}
          </li>,
          ...part.items.map((item, place) => (
            <li
              key={keyOf(item)}
              className={dragged && keyOf(dragged) === keyOf(item) ? "layout-item dragged" : "layout-item"}
              data-part={at}
              data-place={place}
            >
              <Grip
                name={nameOf(item)}
                id={`${id}-${keyOf(item)}`}
                hint={`${id}-hint`}
                onStep={(by) => step(item, by)}
                onGrab={() => start(item)}
              />
              <Icon name={item.kind === "monitors" ? "pulse" : "server"} />
              <span className="truncate" title={nameOf(item)}>
                {nameOf(item)}
              </span>
            </li>
          )),
        ])}
      </ol>
      {errorOf("groups") && <p className="message bad">{errorOf("groups")}</p>}
      <button
        type="button"
        className="plain compact"
        disabled={parts.length > STATUS_LIMITS.groups}
        onClick={() => {
          focused.current = undefined;
          write(addGroup(parts, t("status.layout.newGroup")));
        }}
      >
        <Icon name="plus" />
        {t("status.layout.add")}
      </button>
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </section>
  );
}
