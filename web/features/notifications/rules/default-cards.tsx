import { useState } from "react";
import { useTranslation } from "react-i18next";
import { MINUTE } from "../../../../src/shared/limits";
import { FLAPPING } from "../../../../src/shared/notifications";
import { bootstrap } from "../../../bootstrap";
import { AlertSentence } from "../alerts-tab/sentence";
import type { Notifications } from "../api";
import { type GlobalKey, type Setting, useDrafts } from "./drafts";
import { useFirstStep } from "./first-steps";
import { RuleFields, RuleSwitch } from "./setting-fields";

const cards = [
  { target: "global-monitor", label: "monitors" },
  { target: "global-agent", label: "agents" },
] as const satisfies { target: GlobalKey; label: string }[];

/** When alerts wait for others, and when they go quiet, as this installation is configured. */
export function Pace() {
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
  if (sentences.length === 0) return null;
  return (
    <details className="card messages-part pace">
      <summary>
        <h2>{t("notifications.pace.title")}</h2>
      </summary>
      {sentences.map((sentence) => (
        <p key={sentence} className="soft small">
          {sentence}
        </p>
      ))}
    </details>
  );
}

/** The rules of all monitors and of all servers: each as a sentence, with its fields below on demand. */
export function DefaultCards({ data }: { data: Notifications }) {
  return (
    <div className="setting-cards">
      {cards.map((card) => (
        <DefaultCard key={card.target} data={data} {...card} />
      ))}
    </div>
  );
}

type Props = { data: Notifications } & (typeof cards)[number];

function DefaultCard({ data, target, label }: Props) {
  const { t } = useTranslation();
  const drafts = useDrafts(data.settings);
  const setting = drafts.of(target);
  const title = t(`notifications.setting.${label}`);
  const editing = {
    setting,
    channels: data.channels,
    policies: data.policies,
    onChange: (change: Partial<Setting>) => drafts.change(target, "", change),
  };
  const [isOpen, setOpen] = useState(false);
  // The first step above both cards says why no one is notified.
  const isSaid = useFirstStep(data) !== undefined;
  return (
    <section className="card default-card" aria-label={title}>
      <header>
        <div>
          <h2>{title}</h2>
          <p className="soft small">{t(`notifications.setting.${label}Hint`)}</p>
        </div>
        <RuleSwitch
          {...editing}
          onChange={(change) => {
            editing.onChange(change);
            if (change.enabled) setOpen(true);
          }}
        />
      </header>
      {!isSaid && <AlertSentence alerts={data.defaults[label].alerts} isDefault />}
      <details className="disclosure" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{t("alerts.rule.details")}</summary>
        <div className="setting">
          <RuleFields target={target} {...editing} />
        </div>
      </details>
    </section>
  );
}
