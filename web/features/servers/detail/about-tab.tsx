import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { readableName } from "../../../lib/format";
import { paths } from "../../../paths";
import { CopyButton } from "../../../ui/controls/copy-button";
import { Ago } from "../../../ui/feedback/ago";
import { Elapsed } from "../../../ui/feedback/elapsed";
import { useFormat } from "../../../ui/hooks/use-format";
import { FactPanel, FactPanels, type FactRows } from "../../../ui/layout/fact-panel";
import { useCanChange } from "../../teams/use-can-change";
import type { ServerDetail } from "../api";
import { uptimeOf } from "./server-facts";

/** Names that a machine reports, each in a line. */
const Lines = ({ names }: { names: readonly string[] }) =>
  names.map((name, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two parts of a machine may have one name
    <Fragment key={place}>
      {place > 0 && <br />}
      {readableName(name)}
    </Fragment>
  ));

/** The facts about a server: its system, hardware, agent, addresses and ID. */
export function AboutTab({ agent }: { agent: ServerDetail }) {
  return (
    <FactPanels>
      <SystemPanel agent={agent} />
      <HardwarePanel agent={agent} />
      <AgentPanel agent={agent} />
      <AddressesPanel agent={agent} />
    </FactPanels>
  );
}

type Props = { agent: ServerDetail };

function SystemPanel({ agent: { hostname, os, version, boot_time, status, reboot_required } }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const rows: FactRows = [
    [t("agents.detail.hostname"), readableName(hostname), hostname],
    [t("agents.detail.os"), os && readableName(os)],
    [t("agents.detail.version"), version && readableName(version), version],
    [t("agents.detail.booted"), boot_time && format.dateTime(boot_time)],
    [t("agents.detail.uptime"), boot_time && status === "active" && <Elapsed since={boot_time} />],
    [
      t("agents.detail.restart"),
      reboot_required !== null && t(reboot_required ? "servers.rebootRequired" : "agents.detail.restartNone"),
    ],
  ];
  return <FactPanel title={t("agents.detail.about.system")} rows={rows} />;
}

function HardwarePanel({ agent }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { processors, memory_total, swap, disk_total, disks, disk_activity, gpus, interfaces } = agent;
  const sizes = disks && disks.length > 1 && t("agents.detail.filesystems", { count: disks.length });
  const rows: FactRows = [
    [t("agents.detail.processors"), processors && format.number(processors)],
    [t("agents.resource.memory"), memory_total && format.size(memory_total)],
    [t("agents.resource.swap"), swap && (swap.total > 0 ? format.size(swap.total) : t("common.none"))],
    [t("agents.resource.disk"), disk_total && [format.size(disk_total), sizes].filter(Boolean).join(" · ")],
    [
      t("servers.devices.title"),
      disk_activity?.length && disk_activity.map(({ device }) => readableName(device)).join(" · "),
    ],
    [t("servers.gpus.title"), gpus?.length && <Lines names={gpus.map(({ name }) => name)} />],
    [
      t("servers.devices.interfaces"),
      interfaces?.length && interfaces.map(({ name }) => readableName(name)).join(" · "),
    ],
  ];
  return <FactPanel title={t("agents.detail.about.hardware")} rows={rows} />;
}

function AgentPanel({ agent }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  // The command of the guide updates a known machine.
  const canChange = useCanChange(agent);
  const { agent_version, update_available, agent_kind, agent_platform, interval, updated_at, series } = agent;
  const version = agent_version && (
    <>
      {readableName(agent_version)}{" "}
      {update_available &&
        (canChange ? (
          <Link href={paths.agentCreate}>{t("servers.updateAvailable")}</Link>
        ) : (
          <strong>{t("servers.updateAvailable")}</strong>
        ))}
    </>
  );
  const reported = updated_at ? (
    <>
      {format.dateTime(updated_at)}{" "}
      <span className="soft">
        · <Ago time={updated_at} />
      </span>
    </>
  ) : (
    t("agents.never")
  );
  const rows: FactRows = [
    [t("agents.detail.agentVersion"), version],
    [t("agents.detail.program"), agent_kind && t(`servers.guide.kind.${agent_kind}.name`)],
    [t("agents.detail.platform"), agent_platform && readableName(agent_platform)],
    [t("agents.detail.interval"), interval && format.duration(interval)],
    [t("agents.detail.lastReport"), reported],
    [t("agents.detail.series"), series.length > 0 && format.number(series.length)],
  ];
  return <FactPanel title={t("agents.detail.about.agent")} rows={rows} />;
}

function AddressesPanel({ agent }: Props) {
  const { id, ip_addresses, owner, created_at } = agent;
  const monitored = uptimeOf(agent);
  const { t } = useTranslation();
  const format = useFormat();
  const label = t("agents.detail.addresses");
  const addresses = ip_addresses.map((address) => (
    <span key={address} className="address">
      <code>{address}</code>
      <CopyButton text={address} what={address} isIcon />
    </span>
  ));
  return (
    <FactPanel
      title={t("agents.detail.about.place")}
      rows={[
        [label, addresses.length > 0 ? addresses : t("common.none")],
        [t("agents.detail.id"), String(id), String(id)],
        [t("agents.detail.owner"), owner],
        [t("agents.detail.created"), format.dateTime(created_at)],
        [t("agents.detail.monitored"), monitored !== null && format.uptime(monitored)],
      ]}
    />
  );
}
