import { useId } from "react";
import { useTranslation } from "react-i18next";
import { METRICS } from "../../../../src/shared/alerts";
import { Switch } from "../../../ui/controls/switch";
import { ChannelChoice } from "./channel-choice";
import { kindOf, type TargetKey, withEnabled } from "./setting";
import { ThresholdField } from "./threshold-field";
import type { Editing } from "./use-settings";

const events = { monitor: ["onDown", "onRecovery"], agent: ["onOffline", "onRecovery"] } as const;

type Props = Editing & { target: TargetKey; title?: string; hint?: string };

/** What is wanted of one target: whether at all, of what, and through which channels. */
export function SettingFields({ target, title, hint, setting, channels, onChange }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const kind = kindOf(target);
  return (
    <div className="setting">
      <header>
        {title ? (
          <div>
            <h2>{title}</h2>
            {hint && <p className="soft small">{hint}</p>}
          </div>
        ) : null}
        <Switch
          label={t("notifications.setting.enabled")}
          checked={setting.enabled}
          onChange={(enabled) => onChange(withEnabled(enabled, setting, channels))}
        />
      </header>
      <fieldset disabled={!setting.enabled} aria-labelledby={`${id}-when`}>
        <legend id={`${id}-when`}>{t("notifications.setting.when")}</legend>
        {events[kind].map((field) => (
          <label key={field}>
            <input
              type="checkbox"
              checked={setting[field]}
              onChange={(event) => onChange({ [field]: event.target.checked })}
            />
            {t(`notifications.setting.${field}`)}
          </label>
        ))}
        {kind === "agent" && (
          <>
            {METRICS.map((metric) => (
              <ThresholdField key={metric} metric={metric} setting={setting} onChange={onChange} />
            ))}
            <p className="hint">{t("notifications.setting.thresholdHint")}</p>
          </>
        )}
      </fieldset>
      <ChannelChoice
        disabled={!setting.enabled}
        chosen={setting.channels}
        channels={channels}
        onChange={(chosen) => onChange({ channels: chosen })}
      />
    </div>
  );
}
