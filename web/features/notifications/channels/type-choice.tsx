import { useTranslation } from "react-i18next";
import type { ChannelType } from "../../../../src/shared/alerts";
import { channelTypes, isUsable } from "./channel-body";

/** Every kind of channel; those to come can be seen, but not chosen. */
export function TypeChoice({ chosen, onChoose }: { chosen: ChannelType; onChoose: (type: ChannelType) => void }) {
  const { t } = useTranslation();
  return (
    <fieldset className="field">
      <legend>{t("notifications.form.type")}</legend>
      <div className="type-choice">
        {channelTypes.map((type) => (
          <label key={type} className={isUsable(type) ? undefined : "soon"}>
            <input
              type="radio"
              name="type"
              value={type}
              disabled={!isUsable(type)}
              checked={type === chosen}
              onChange={() => isUsable(type) && onChoose(type)}
            />
            <span>
              {t(`notifications.channel.type.${type}`)}
              {!isUsable(type) && <small>{t("notifications.channel.soon")}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
