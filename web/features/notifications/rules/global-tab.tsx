import { useTranslation } from "react-i18next";
import type { Notifications } from "../normalise";
import { FirstSteps } from "./first-steps";
import type { GlobalKey } from "./setting";
import { SettingFields } from "./setting-fields";
import { useDrafts } from "./use-settings";

const cards = [
  { key: "global-monitor", words: "monitors" },
  { key: "global-agent", words: "agents" },
] as const satisfies { key: GlobalKey; words: string }[];

export function GlobalTab({ data, onAddChannel }: { data: Notifications; onAddChannel: () => void }) {
  const { t } = useTranslation();
  const drafts = useDrafts(data.settings);
  return (
    <div className="stack">
      <FirstSteps data={data} onAddChannel={onAddChannel} />
      <div className="setting-cards">
        {cards.map(({ key, words }) => (
          <section key={key} className="card" aria-label={t(`notifications.setting.${words}`)}>
            <SettingFields
              target={key}
              title={t(`notifications.setting.${words}`)}
              hint={t(`notifications.setting.${words}Hint`)}
              setting={drafts.of(key)}
              channels={data.channels}
              onChange={(change) => drafts.change(key, "", change)}
            />
          </section>
        ))}
      </div>
    </div>
  );
}
