import { useTranslation } from "react-i18next";
import { MINUTE } from "../../../../src/shared/limits";
import { FLAPPING } from "../../../../src/shared/notifications";
import { bootstrap } from "../../../bootstrap";
import type { Notifications } from "../api";
import { type GlobalKey, useDrafts } from "./drafts";
import { FirstSteps } from "./first-steps";
import { SettingFields } from "./setting-fields";

const cards = [
  { key: "global-monitor", label: "monitors" },
  { key: "global-agent", label: "agents" },
] as const satisfies { key: GlobalKey; label: string }[];

/** When alerts wait for others, and when they go quiet, as this installation is configured. */
function Pace() {
  const { t } = useTranslation();
  const { groupSeconds, flapChanges } = bootstrap.alerts;
  const sentences = [
    groupSeconds > 0 && t("notifications.pace.group", { seconds: groupSeconds }),
    flapChanges > 0 &&
      t("notifications.pace.flap", {
        changes: flapChanges,
        window: FLAPPING.window / MINUTE,
        quiet: FLAPPING.quiet / MINUTE,
      }),
  ].filter((sentence) => sentence !== false);
  return (
    <div className="soft small">
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}

export function GlobalTab({ data, onAddChannel }: { data: Notifications; onAddChannel: () => void }) {
  const { t } = useTranslation();
  const drafts = useDrafts(data.settings);
  return (
    <div className="stack">
      <FirstSteps data={data} onAddChannel={onAddChannel} />
      <Pace />
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
