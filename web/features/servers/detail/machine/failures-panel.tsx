import { useTranslation } from "react-i18next";
import type { DiskArray } from "../../../../../src/shared/agents/report";
import { StatusMark } from "../../../../ui/feedback/badge";
import { useFormat } from "../../../../ui/hooks/use-format";
import { MachineName } from "./machine-name";
import { Panel } from "./panel";

/** The systemd units of a machine that have failed. */
export function FailedUnits({ units }: { units: readonly string[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { length } = units;
  return (
    <Panel
      title={t("servers.units.title")}
      note={t("servers.units.count", { count: length, number: format.number(length) })}
    >
      <ul className="named-list">
        {units.map((unit) => (
          <li key={unit}>
            <StatusMark status="degraded" label="" />
            <MachineName name={unit} />
          </li>
        ))}
      </ul>
      <p className="soft small below-list">{t("servers.units.hint")}</p>
    </Panel>
  );
}

/** The RAID arrays and ZFS pools of a machine, degraded ones first. */
export function ArraysPanel({ arrays }: { arrays: readonly DiskArray[] }) {
  const { t } = useTranslation();
  const sorted = arrays.toSorted((a, b) => Number(b.degraded) - Number(a.degraded));
  return (
    <Panel title={t("servers.arrays.title")}>
      <ul className="named-list arrays">
        {sorted.map(({ name, kind, state, degraded }) => (
          <li key={`${kind} ${name}`} className={degraded ? "degraded" : undefined}>
            <StatusMark status={degraded ? "degraded" : "up"} label="" />
            <MachineName name={name} className="array-name" />
            <span className="soft small">{t(`servers.arrays.kind.${kind}`)}</span>
            <span className="stated">
              {degraded ? t("servers.arrays.degraded") : t("servers.arrays.well")}
              {state && <MachineName name={state} className="soft small" />}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
