import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { useModal } from "../../ui/feedback/confirm-dialog";
import { DeleteTarget } from "../problems/delete-target";
import { type Entry, matches, useStaticEntries } from "./entries";
import { type Target, useHereEntries } from "./here";
import { useFoundEntries } from "./search";
import { shortcut } from "./shortcut";

/** The search, the list of keys, or the question whether to delete a target. */
export type View = "search" | "keys" | Target;
type Props = {
  view: View /** The text typed while its code was loading. */;
  typed: { readonly current: string };
  onView: (view: View | null) => void;
};

/** A dialog that finds monitors, servers, screens and actions, or lists the keys. */
export default function Palette({ view, typed, onView }: Props) {
  const [, navigate] = useLocation();
  if (typeof view === "string") return <Commands view={view} typed={typed} onView={onView} />;
  return (
    <DeleteTarget
      target={view}
      onDeleted={() => navigate(view.type === "monitor" ? paths.monitors : paths.agents)}
      onClose={() => onView(null)}
    />
  );
}

function Commands({ view, typed, onView }: Props & { view: "search" | "keys" }) {
  const dialog = useModal();
  const { t } = useTranslation();
  const close = () => onView(null);
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t(view === "search" ? "palette.label" : "palette.keys.title")}
      onClose={close}
      closedby="any"
    >
      <article>
        {view === "search" ? <SearchView typed={typed} onView={onView} /> : <KeysView onClose={close} />}
      </article>
    </dialog>
  );
}

const groups = ["here", "monitors", "servers", "screens", "actions"] as const;

/** The entries for a search, in their groups. `here`: the name of the monitor or server whose page is open. */
const useEntries = (search: string, onView: Props["onView"]) => {
  const foundEntries = useFoundEntries(search);
  const here = useHereEntries(onView);
  const own = [...here.entries, ...useStaticEntries(() => onView("keys"))];
  const all = [...foundEntries.entries, ...own.filter((entry) => matches(entry, search.trim()))];
  return {
    failed: foundEntries.failed,
    here: here.name,
    entries: groups.flatMap((group) => all.filter((entry) => entry.group === group)),
  };
};

function SearchView({ typed, onView }: Omit<Props, "view">) {
  const { t } = useTranslation();
  const id = useId();
  const [search, setSearch] = useState(() => typed.current);
  const [chosen, setChosen] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const { entries, failed, here } = useEntries(search, onView);
  const at = Math.max(
    0,
    entries.findIndex(({ key }) => key === chosen),
  );

  const choose = (place: number) => {
    const entry = entries.at(place % entries.length);
    setChosen(entry?.key);
    list.current?.querySelector(`[data-key="${CSS.escape(entry?.key ?? "")}"]`)?.scrollIntoView({ block: "nearest" });
  };
  const run = (entry: Entry | undefined) => {
    if (!entry) return;
    // What opens another view of the palette does so after it is closed.
    onView(null);
    void entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a word, the keys are its own.
    if (event.nativeEvent.isComposing) return;
    const place = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (event.key === "Enter") run(entries[at]);
    else if (place === undefined || entries.length === 0) return;
    else choose(place);
    event.preventDefault();
  };

  return (
    <>
      <div className="palette-search">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={entries[at] ? `${id}-${at}` : undefined}
          aria-label={t("palette.label")}
          placeholder={t("palette.input")}
          value={search}
          spellCheck={false}
          autoComplete="off"
          maxLength={200}
          onChange={(event) => {
            setSearch(event.target.value);
            setChosen(undefined);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className="palette-list" role="listbox" id={id} aria-label={t("palette.label")} ref={list}>
        {groups.map((group) => {
          const rows = entries.flatMap((entry, place) => (entry.group === group ? [{ entry, place }] : []));
          if (rows.length === 0) return null;
          return (
            // biome-ignore lint/a11y/useSemanticElements: a group of options, as the listbox role has them
            <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
              <div className="palette-group" id={`${id}-${group}`}>
                {group === "here" ? here : t(`palette.group.${group}`)}
              </div>
              {rows.map(({ entry, place }) => (
                <Option
                  key={entry.key}
                  id={`${id}-${place}`}
                  entry={entry}
                  chosen={place === at}
                  onChoose={() => setChosen(entry.key)}
                  onRun={() => run(entry)}
                />
              ))}
            </div>
          );
        })}
      </div>
      <p className="palette-note" role="status">
        {failed ? t("palette.failed") : entries.length === 0 ? t("palette.none") : ""}
      </p>
      <p className="palette-foot" aria-hidden="true">
        {HINTS.map(({ keys, text }) => (
          <span key={text}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
            {t(`palette.hint.${text}`)}
          </span>
        ))}
      </p>
    </>
  );
}

/** The keys of the search. */
const HINTS = [
  { keys: ["↑", "↓"], text: "walk" },
  { keys: ["Enter"], text: "open" },
  { keys: ["Esc"], text: "close" },
] as const;

type OptionProps = { id: string; entry: Entry; chosen: boolean; onChoose: () => void; onRun: () => void };

/** One line. The keys are handled by the field, which keeps the focus. */
function Option({ id, entry, chosen, onChoose, onRun }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the search field keeps the focus
    <div
      role="option"
      id={id}
      data-key={entry.key}
      aria-selected={chosen}
      className="palette-option"
      onPointerMove={chosen ? undefined : onChoose}
      onClick={onRun}
    >
      <Icon name={entry.icon} />
      <span className="truncate">{entry.label}</span>
      {entry.detail && <span className="soft small">{entry.detail}</span>}
    </div>
  );
}

const keys: readonly { keys: readonly string[]; text: "search" | "find" | "help" | "walk" | "open" | "close" }[] = [
  { keys: [], text: "search" },
  { keys: ["/"], text: "find" },
  { keys: ["↑", "↓", "j", "k"], text: "walk" },
  { keys: ["Enter"], text: "open" },
  { keys: ["Esc"], text: "close" },
  { keys: ["?"], text: "help" },
];

function KeysView({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="palette-keys">
      <h2>{t("palette.keys.title")}</h2>
      <dl>
        {keys.map(({ keys: names, text }) => (
          <div key={text}>
            <dt>
              {(text === "search" ? [shortcut()] : names).map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{t(`palette.keys.${text}`)}</dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <button type="button" className="plain" onClick={onClose}>
          {t("common.action.close")}
        </button>
      </div>
    </div>
  );
}
