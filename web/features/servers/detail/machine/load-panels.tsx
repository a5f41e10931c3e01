import { useTranslation } from "react-i18next";
import type { Gpu, TopProcess, TopProcesses } from "../../../../../src/shared/agents/report";
import { Bar } from "../../../../ui/charts/resource-bar";
import { useFormat } from "../../../../ui/hooks/use-format";
import { TableHead } from "../../../../ui/layout/table-head";
import { MachineName } from "./machine-name";
import { Panel } from "./panel";

/** The programs that use the most processor time and memory. */
export function ProcessesPanel({ processes: { cpu, memory } }: { processes: TopProcesses }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Panel title={t("servers.processes.title")} note={t("servers.processes.note")} className="processes">
      <div className="side-by-side">
        {cpu.length > 0 && (
          <Ranking title={t("servers.processes.cpu")} items={cpu} text={(value) => `${format.fixed(value, 1)}%`} />
        )}
        {memory.length > 0 && <Ranking title={t("servers.processes.memory")} items={memory} text={format.size} />}
      </div>
    </Panel>
  );
}

type RankingProps = { title: string; items: readonly TopProcess[]; text: (value: number) => string };

const Ranking = ({ title, items, text }: RankingProps) => (
  <table>
    <thead>
      <tr>
        <th scope="col" colSpan={2}>
          {title}
        </th>
      </tr>
    </thead>
    <tbody>
      {items.map(({ name, value }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names are not unique
        <tr key={place}>
          <th scope="row">
            <MachineName name={name} />
          </th>
          <td className="number">{text(value)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The graphics processors of a machine. */
export function GpusPanel({ gpus }: { gpus: readonly Gpu[] }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("servers.gpus.title")} className="gpus">
      <table>
        <TableHead
          columns={[t("servers.containers.name"), t("servers.gpus.usage")]}
          figures={[t("agents.resource.memory"), t("servers.devices.temperature")]}
        />
        <tbody>
          {gpus.map((gpu, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names are not unique
            <GpuRow key={place} gpu={gpu} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function GpuRow({ gpu: { name, usage, memory, celsius } }: { gpu: Gpu }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [used = "", total = ""] = memory ? format.bytes(memory.used, memory.total) : [];
  return (
    <tr>
      <th scope="row">
        <MachineName name={name} />
      </th>
      <UsageCell label={t("servers.gpus.usage")} percent={usage} text={format.share(usage)} />
      <td className="number">{memory ? t("common.of", { used, total }) : "–"}</td>
      <td className="number">{format.celsius(celsius)}</td>
    </tr>
  );
}

type UsageProps = { label: string; percent: number | null; text: string };

/** A share as a bar with its figure beside it. */
export const UsageCell = ({ label, percent, text }: UsageProps) => (
  <td className="usage">
    {percent !== null && <Bar label={label} percent={percent} text={text} />}
    <span className="figure">{text}</span>
  </td>
);
