import { useTranslation } from "react-i18next";
import { Segments } from "../../../ui/controls/segments";
import { type Architecture, architectures, type System, systems, type Target } from "./commands";

type Props = { target: Target; onSystem: (system: System) => void; onArchitecture: (value: Architecture) => void };

/** What kind of machine it is. */
export function GuideTarget({ target, onSystem, onArchitecture }: Props) {
  const { t } = useTranslation();
  return (
    <div className="choices">
      <div>
        <span className="choice-label">{t("agents.guide.system")}</span>
        <Segments
          label={t("agents.guide.system")}
          choices={systems.map((value) => ({ value, label: t(`agents.guide.systems.${value}`) }))}
          chosen={target.system}
          onChoose={onSystem}
        />
      </div>
      <div>
        <span className="choice-label">{t("agents.guide.architecture")}</span>
        <Segments
          label={t("agents.guide.architecture")}
          choices={architectures.map((value) => ({ value, label: value }))}
          chosen={target.architecture}
          onChoose={onArchitecture}
        />
      </div>
    </div>
  );
}
