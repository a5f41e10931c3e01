import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { STATUS_LIMITS } from "../../../src/shared/status-page";
import { TAG_LIMITS } from "../../../src/shared/tags";
import { Icon } from "../../ui/controls/icon";
import type { Body, Choice } from "./api";
import {
  addGroup,
  arrange,
  type Item,
  type Part,
  partsOf,
  placeOf,
  removeGroup,
  stepGroup,
  stepItem,
} from "./arrangement";
import { Grip } from "./grip";
import { useDrag } from "./use-drag";

type Props = {
  draft: Body;
  choices: { monitors: readonly Choice[]; agents: readonly Choice[] };
  errorOf: (name: string) => string | undefined;
  onChange: (change: Partial<Body>) => void;
};

const keyOf = ({ kind, id }: Item) => `${kind}-${id}`;

type GroupTagProps = { name: string; of: Part; onChange: (part: Part) => void };

/** The tag whose targets belong to a group. */
function GroupTag({ name, of, onChange }: GroupTagProps) {
  const { t } = useTranslation();
  const label = t("tags.ofGroup", { name });
  return (
    <input
      className="group-tag"
      aria-label={label}
      title={label}
      value={of.tag ?? ""}
      maxLength={TAG_LIMITS.filter}
      placeholder={t("tags.title")}
      autoComplete="off"
      // Chinese keyboards type a full-width colon.
      onChange={({ target }) => onChange({ ...of, tag: target.value.replaceAll("：", ":") })}
    />
  );
}

/** The order of the page's items, and its groups: by drag, or by the arrow keys on the handles. */
export function LayoutTab({ draft, choices, errorOf, onChange }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const parts = partsOf(draft);
  const [said, setSaid] = useState("");
  const focused = useRef<string>(undefined);
  const write = (next: Part[]) => onChange(arrange(next));
  const { dragged, start } = useDrag(() => parts, write);
  // A row that moves in the document loses the focus. A new one may be rendered later than another change.
  useEffect(() => {
    const element = focused.current ? document.getElementById(focused.current) : null;
    if (!element) return;
    focused.current = undefined;
    element.focus();
    if (element instanceof HTMLInputElement) element.select();
  });

  const names = new Map(
    (["monitors", "agents"] as const).flatMap((kind) =>
      choices[kind].map((choice) => [keyOf({ kind, id: choice.id }), choice.name] as const),
    ),
  );
  const nameOf = (item: Item) => names.get(keyOf(item)) ?? `#${item.id}`;
  const isDragged = (item: Item) => dragged !== undefined && "item" in dragged && keyOf(dragged.item) === keyOf(item);
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
          <li
            key={part.name === null ? "rest" : `group-${at}`}
            className={dragged && "group" in dragged && dragged.group === at ? "layout-group dragged" : "layout-group"}
            data-part={at}
            data-place={0}
          >
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
                  onGrab={() => start({ group: at })}
                />
                <input
                  id={`${id}-name-${at}`}
                  aria-label={t("status.layout.name")}
                  aria-invalid={part.name.trim() === "" && errorOf("groups") ? true : undefined}
                  value={part.name}
                  maxLength={STATUS_LIMITS.groupName}
                  placeholder={t("status.layout.name")}
                  autoComplete="off"
                  onChange={({ target: { value } }) => rename(at, value)}
                />
                <GroupTag name={titleOf(part)} of={part} onChange={(next) => write(parts.with(at, next))} />
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
              className={isDragged(item) ? "layout-item dragged" : "layout-item"}
              data-part={at}
              data-place={place}
            >
              <Grip
                name={nameOf(item)}
                id={`${id}-${keyOf(item)}`}
                hint={`${id}-hint`}
                onStep={(by) => step(item, by)}
                onGrab={() => start({ item })}
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
          // The new group is before the items in no group, which are the last part.
          focused.current = `${id}-name-${parts.length - 1}`;
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
