import { useTranslation } from "react-i18next";
import type { Notifications } from "../normalise";
import { type GlobalKey, useDrafts } from "./drafts";
import { FirstSteps } from "./first-steps";
import { SettingFields } from "./setting-fields";

const cards = [
  { key: "global-monitor", label: "monitors" },
  { key: "global-agent", label: "agents" },
] as const satisfies { key: GlobalKey; label: string }[];

export function GlobalTab({ data, onAddChannel }: { data: Notifications; onAddChannel: () => void }) {
  const { t } = useTranslation();
  const drafts = useDrafts(data.settings);
  return (
    <div className="stack">
      <FirstSteps data={data} onAddChannel={onAddChannel} />
      <div className="setting-cards">
        {cards.map(({ key, label }) => (
          <section key={key} className="card" aria-label={t(`notifications.setting.${label}`)}>
            <SettingFields
              target={key}
              title={t(`notifications.setting.${label}`)}
              hint={t(`notifications.setting.${label}Hint`)}
              setting={drafts.of(key)}
              channels={data.channels}
              policies={data.policies}
              onChange={(change) => drafts.change(key, "", change)}
            />
          </section>
        ))}
      </div>
    </div>
  );
}
