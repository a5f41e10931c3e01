import { useAtomValue } from "jotai";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useModal } from "../../../ui/feedback/confirm-dialog";
import { tagsAtom } from "../../tags/api";
import { TagsField, tagsIn } from "../../tags/tags-field";
import { IntervalField, intervalIn } from "../form/interval-field";
import { type Change, channelsAtom } from "./api";

export type Setting = "tags" | "interval" | "channels";
type Set = Extract<Change, { set: unknown }>["set"];

/** Tags to add, and the viewer's tags to remove. */
function TagChoices() {
  const { t } = useTranslation();
  const tags = useAtomValue(tagsAtom).data?.tags ?? [];
  return (
    <>
      <TagsField label={t("bulk.addTags")} />
      {tags.length > 0 && (
        <fieldset className="bulk-choices">
          <legend>{t("bulk.removeTags")}</legend>
          {tags.map(({ id, name }) => (
            <label key={id}>
              <input type="checkbox" name="remove" value={name} />
              {name}
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

function ChannelChoices() {
  const { t } = useTranslation();
  const channels = useAtomValue(channelsAtom).data ?? [];
  const [own, setOwn] = useState(true);
  return (
    <>
      <fieldset className="bulk-choices">
        <legend>{t("bulk.setting.channels")}</legend>
        {[true, false].map((value) => (
          <label key={String(value)}>
            <input
              type="radio"
              name="own"
              value={value ? "1" : ""}
              checked={own === value}
              onChange={() => setOwn(value)}
            />
            {t(value ? "bulk.ownChannels" : "bulk.sameChannels")}
          </label>
        ))}
      </fieldset>
      {own && (
        <fieldset className="bulk-choices" aria-label={t("bulk.ownChannels")}>
          {channels.map(({ id, name }) => (
            <label key={id}>
              <input type="checkbox" name="channel" value={id} />
              {name}
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

function IntervalChoice() {
  return <IntervalField seconds={300} />;
}

const CHOICES = { tags: TagChoices, channels: ChannelChoices, interval: IntervalChoice };

/** The values of the form, or undefined if it sets nothing. */
const readSet = (setting: Setting, form: FormData): Set | undefined => {
  if (setting === "interval") return { interval: intervalIn(form) };
  if (setting === "channels") return { channels: form.get("own") ? form.getAll("channel").map(Number) : null };
  const { tags: add_tags = [] } = tagsIn(form);
  const remove_tags = form.getAll("remove").map(String);
  if (add_tags.length + remove_tags.length === 0) return undefined;
  return { ...(add_tags.length > 0 && { add_tags }), ...(remove_tags.length > 0 && { remove_tags }) };
};

type Props = { setting: Setting; onChosen: (set: Set) => void; onClose: () => void };

/** Asks what many monitors get. */
export function SettingDialog({ setting, onChosen, onClose }: Props) {
  const { t } = useTranslation();
  const dialog = useModal();
  const id = useId();
  const Choices = CHOICES[setting];

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const set = readSet(setting, new FormData(event.currentTarget));
    if (set) onChosen(set);
    else onClose();
  };

  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <article>
        <form className="sheet" onSubmit={onSubmit}>
          <h2 id={id}>{t(`bulk.setting.${setting}`)}</h2>
          <Choices />
          <div className="actions">
            <button type="button" className="quiet" onClick={onClose}>
              {t("common.action.cancel")}
            </button>
            <button type="submit">{t("bulk.next")}</button>
          </div>
        </form>
      </article>
    </dialog>
  );
}
