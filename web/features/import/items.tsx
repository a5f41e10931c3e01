import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { IMPORT_OUTCOMES, type ImportOutcome } from "../../../src/shared/transfer/imports";
import { paths } from "../../paths";
import { Segments } from "../../ui/controls/segments";
import type { ImportedItem } from "./api";

/** Rows that are shown at first, and that are added by each click. */
const SHOWN = 200;

/** Whether an object is created, and not only absorbed by others, as a group is. */
export const isCreated = ({ outcome, part, notes }: ImportedItem): boolean =>
  ["take", "change", "paused"].includes(outcome) &&
  part !== "other" &&
  !notes.some(({ code }) => code === "group_as_tag");

/** Whether an object may be chosen: it is created, or is a server that gets a new command. */
export const isChoosable = (item: ImportedItem): boolean =>
  isCreated(item) || item.notes.some(({ code }) => code === "command_again");

/** The pages of objects. */
const PAGES: Partial<Record<ImportedItem["part"], (id: number) => string>> = {
  monitors: paths.monitor,
  agents: paths.agent,
};

type Props = {
  items: readonly ImportedItem[];
  /** The paths that are left out; undefined once the import is done. */
  left?: ReadonlySet<string>;
  onToggle?: (path: string) => void;
};

/** The objects of a file with what becomes of each, filtered by that. */
export function Items({ items, left, onToggle }: Props) {
  const { t } = useTranslation();
  const [filter, setFilter] = useState<ImportOutcome | "all">("all");
  const [limit, setLimit] = useState(SHOWN);
  const countOf = (outcome: ImportOutcome) => items.filter((item) => item.outcome === outcome).length;
  const present = IMPORT_OUTCOMES.filter((outcome) => countOf(outcome) > 0);
  const chosen = filter !== "all" && !present.includes(filter) ? "all" : filter;
  const matching = chosen === "all" ? items : items.filter(({ outcome }) => outcome === chosen);
  const choices = [
    { value: "all" as const, label: t("imports.all"), count: items.length },
    ...present.map((value) => ({ value, label: t(`imports.outcome.${value}`), count: countOf(value) })),
  ];
  return (
    <>
      <Segments label={t("imports.filter")} choices={choices} chosen={chosen} onChoose={setFilter} />
      <ul className="import-items">
        {matching.slice(0, limit).map((item) => (
          <Row key={item.path} item={item} isLeft={left?.has(item.path)} onToggle={onToggle} />
        ))}
      </ul>
      {matching.length > limit && (
        <button type="button" className="plain" onClick={() => setLimit(limit + SHOWN)}>
          {t("imports.more", { count: Math.min(SHOWN, matching.length - limit) })}
        </button>
      )}
    </>
  );
}

type RowProps = {
  item: ImportedItem;
  isLeft: boolean | undefined;
  onToggle: ((path: string) => void) | undefined;
};

function Row({ item, isLeft, onToggle }: RowProps) {
  const { t } = useTranslation();
  const { path, part, name, kind, outcome, target_id, notes } = item;
  const page = PAGES[part];
  return (
    <li className={outcome === "skip" || isLeft ? "import-item left" : "import-item"}>
      {onToggle && (
        <input
          type="checkbox"
          aria-label={t("imports.choose", { name })}
          checked={isChoosable(item) && !isLeft}
          disabled={!isChoosable(item)}
          onChange={() => onToggle(path)}
        />
      )}
      <div className="import-what">
        {page && target_id !== null ? <Link href={page(target_id)}>{name}</Link> : <b>{name}</b>}{" "}
        <small className="soft">
          {t(`imports.part.${part}`)} · {kind}
        </small>
        {notes.length > 0 && (
          <ul className="import-notes">
            {notes.map(({ code, detail }) => (
              <li key={`${code} ${detail}`}>{t(`imports.note.${code}`, { detail })}</li>
            ))}
          </ul>
        )}
      </div>
      <span className="import-verdict">{t(`imports.outcome.${outcome}`)}</span>
    </li>
  );
}
