import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { DiskArray } from "../../../../../src/shared/agents/report";
import { paths } from "../../../../paths";
import { CopyButton } from "../../../../ui/controls/copy-button";
import { StatusMark } from "../../../../ui/feedback/badge";
import { useFormat } from "../../../../ui/hooks/use-format";
import { AcknowledgeButton, AcknowledgedMark } from "../../../problems/acknowledge";
import { useArrayState } from "../../../problems/use-reason";
import type { ServerDetail } from "../../api";
import { MachineName } from "./machine-name";
import { Panel } from "./panel";

type UnitsProps = { units: readonly string[]; outages: ServerDetail["outages"]; onChanged: () => void };

/** The failed systemd units of a machine, each with its start, a command for its cause, and its acknowledgement. */
export function FailedUnits({ units, outages, onChanged }: UnitsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { length } = units;
  return (
    <Panel
      title={t("servers.units.title")}
      note={t("servers.units.count", { count: length, number: format.number(length) })}
    >
      <ul className="named-list failed-units">
        {units.map((unit) => {
          const command = `systemctl status ${unit}`;
          const outage = outages.find(
            ({ kind, subject, ended_at }) => kind === "service" && subject === unit && ended_at === null,
          );
          return (
            <li key={unit}>
              <StatusMark status="degraded" label="" />
              <MachineName name={unit} className="name" />
              {outage && (
                <Link href={paths.outage(outage.id)} className="small">
                  {t("problems.since", { time: format.moment(outage.started_at) })}
                </Link>
              )}
              <span className="command">
                <code className="truncate">{command}</code>
                <CopyButton text={command} what={command} isIcon />
              </span>
              {outage && (
                <>
                  <AcknowledgedMark acknowledged={outage.acknowledged} />
                  <AcknowledgeButton
                    outage={{ id: outage.id, name: unit }}
                    acknowledged={outage.acknowledged}
                    onChanged={onChanged}
                  />
                </>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The RAID arrays and ZFS pools of a machine, degraded ones first. */
export function ArraysPanel({ arrays }: { arrays: readonly DiskArray[] }) {
  const { t } = useTranslation();
  const stateText = useArrayState();
  const sorted = arrays.toSorted((a, b) => Number(b.degraded) - Number(a.degraded));
  return (
    <Panel title={t("servers.arrays.title")}>
      <ul className="named-list arrays">
        {sorted.map(({ name, kind, state, degraded }) => (
          <li key={`${kind} ${name}`} className={degraded ? "degraded" : undefined}>
            <StatusMark status={degraded ? "degraded" : "up"} label="" />
            <MachineName name={name} className="array-name" />
            <span className="soft small">{t(`servers.arrays.kind.${kind}`)}</span>
            <span className="stated" title={state}>
              {capitalized(stateText(state, degraded))}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
