import { useId } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import type { LiveSample } from "../../../../src/shared/live";
import { useFormat } from "../../../ui/hooks/use-format";
import type { ServerDetail } from "../api";
import { shareOf } from "../resources";
import { type Arrived, pathOf, type ReadFigure, topOf } from "./ring";
import { useLiveSamples } from "./use-live-samples";

type Figure = {
  name: "cpu" | "memory" | "network" | "disk";
  /** The lines of its chart. */
  lines: ReadFigure[];
  /** The value of the upper edge of its chart: fixed, or at least this. */
  top: number;
  isShare: boolean;
  text: (sample: LiveSample) => string;
};

const memoryShare: ReadFigure = ({ memory_used, memory_total }) =>
  memory_used === null || memory_total === null ? null : shareOf(memory_used, memory_total);

const useFigures = (): Figure[] => {
  const { t } = useTranslation();
  const format = useFormat();
  const rates = (received: number | null, sent: number | null) =>
    t("agents.rates", { received: format.rate(received), sent: format.rate(sent) });
  return [
    {
      ...{ name: "cpu", top: 100, isShare: true, lines: [(sample) => sample.cpu_usage] },
      text: ({ cpu_usage }) => format.share(cpu_usage),
    },
    {
      ...{ name: "memory", top: 100, isShare: true, lines: [memoryShare] },
      text: ({ memory_used, memory_total }) => {
        const [used, total] = format.bytes(memory_used ?? 0, memory_total ?? 0);
        return t("servers.live.of", { used, total });
      },
    },
    {
      ...{ name: "network", top: 10, isShare: false },
      lines: [({ network_rx }) => network_rx, ({ network_tx }) => network_tx],
      text: ({ network_rx, network_tx }) => rates(network_rx, network_tx),
    },
    {
      ...{ name: "disk", top: 100, isShare: false },
      lines: [({ disk_read }) => disk_read, ({ disk_write }) => disk_write],
      text: ({ disk_read, disk_write }) =>
        t("servers.charts.transfer", { read: format.rate(disk_read), written: format.rate(disk_write) }),
    },
  ];
};

type Props = {
  agent: Pick<ServerDetail, "id" | "status" | "agent_kind">;
  /** Where it says that it waits for the first figure. */
  head: HTMLElement;
};

/** The figures of a server that its agent sends each second while this page is visible. Nothing where the agent cannot. */
export function LiveFigures({ agent, head }: Props) {
  if (agent.status !== "active" || agent.agent_kind !== "executable") return null;
  return <Figures id={agent.id} key={agent.id} head={head} />;
}

function Figures({ id, head }: { id: number; head: HTMLElement }) {
  const { t } = useTranslation();
  const { state, ring } = useLiveSamples(id);
  const title = useId();
  const figures = useFigures();
  const latest = ring.at(-1)?.sample;
  if (!latest)
    return createPortal(
      <span className={`live-pace ${state}`}>
        <i />
        <b>{t("servers.live.title")}</b>
        <span>{t(`servers.live.${state}`)}</span>
      </span>,
      head,
    );
  return (
    <section className={`card live-figures ${state}`} aria-labelledby={title}>
      <div className="section-head">
        <h2 id={title}>{t("servers.live.title")}</h2>
        <span className="live-pace soft small">
          <i />
          {t(`servers.live.${state}`)}
        </span>
      </div>
      <dl>
        {figures.map((figure) => (
          <Tile key={figure.name} {...{ figure, ring, latest }} />
        ))}
      </dl>
    </section>
  );
}

type TileProps = { figure: Figure; ring: readonly Arrived[]; latest: LiveSample };

function Tile({ figure: { name, lines, top, isShare, text }, ring, latest }: TileProps) {
  const { t } = useTranslation();
  // A figure that this machine does not report.
  if (lines.every((read) => read(latest) === null)) return null;
  const edge = isShare ? top : 1.1 * topOf(ring, lines, top);
  return (
    <div>
      <dt>{t(`servers.live.${name}`)}</dt>
      <dd>
        {text(latest)}
        <svg viewBox="0 0 300 40" preserveAspectRatio="none" aria-hidden="true">
          {lines.map((read, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a figure stay the same
            <path key={place} className={place > 0 ? "second" : undefined} d={pathOf(ring, read, edge)} />
          ))}
        </svg>
      </dd>
    </div>
  );
}
