import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BULK_LIMITS } from "../../../../src/shared/monitor";
import { IconButton } from "../../../ui/controls/icon-button";
import { Menu } from "../../../ui/controls/menu";
import { MaintenanceChoices } from "../../maintenance/start/choices";
import type { ListedMonitor, Selection } from "../api";
import { type Change, readTargets, type Target } from "./api";
import { BulkConfirm } from "./bulk-confirm";
import type { Marking } from "./marking";
import { type Setting, SettingDialog } from "./setting-dialog";

type Props = {
  marking: Marking;
  monitors: readonly ListedMonitor[];
  /** The number of monitors that the list has, loaded or not. */
  total: number;
  by: Pick<Selection, "search" | "tags" | "filter">;
  onChanged: () => void;
};

const SETTINGS = ["tags", "interval", "channels"] as const;

/** What can be done to the monitors that are marked. It stays in sight below the list. */
export function BulkBar({ marking, monitors, total, by, onChanged }: Props) {
  const { t } = useTranslation();
  const [change, setChange] = useState<Change>();
  const [setting, setSetting] = useState<Setting>();
  const { ids, everything } = marking;
  const count = everything ? total : ids.length;
  const target: Target = everything ? { filter: by } : { ids };
  const { search, tags, filter } = by;

  return (
    <section className="bulk-bar card" aria-label={t("bulk.label")}>
      <p>
        <strong role="status">{t("bulk.count", { count })}</strong>
        {count === 0 && <span className="soft small">{t("bulk.hint")}</span>}
        {count < total && total <= BULK_LIMITS.monitors && (
          <button type="button" className="quiet compact" onClick={marking.markAll}>
            {t("bulk.all", { count: total })}
          </button>
        )}
      </p>
      {count > 0 && (
        <div className="actions">
          {(["pause", "resume", "check"] as const).map((action) => (
            <button key={action} type="button" className="plain compact" onClick={() => setChange({ action })}>
              {t(`bulk.action.${action}`)}
            </button>
          ))}
          {SETTINGS.map((name) => (
            <button key={name} type="button" className="plain compact" onClick={() => setSetting(name)}>
              {t(`bulk.setting.${name}`)}
            </button>
          ))}
          <div className="bulk-menu">
            <Menu
              label={t("notifications.maintenance.title")}
              button={<span aria-hidden="true">{t("notifications.maintenance.title")}</span>}
            >
              <MaintenanceChoices targets={() => readTargets(target, monitors)} onChanged={onChanged} />
            </Menu>
          </div>
          <button type="button" className="plain compact" onClick={() => setChange({ action: "delete" })}>
            {t("common.action.delete")}
          </button>
        </div>
      )}
      <IconButton
        icon="cross"
        label={t("bulk.stop")}
        className="quiet compact icon-only close"
        onClick={marking.stop}
      />
      {setting && (
        <SettingDialog
          setting={setting}
          onClose={() => setSetting(undefined)}
          onChosen={(set) => {
            setSetting(undefined);
            setChange({ set });
          }}
        />
      )}
      {change && (
        <BulkConfirm
          key={JSON.stringify([change, ids, everything, search, tags, filter])}
          target={target}
          change={change}
          nameOf={(id) => monitors.find((monitor) => monitor.id === id)?.name ?? `#${id}`}
          onChanged={() => {
            if ("action" in change && change.action === "delete") marking.stop();
            onChanged();
          }}
          onClose={() => setChange(undefined)}
        />
      )}
    </section>
  );
}
