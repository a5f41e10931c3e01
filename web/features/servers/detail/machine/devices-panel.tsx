import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DiskActivity, InterfaceRate, Temperature } from "../../../../../src/shared/agents/report";
import { useFormat } from "../../../../ui/hooks/use-format";
import { TableHead } from "../../../../ui/layout/table-head";
import { MachineName } from "./machine-name";
import { Panel } from "./panel";

/** The latest activity of the disk devices of a machine. */
export function DiskDevicesPanel({ disks }: { disks: readonly DiskActivity[] }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("servers.devices.title")} className="devices">
      <Disks disks={disks} />
    </Panel>
  );
}

/** The rates of the network interfaces of a machine. Nothing without any. */
export function InterfacesPanel({ interfaces }: { interfaces: readonly InterfaceRate[] }) {
  const { t } = useTranslation();
  if (interfaces.length === 0) return null;
  return (
    <Panel title={t("servers.devices.interfaces")}>
      <Interfaces interfaces={interfaces} />
    </Panel>
  );
}

/** More sensors are behind a button. */
const SHOWN_SENSORS = 4;

/** The sensors of a machine, the hottest first. */
export function TemperaturesPanel({ temperatures }: { temperatures: readonly Temperature[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isWhole, setWhole] = useState(false);
  const sorted = temperatures.toSorted((a, b) => b.celsius - a.celsius);
  const { length } = sorted;
  return (
    <Panel title={t("servers.devices.temperatures")} className="sensors">
      <ul>
        {sorted.slice(0, isWhole ? length : SHOWN_SENSORS).map(({ sensor, celsius }) => (
          <li key={sensor}>
            <MachineName name={sensor} />
            <span className="figure">{format.celsius(celsius)}</span>
          </li>
        ))}
      </ul>
      {!isWhole && length > SHOWN_SENSORS && (
        <button type="button" className="quiet compact" onClick={() => setWhole(true)}>
          {t("servers.containers.all", { count: length, number: format.number(length) })}
        </button>
      )}
    </Panel>
  );
}

type TableProps = { names: string; columns: readonly string[]; children: ReactNode };

const FiguresTable = ({ names, columns, children }: TableProps) => (
  <table>
    <TableHead columns={[names]} figures={columns} />
    <tbody>{children}</tbody>
  </table>
);

const Row = ({ name, figures }: { name: string; figures: readonly string[] }) => (
  <tr>
    <th scope="row">
      <MachineName name={name} />
    </th>
    {figures.map((figure, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: each place is a column
      <td key={place} className="number">
        {figure}
      </td>
    ))}
  </tr>
);

function Disks({ disks }: { disks: readonly DiskActivity[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const columns = [
    t("servers.devices.read"),
    t("servers.devices.write"),
    t("servers.devices.busy"),
    t("servers.devices.latency"),
  ];
  return (
    <FiguresTable names={t("servers.devices.disk")} columns={columns}>
      {disks.map(({ device, read, write, busy, latency }) => (
        <Row
          key={device}
          name={device}
          figures={[format.rate(read), format.rate(write), format.share(busy), format.milliseconds(latency)]}
        />
      ))}
    </FiguresTable>
  );
}

function Interfaces({ interfaces }: { interfaces: readonly InterfaceRate[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const columns = [t("servers.devices.received"), t("servers.devices.sent")];
  return (
    <FiguresTable names={t("servers.devices.interface")} columns={columns}>
      {interfaces.map(({ name, rx, tx }) => (
        <Row key={name} name={name} figures={[format.rate(rx), format.rate(tx)]} />
      ))}
    </FiguresTable>
  );
}
