import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { Switch } from "../../../ui/controls/switch";
import type { Target } from "./select-targets";
import { kindOf, withOverride } from "./setting";
import { SettingFields } from "./setting-fields";
import type { Editing } from "./use-settings";

type Props = Editing & { target: Target };

/** One monitor or agent: it follows the global settings, or has its own, which then unfold. */
export function SpecificItem({ target: { key, id, name, about }, setting, channels, onChange }: Props) {
  const { t } = useTranslation();
  const { overrideGlobal, enabled } = setting;
  const state = overrideGlobal ? (enabled ? "ownSettings" : "muted") : "followsGlobal";
  return (
    <article className="card target">
      <header>
        <div>
          <h2 className="truncate">
            <Link href={kindOf(key) === "monitor" ? paths.monitor(id) : paths.agent(id)}>{name}</Link>
          </h2>
          <p className="soft small truncate">{about}</p>
        </div>
        <div className="target-switch">
          <Switch
            label={t("notifications.specific.override")}
            name={t("notifications.specific.overrideOf", { name })}
            checked={overrideGlobal}
            onChange={(on) => onChange(withOverride(on))}
          />
          <span className="soft small">{t(`notifications.specific.${state}`)}</span>
        </div>
      </header>
      {overrideGlobal && <SettingFields target={key} setting={setting} channels={channels} onChange={onChange} />}
    </article>
  );
}
