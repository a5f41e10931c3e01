import { OutageList } from "../../outages/outage-list";
import type { ServerDetail } from "../api";
import { LiveFigures } from "../live/live-figures";
import { MetricsPanel } from "./charts/metrics-panel";
import { TemperaturesPanel } from "./machine/devices-panel";
import { GpusPanel, ProcessesPanel } from "./machine/load-panels";
import { OpenProblems } from "./open-problems";
import { ClockOffset } from "./resource-panel";
import { ServerStats } from "./server-facts";

/** Outages that are listed; the others are among all outages. */
const LATEST = 8;

type Props = { agent: ServerDetail; onChanged: () => void };

/** The problems of a server, its figures and charts, and the programs that use it. */
export function OverviewTab({ agent, onChanged }: Props) {
  const { gpus, processes, temperatures } = agent;
  const { cpu = [], memory = [] } = processes ?? {};
  // Sensors with a history are a choice of their chart, with their readings.
  const isCharted = temperatures?.every(({ sensor }) => agent.series.includes(`temp:${sensor}`));
  return (
    <div className={agent.unknown ? "stack server-overview unknown" : "stack server-overview"}>
      <OpenProblems agent={agent} onChanged={onChanged} />
      <ClockOffset seconds={agent.clock_offset} />
      <ServerStats agent={agent} />
      <MetricsPanel agent={agent}>{(head) => !agent.unknown && <LiveFigures agent={agent} head={head} />}</MetricsPanel>
      <div className="machine-sections">
        {cpu.length + memory.length > 0 && <ProcessesPanel processes={{ cpu, memory }} />}
        <div className="stack">
          {gpus && gpus.length > 0 && <GpusPanel gpus={gpus} />}
          {temperatures && temperatures.length > 1 && !isCharted && <TemperaturesPanel temperatures={temperatures} />}
        </div>
      </div>
      <OutageList outages={agent.outages.slice(0, LATEST)} report={`agent:${agent.id}`} />
    </div>
  );
}
