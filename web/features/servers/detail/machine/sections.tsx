import type { ReactNode } from "react";
import type { ServerDetail } from "../../api";
import { isBroken } from "./containers";
import { ContainersPanel } from "./containers-panel";
import { DevicesPanel } from "./devices-panel";
import { ArraysPanel, FailedUnits } from "./failures-panel";
import { GpusPanel, ProcessesPanel } from "./load-panels";

type Section = { isUrgent: boolean; panel: ReactNode };

/** The sections of a machine's report, in their usual order, without empty ones. */
const sectionsOf = (machine: ServerDetail): Section[] => {
  const units = machine.failed_units ?? [];
  const arrays = machine.arrays ?? [];
  const containers = machine.containers ?? [];
  const gpus = machine.gpus ?? [];
  const { cpu = [], memory = [] } = machine.processes ?? {};
  const devices = {
    disks: machine.disk_activity ?? [],
    interfaces: machine.interfaces ?? [],
    temperatures: machine.temperatures ?? [],
  };
  const section = (has: boolean, isUrgent: boolean, panel: ReactNode): Section[] => (has ? [{ isUrgent, panel }] : []);
  return [
    ...section(units.length > 0, true, <FailedUnits key="units" units={units} />),
    ...section(
      arrays.length > 0,
      arrays.some(({ degraded }) => degraded),
      <ArraysPanel key="arrays" arrays={arrays} />,
    ),
    ...section(
      containers.length > 0,
      containers.some(isBroken),
      <ContainersPanel key="containers" containers={containers} total={machine.containers_total ?? null} />,
    ),
    ...section(cpu.length + memory.length > 0, false, <ProcessesPanel key="processes" processes={{ cpu, memory }} />),
    ...section(gpus.length > 0, false, <GpusPanel key="gpus" gpus={gpus} />),
    ...section(Object.values(devices).flat().length > 0, false, <DevicesPanel key="devices" {...devices} />),
  ];
};

type Props = { machine: ServerDetail; isUrgent: boolean };

/** The sections of a machine that show a problem, or the others. */
export function MachineSections({ machine, isUrgent }: Props) {
  const sections = sectionsOf(machine).filter((section) => section.isUrgent === isUrgent);
  if (sections.length === 0) return null;
  return <div className="machine-sections">{sections.map(({ panel }) => panel)}</div>;
}
