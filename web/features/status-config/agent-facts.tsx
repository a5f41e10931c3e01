import { useTranslation } from "react-i18next";
import { Switch } from "../../ui/controls/switch";
import type { Body } from "./calls";

const facts = ["hostname", "os", "version"] as const;
type Props = { draft: Body; onChange: (change: Partial<Body>) => void };

/** Which facts of the chosen servers the status page shows besides their names and metrics. */
export function AgentFacts({ draft, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <fieldset className="card agent-facts">
      <legend className="visually-hidden">{t("status.agents.facts.legend")}</legend>
      <p className="soft small">{t("status.agents.facts.hint")}</p>
      {facts.map((fact) => (
        <Switch
          key={fact}
          label={t(`status.agents.facts.${fact}`)}
          checked={draft[`show_${fact}`]}
          onChange={(checked) => onChange({ [`show_${fact}`]: checked })}
        />
      ))}
    </fieldset>
  );
}
