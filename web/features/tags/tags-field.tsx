import { useAtomValue } from "jotai";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { parseTagText, TAG_LIMITS, type TagColour, tagKey, tagText } from "../../../src/shared/tags";
import { Icon } from "../../ui/controls/icon";
import { TagLabel } from "../../ui/lists/tag-list";
import { tagsAtom } from "./api";

type Draft = { name: string; color?: TagColour; value?: string };

/** The tags in a form as the call that saves them takes them; left out where they are those that are stored. */
export const tagsIn = (form: FormData, stored: readonly Draft[] = []): { tags?: Draft[] } => {
  const sent = form.get("tags");
  const isKept = typeof sent !== "string" || sent === JSON.stringify(stored);
  return isKept ? {} : { tags: JSON.parse(sent) as Draft[] };
};

/** Adds what was typed: a name, or name:value, also with a full-width colon. A tag that is there already gets the new value. */
const withTyped = (tags: readonly Draft[], text: string): Draft[] => {
  const { name, value } = parseTagText(text.replaceAll("：", ":"));
  if (!name) return [...tags];
  const draft = { name: name.slice(0, TAG_LIMITS.name), ...(value && { value: value.slice(0, TAG_LIMITS.value) }) };
  const others = tags.filter((tag) => tagKey(tag.name) !== tagKey(name));
  return [...others, draft].slice(0, TAG_LIMITS.perTarget);
};

type Props = { stored?: readonly Draft[]; error?: string; label?: string };

/** A field for tags: Enter or a comma adds what is typed, Backspace in the empty field takes the last one away. */
export function TagsField({ stored = [], error, label }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const ownTags = useAtomValue(tagsAtom).data?.tags ?? [];
  const [tags, setTags] = useState<readonly Draft[]>(stored);
  const [typed, setTyped] = useState("");
  const hidden = useRef<HTMLInputElement>(null);
  const input = useRef<HTMLInputElement>(null);
  // A typed tag that is not added yet is saved as well.
  const all = withTyped(tags, typed);
  const value = JSON.stringify(all);
  const saved = useRef(value);

  // A form notices changes of fields that the user types into.
  useEffect(() => {
    if (saved.current === value) return;
    saved.current = value;
    hidden.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }, [value]);

  const add = () => {
    setTags(all);
    setTyped("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key === "Enter" || event.key === ",") && typed.trim() && !event.nativeEvent.isComposing) {
      event.preventDefault();
      add();
    } else if (event.key === "Backspace" && typed === "") setTags(tags.slice(0, -1));
  };
  const colourOf = ({ name, color }: Draft) =>
    ownTags.find((one) => tagKey(one.name) === tagKey(name))?.color ?? color ?? "gray";

  return (
    <div className="field tags-field">
      <label htmlFor={id}>{label ?? t("tags.title")}</label>
      <input ref={hidden} type="hidden" name="tags" value={value} />
      <ul className="tag-list">
        {tags.map((tag) => (
          <li key={tag.name} className="tag-chip">
            <TagLabel tag={{ ...tag, color: colourOf(tag) }} />
            <button
              type="button"
              aria-label={t("tags.remove", { name: tagText(tag) })}
              title={t("tags.remove", { name: tagText(tag) })}
              onClick={() => {
                setTags(tags.filter((other) => other !== tag));
                input.current?.focus();
              }}
            >
              <Icon name="cross" />
            </button>
          </li>
        ))}
        <li>
          <input
            ref={input}
            id={id}
            value={typed}
            list={`${id}-known`}
            autoComplete="off"
            maxLength={TAG_LIMITS.filter}
            placeholder={tags.length === 0 ? t("tags.placeholder") : undefined}
            aria-describedby={error ? `${id}-hint ${id}-error` : `${id}-hint`}
            aria-invalid={error ? true : undefined}
            onChange={(event) => setTyped(event.target.value.replace(/[,，]/g, ""))}
            onKeyDown={onKeyDown}
            onBlur={add}
          />
        </li>
      </ul>
      <datalist id={`${id}-known`}>
        {ownTags
          .filter(({ name }) => !tags.some((tag) => tagKey(tag.name) === tagKey(name)))
          .map(({ id: key, name }) => (
            <option key={key} value={name} />
          ))}
      </datalist>
      <span className="hint" id={`${id}-hint`}>
        {t("tags.hint")}
      </span>
      {error && (
        <span className="wrong" role="alert" id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  );
}
