import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { TAG_COLOURS, TAG_LIMITS, type TagColour } from "../../../src/shared/tags";
import { Icon } from "../../ui/controls/icon";
import { useModal } from "../../ui/feedback/confirm-dialog";
import { toast } from "../../ui/feedback/toast";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { TagDot } from "../../ui/lists/tag-list";
import { deleteTag, type OwnTag, updateTag } from "./api";

type RowProps = { tag: OwnTag; act: (work: () => Promise<unknown>, done: string) => Promise<void> };

function TagRow({ tag, act }: RowProps) {
  const { t } = useTranslation();
  const { id, name, color, monitors, agents } = tag;
  const [asked, setAsked] = useState(false);
  const uses = monitors + agents;

  const rename = (text: string) => {
    if (text.trim() && text.trim() !== name) void act(() => updateTag(id, { name: text }), t("tags.saved"));
  };

  return (
    <li>
      <TagDot color={color} />
      <input
        aria-label={t("tags.nameOf", { name })}
        defaultValue={name}
        maxLength={TAG_LIMITS.name}
        onBlur={(event) => rename(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") rename(event.currentTarget.value);
        }}
      />
      <select
        aria-label={t("tags.colourOf", { name })}
        value={color}
        onChange={(event) => void act(() => updateTag(id, { color: event.target.value as TagColour }), t("tags.saved"))}
      >
        {TAG_COLOURS.map((colour) => (
          <option key={colour} value={colour}>
            {t(`tags.colour.${colour}`)}
          </option>
        ))}
      </select>
      <span className="soft small uses">{t("tags.uses", { count: uses })}</span>
      {/* Deleting a tag in use needs confirmation. */}
      <button
        type="button"
        className={asked ? "danger compact" : "quiet compact icon-only"}
        aria-label={t("common.labelled", { label: t("common.action.delete"), value: name })}
        title={t("common.action.delete")}
        onBlur={() => setAsked(false)}
        onClick={() => {
          if (uses > 0 && !asked) return setAsked(true);
          void act(() => deleteTag(id), t("tags.deleted"));
        }}
      >
        {asked ? t("common.action.delete") : <Icon name="trash" />}
      </button>
    </li>
  );
}

type Props = { tags: readonly OwnTag[]; onChanged: () => void; onClose: () => void };

/** Renames, recolours and deletes the viewer's tags, each at once. */
export function TagManager({ tags, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const dialog = useModal();
  const id = useId();

  const act = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      toast(done);
    } catch (error) {
      toast(failureText(t("tags.failed"), error), { tone: "bad" });
    }
    onChanged();
  };

  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <article className="stack">
        <h2 id={id}>{t("tags.manage")}</h2>
        {tags.length === 0 ? (
          <p className="soft">{t("tags.none")}</p>
        ) : (
          <ul className="tag-rows">
            {tags.map((tag) => (
              <TagRow key={`${tag.id} ${tag.name}`} tag={tag} act={act} />
            ))}
          </ul>
        )}
        <div className="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            {t("tags.done")}
          </button>
        </div>
      </article>
    </dialog>
  );
}
