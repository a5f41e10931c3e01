import { useTranslation } from "react-i18next";
import { Icon } from "../../../../ui/controls/icon";
import type { ServerDetail } from "../../api";
import { alertingOf } from "./containers";
import { ContainersPanel } from "./containers-panel";
import { FailedUnits } from "./failures-panel";

/** The containers of a machine, and its services that failed. */
export function PartsTab({ machine, onChanged }: { machine: ServerDetail; onChanged: () => void }) {
  const { t } = useTranslation();
  const { failed_units: units, containers, containers_total } = machine;
  return (
    <div className="stack">
      {units && units.length > 0 && <FailedUnits units={units} outages={machine.outages} onChanged={onChanged} />}
      {units?.length === 0 && (
        <p className="soft well">
          <Icon name="check" />
          {t("servers.units.none")}
        </p>
      )}
      {containers && containers.length > 0 && (
        <ContainersPanel containers={containers} total={containers_total ?? null} alerting={alertingOf(machine)} />
      )}
      {containers?.length === 0 && <p className="soft">{t("servers.containers.none")}</p>}
    </div>
  );
}
