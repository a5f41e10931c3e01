import { useTranslation } from "react-i18next";
import type { ChannelForm } from "../../../../src/shared/channel-fields";
import { useChannelWords } from "../use-channel-words";

/** Announced on the page, and not available yet. */
const planned = ["slack", "dingtalk", "wecom", "feishu"] as const;

type Props = { forms: readonly ChannelForm[]; chosen: string; onChoose: (kind: string) => void };

/** Every kind of channel. The planned ones are shown disabled. */
export function TypeChoice({ forms, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const words = useChannelWords();
  return (
    <fieldset className="field">
      <legend>{t("notifications.form.type")}</legend>
      <div className="type-choice">
        {forms.map(({ kind }) => (
          <label key={kind}>
            <input type="radio" name="type" value={kind} checked={kind === chosen} onChange={() => onChoose(kind)} />
            <span>{words.kind(kind)}</span>
          </label>
        ))}
        {planned
          .filter((kind) => !forms.some((form) => form.kind === kind))
          .map((kind) => (
            <label key={kind} className="soon">
              <input type="radio" name="type" value={kind} disabled />
              <span>
                {t(`channels.planned.${kind}`)}
                <small>{t("notifications.channel.soon")}</small>
              </span>
            </label>
          ))}
      </div>
    </fieldset>
  );
}
