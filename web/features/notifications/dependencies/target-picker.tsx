import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import { findTargets, keyOf, type NamedTarget } from "./api";

/** How long typing has to pause before the server is asked, in ms. */
const PAUSE = 120;

type Found = { search: string; targets: NamedTarget[]; failed: boolean };

/** The server's results, a moment after the last change of the search; undefined before. */
const useFound = (search: string, mine: boolean): Found | undefined => {
  const [found, setFound] = useState<Found>();
  const latest = useRef(search);
  latest.current = search;
  useEffect(() => {
    if (!search) return setFound(undefined);
    const load = async () => {
      const answer = await findTargets(search, mine).then(
        (targets) => ({ search, targets, failed: false }),
        () => ({ search, targets: [], failed: true }),
      );
      if (latest.current === search) setFound(answer);
    };
    const timer = setTimeout(load, PAUSE);
    return () => clearTimeout(timer);
  }, [search, mine]);
  return found?.search === search ? found : undefined;
};

type Props = {
  label: string;
  /** Whether targets of other users are left out, which administrators see. */
  mine?: boolean;
  /** The keys of targets that are not offered. */
  without: readonly string[];
  /** Whether the last choice is being saved: then nothing is picked, but the field keeps the focus. */
  busy: boolean;
  /** The id of the text that says what is wrong, if something is. */
  errorId: string | undefined;
  onPick: (target: NamedTarget) => void;
};

/** A field that finds a monitor or a server by its name. */
export function TargetPicker({ label, mine = false, without, busy, errorId, onPick }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const search = text.trim();
  const found = useFound(search, mine);
  const targets = found?.targets.filter((target) => !without.includes(keyOf(target))) ?? [];
  const open = search !== "" && found !== undefined;

  const reset = () => {
    setText("");
    setAt(0);
  };
  const pick = (target: NamedTarget | undefined) => {
    if (!target || busy) return;
    reset();
    onPick(target);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a word, the keys are its own.
    if (event.nativeEvent.isComposing || !open) return;
    const count = targets.length;
    if (event.key === "Enter") pick(targets[at]);
    else if (event.key === "Escape") reset();
    else if (event.key === "ArrowDown" && count > 0) setAt((at + 1) % count);
    else if (event.key === "ArrowUp" && count > 0) setAt((at + count - 1) % count);
    else return;
    event.preventDefault();
  };
  return (
    <div className="target-picker">
      <input
        type="text"
        role="combobox"
        aria-expanded={open}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={open && targets[at] ? `${id}-${at}` : undefined}
        aria-label={label}
        aria-invalid={errorId ? true : undefined}
        aria-describedby={errorId}
        placeholder={label}
        value={text}
        spellCheck={false}
        autoComplete="off"
        maxLength={200}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        onBlur={reset}
      />
      <div className="target-options" role="listbox" id={id} aria-label={label} hidden={!open || targets.length === 0}>
        {targets.map((target, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the search field keeps the focus
          <div
            key={keyOf(target)}
            role="option"
            id={`${id}-${place}`}
            aria-selected={place === at}
            className="palette-option"
            onPointerMove={() => setAt(place)}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => pick(target)}
          >
            <Icon name={target.type === "agent" ? "server" : "pulse"} />
            <span className="truncate">{target.name}</span>
            <span className="soft small">{t(`notifications.dependencies.type.${target.type}`)}</span>
          </div>
        ))}
      </div>
      <p className="soft small" role="status">
        {open && targets.length === 0
          ? t(found.failed ? "notifications.dependencies.searchFailed" : "notifications.dependencies.noMatch")
          : ""}
      </p>
    </div>
  );
}
