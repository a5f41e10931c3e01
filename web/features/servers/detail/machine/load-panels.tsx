import { useTranslation } from "react-i18next";
import type { Gpu, TopProcess, TopProcesses } from "../../../../../src/shared/agents/report";
import { ResourceBar } from "../../../../ui/charts/resource-bar";
import { useFormat } from "../../../../ui/hooks/use-format";
import { UsageBar } from "../resource-panel";
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
  const format = useFormat();
  return (
    <Panel title={t("servers.gpus.title")}>
      <ul className="gpus">
        {gpus.map(({ name, usage, memory, celsius }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names are not unique
          <li key={place}>
            <p>
              <MachineName name={name} />
              {celsius !== null && <span className="figure soft">{format.celsius(celsius)}</span>}
            </p>
            <div className="resources">
              {usage !== null && (
                <ResourceBar label={t("servers.gpus.usage")} percent={usage} text={format.share(usage)} />
              )}
              {memory && <UsageBar label={t("agents.resource.memory")} {...memory} />}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
