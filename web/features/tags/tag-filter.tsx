import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { parseTagText, tagKey } from "../../../src/shared/tags";
import { Icon } from "../../ui/controls/icon";
import { Menu } from "../../ui/controls/menu";
import { TagLabel } from "../../ui/lists/tag-list";
import { tagsAtom } from "./api";
import { TagManager } from "./tag-manager";

type Props = {
  of: "monitors" | "agents";
  /** The tags of the list's filter, as in the address. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** Called when tags were renamed, recoloured or deleted. */
  onManaged: () => void;
};

/** Chooses the tags that a list is filtered by, and opens the manager of tags. Without any tag it is not shown. */
export function TagFilter({ of, chosen, onChange, onManaged }: Props) {
  const { t } = useTranslation();
  const [{ data }, refresh] = useAtom(tagsAtom);
  const [managing, setManaging] = useState(false);
  const tags = data?.tags ?? [];
  if (tags.length === 0 && chosen.length === 0) return null;
  const isChosen = (name: string) => chosen.some((text) => tagKey(parseTagText(text).name) === tagKey(name));
  const colourOf = (text: string) => tags.find(({ name }) => name === parseTagText(text).name)?.color ?? "gray";

  return (
    <div className="tag-filter">
      <Menu
        label={t("tags.filter")}
        button={
          <>
            <Icon name="label" />
            <span className="label">{t("tags.title")}</span>
          </>
        }
      >
        {tags
          .filter(({ name }) => !isChosen(name))
          .map((tag) => (
            <button key={tag.id} type="button" role="menuitem" onClick={() => onChange([...chosen, tag.name])}>
              <TagLabel tag={tag} />
              <span className="count figure">{tag[of]}</span>
            </button>
          ))}
        <hr />
        <button type="button" role="menuitem" onClick={() => setManaging(true)}>
          <Icon name="edit" />
          {t("tags.manage")}
        </button>
      </Menu>
      {chosen.map((text) => (
        <span key={text} className="tag-chip">
          <TagLabel tag={{ ...parseTagText(text), color: colourOf(text) }} />
          <button
            type="button"
            aria-label={t("tags.unfilter", { name: text })}
            title={t("tags.unfilter", { name: text })}
            onClick={() => onChange(chosen.filter((other) => other !== text))}
          >
            <Icon name="cross" />
          </button>
        </span>
      ))}
      {managing && (
        <TagManager
          tags={tags}
          onChanged={() => {
            void refresh();
            onManaged();
          }}
          onClose={() => setManaging(false)}
        />
      )}
    </div>
  );
}
