import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import type { Channel } from "../normalise";

type Props = {
  disabled: boolean;
  chosen: readonly number[];
  channels: readonly Channel[];
  onChange: (chosen: number[]) => void;
};

/** Through which channels. The built-in one has the id 0. */
export function ChannelChoice({ disabled, chosen, channels, onChange }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const toggle = (channel: number, on: boolean) =>
    onChange(on ? [...chosen, channel] : chosen.filter((one) => one !== channel));
  return (
    <fieldset disabled={disabled} aria-labelledby={`${id}-channels`}>
      <legend id={`${id}-channels`}>{t("notifications.setting.channels")}</legend>
      {channels.map(({ id, name, enabled }) => (
        <label key={id}>
          <input type="checkbox" checked={chosen.includes(id)} onChange={(event) => toggle(id, event.target.checked)} />
          {enabled ? name : t("notifications.setting.channelOff", { name })}
        </label>
      ))}
      {channels.length === 0 ? (
        <p className="hint">
          {t("notifications.setting.noChannels")}{" "}
          <Link href={`${paths.notifications}?tab=channels&add`}>{t("notifications.start.addChannel")}</Link>
        </p>
      ) : (
        !disabled &&
        chosen.length === 0 && (
          <p className="message warn" role="status">
            <Icon name="alert" />
            {t("notifications.setting.noneChosen")}
          </p>
        )
      )}
    </fieldset>
  );
}
