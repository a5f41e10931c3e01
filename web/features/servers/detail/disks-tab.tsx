import { useTranslation } from "react-i18next";
import type { DiskUsage } from "../../../../src/shared/agents/report";
import { readableName } from "../../../lib/format";
import { useFormat } from "../../../ui/hooks/use-format";
import { TableHead } from "../../../ui/layout/table-head";
import type { ServerDetail } from "../api";
import { type DiskForecast, useForecastWords } from "../forecast";
import { shareOf } from "../resources";
import { DiskDevicesPanel } from "./machine/devices-panel";
import { ArraysPanel } from "./machine/failures-panel";
import { UsageCell } from "./machine/load-panels";
import { MachineName } from "./machine/machine-name";
import { Panel } from "./machine/panel";
import { UnreadableDisks } from "./resource-panel";

/** The filesystems of a server with their forecasts, its arrays and its devices. Arrays come first while one is degraded. */
export function DisksTab({ agent }: { agent: ServerDetail }) {
  const { disks, arrays, disk_activity, unreadable_disks } = agent;
  const isDegraded = arrays?.some(({ degraded }) => degraded);
  const arraysPanel = arrays && arrays.length > 0 && <ArraysPanel arrays={arrays} />;
  return (
    <div className="stack">
      <UnreadableDisks disks={unreadable_disks} />
      {isDegraded && arraysPanel}
      {disks && disks.length > 0 && <Filesystems agent={agent} disks={disks} />}
      <div className="machine-sections">
        {!isDegraded && arraysPanel}
        {disk_activity && disk_activity.length > 0 && <DiskDevicesPanel disks={disk_activity} />}
      </div>
    </div>
  );
}

/** Disks that will be full first, then fuller ones. */
const sortDisks = (disks: readonly DiskUsage[], forecasts: readonly DiskForecast[]) => {
  const byMount = new Map(forecasts.map((forecast) => [forecast.mount, forecast]));
  return disks
    .map((disk) => ({ disk, share: shareOf(disk.used, disk.total), forecast: byMount.get(disk.mount) }))
    .toSorted((a, b) => {
      const [one, other] = [a, b].map(({ forecast }) => forecast?.full_at ?? "~") as [string, string];
      return one < other ? -1 : one > other ? 1 : b.share - a.share;
    });
};

function Filesystems({ agent, disks }: { agent: ServerDetail; disks: readonly DiskUsage[] }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("servers.filesystems.title")} note={t("servers.forecast.note")} className="filesystems">
      <table className="folding" aria-label={t("servers.filesystems.title")}>
        <TableHead
          columns={[t("servers.filesystems.mount"), t("servers.filesystems.used"), t("servers.filesystems.forecast")]}
          figures={[t("servers.filesystems.size"), t("servers.charts.inodes")]}
        />
        <tbody>
          {sortDisks(disks, agent.disk_forecasts).map((row) => (
            <Filesystem key={row.disk.mount} {...row} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

type RowProps = ReturnType<typeof sortDisks>[number];

function Filesystem({ disk, share, forecast }: RowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useForecastWords();
  const { mount, used, total, inodes } = disk;
  const [usedText, totalText] = format.bytes(used, total);
  const isFull = total > 0 && used >= total;
  const isFilling = forecast?.outlook === "filling";
  const { text, isSoon, date } = words.long(forecast ?? { mount, outlook: "unknown", full_at: null });
  return (
    <tr>
      <th scope="row">
        <MachineName name={mount} />
      </th>
      <UsageCell label={readableName(mount)} percent={share} text={format.share(share)} />
      <td
        className={isSoon || isFull ? "forecast soon" : isFilling ? "forecast" : "forecast soft"}
        data-label={t("servers.filesystems.forecast")}
      >
        {isFull ? t("servers.forecast.full") : text}
        {date && !isFull && <span className="soft small"> {date}</span>}
      </td>
      <td className="number" data-label={t("servers.filesystems.size")}>
        {t("common.of", { used: usedText, total: totalText })}
      </td>
      <td className={inodes ? "number" : "number unknown"} data-label={t("servers.charts.inodes")}>
        {inodes ? format.share(shareOf(inodes.used, inodes.total)) : "–"}
      </td>
    </tr>
  );
}
