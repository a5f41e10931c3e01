import { useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { PAGE_LIMITS } from "../../../../src/shared/status/components";
import { Icon } from "../../../ui/controls/icon";
import { IconButton } from "../../../ui/controls/icon-button";
import { useFormat } from "../../../ui/hooks/use-format";
import { Grip } from "../grip";
import type { Component } from "./api";
import { ComponentDialog } from "./component-dialog";
import { type Draft, labelOf, move, newDraft } from "./draft";

/** Drags the rows of a list: the others make room as the pointer passes. Returns the key of the dragged one, and what starts it. */
const useRowDrag = (drafts: readonly Draft[], write: (drafts: Draft[]) => void) => {
  const [dragged, setDragged] = useState<number>();
  const now = useRef({ drafts, write });
  useEffect(() => {
    now.current = { drafts, write };
  });
  useEffect(() => {
    if (dragged === undefined) return;
    const onMove = ({ clientX, clientY }: PointerEvent) => {
      const over = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-place]");
      const from = now.current.drafts.findIndex(({ key }) => key === dragged);
      const to = Number(over?.dataset.place ?? from);
      if (to !== from) now.current.write(move(now.current.drafts, from, to));
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

/** What decides the status of a component, in a few words. */
function About({ draft: { targets, tag, status } }: { draft: Draft }) {
  const { t } = useTranslation();
  const format = useFormat();
  const parts = [
    status !== null && `${t(`pages.component.statuses.${status}`)} (${t("pages.list.fixed")})`,
    status === null && format.names(targets.map(({ name }) => name)),
    status === null && tag.trim() !== "" && t("pages.list.tag", { tag: tag.trim() }),
  ];
  return <p className="soft small truncate">{parts.filter(Boolean).join(" · ")}</p>;
}

type Listed = Pick<Component, "id" | "label" | "group">;

/** The services and servers that are selected for the first page, which are edited elsewhere. */
function ListedComponents({ listed }: { listed: readonly Listed[] }) {
  return (
    <ul className="listed-components">
      {listed.map(({ id, label, group }) => (
        <li key={id} className="truncate" title={label}>
          {group && group !== label && <span className="soft">{group} / </span>}
          {label}
        </li>
      ))}
    </ul>
  );
}

type Props = {
  drafts: readonly Draft[];
  /** The services and servers selected for the first page; null for the others. */
  listed: readonly Listed[] | null;
  canChange: boolean;
  onChange: (drafts: Draft[]) => void;
};

/** The components of a page in their order: by drag, or by the arrow keys on the handles. */
export function ComponentList({ drafts, listed, canChange, onChange }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const [editing, setEditing] = useState<Draft>();
  const [said, setSaid] = useState("");
  const focused = useRef<string>(undefined);
  const { dragged, start } = useRowDrag(drafts, onChange);
  // A row that moves in the document loses the focus.
  useEffect(() => {
    const element = focused.current ? document.getElementById(focused.current) : null;
    focused.current = undefined;
    element?.focus();
  });
  const nameOf = (draft: Draft) => labelOf(draft) || t("pages.list.untitled");
  const step = (draft: Draft, from: number, by: -1 | 1) => {
    const next = move(drafts, from, from + by);
    focused.current = `${id}-${draft.key}`;
    onChange(next);
    setSaid(t("pages.list.moved", { name: nameOf(draft), place: next.indexOf(draft) + 1, total: next.length }));
  };
  const groups = [...new Set(drafts.flatMap(({ group }) => group.trim() || []))];
  return (
    <section className="card layout">
      <div className="section-head">
        <h2>
          {t("pages.list.title")} <span className="soft figure">{(listed?.length ?? 0) + drafts.length}</span>
        </h2>
      </div>
      {listed && <p className="soft small">{t("pages.listed")}</p>}
      {listed && listed.length > 0 && <ListedComponents listed={listed} />}
      {(drafts.length > 0 || !listed) && (
        <p className="soft small" id={`${id}-hint`}>
          {t(drafts.length === 0 ? "pages.list.empty" : "pages.list.hint")}
        </p>
      )}
      <ol className="layout-list">
        {drafts.map((draft, place) => (
          <li
            key={draft.key}
            className={`layout-item component-row${dragged === draft.key ? " dragged" : ""}`}
            data-place={place}
          >
            {canChange && (
              <Grip
                name={nameOf(draft)}
                id={`${id}-${draft.key}`}
                hint={`${id}-hint`}
                onStep={(by) => step(draft, place, by)}
                onGrab={() => start(draft.key)}
              />
            )}
            <div className="component-about">
              <h3 className="truncate">
                {draft.group.trim() && <span className="soft">{draft.group.trim()} / </span>}
                {nameOf(draft)}
              </h3>
              <About draft={draft} />
            </div>
            {canChange && (
              <span className="component-actions">
                <IconButton
                  icon="edit"
                  label={t("common.action.edit")}
                  of={nameOf(draft)}
                  onClick={() => setEditing(draft)}
                />
                <IconButton
                  icon="trash"
                  label={t("pages.list.remove")}
                  of={nameOf(draft)}
                  onClick={() => onChange(drafts.filter((other) => other !== draft))}
                />
              </span>
            )}
          </li>
        ))}
      </ol>
      {canChange && (
        <button
          type="button"
          className="plain compact"
          disabled={drafts.length >= PAGE_LIMITS.components}
          onClick={() => setEditing(newDraft())}
        >
          <Icon name="plus" />
          {t("pages.list.add")}
        </button>
      )}
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {editing &&
        // Browsers do not report the submission of a form inside of another one.
        createPortal(
          <ComponentDialog
            stored={editing}
            isNew={!drafts.includes(editing)}
            groups={groups}
            onDone={(draft) => {
              const isStored = drafts.includes(editing);
              onChange(isStored ? drafts.map((other) => (other === editing ? draft : other)) : [...drafts, draft]);
              setEditing(undefined);
            }}
            onClose={() => setEditing(undefined)}
          />,
          document.body,
        )}
    </section>
  );
}
