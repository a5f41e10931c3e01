import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Container } from "../../../../../src/shared/agents/report";
import { readableName } from "../../../../lib/format";
import { StatusMark } from "../../../../ui/feedback/badge";
import { useFormat } from "../../../../ui/hooks/use-format";
import { TableHead } from "../../../../ui/layout/table-head";
import { type Alerting, isBroken, isFailedUnseen, sortContainers, toContainerState, toneOf } from "./containers";
import { MachineName } from "./machine-name";
import { Panel } from "./panel";

/** More are behind a button. */
const SHOWN = 12;

type Props = { containers: readonly Container[]; total: number | null; alerting: Alerting };

/** The containers of a machine, those with problems first. */
export function ContainersPanel({ containers, total, alerting }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isWhole, setWhole] = useState(false);
  const sorted = sortContainers(containers, alerting);
  const running = containers.filter(({ state }) => state === "running").length;
  const broken = containers.filter((container) => isBroken(container, alerting)).length;
  const summary = [
    t("servers.containers.running", { count: running, number: format.number(running) }),
    ...(broken > 0 ? [t("servers.containers.broken", { count: broken, number: format.number(broken) })] : []),
    ...(total !== null && total > containers.length
      ? [t("servers.containers.listed", { listed: format.number(containers.length), total: format.number(total) })]
      : []),
  ];
  return (
    <Panel title={t("servers.containers.title")} note={summary.join(" · ")} className="containers">
      <table className="folding" aria-label={t("servers.containers.title")}>
        <TableHead
          columns={[t("servers.containers.name"), t("servers.containers.state")]}
          figures={[t("servers.containers.cpu"), t("servers.containers.memory"), t("servers.containers.restarts")]}
        />
        <tbody>
          {sorted.slice(0, isWhole ? sorted.length : SHOWN).map((container) => (
            <ContainerRow key={container.name} container={container} alerting={alerting} />
          ))}
        </tbody>
      </table>
      {!isWhole && sorted.length > SHOWN && (
        <button type="button" className="plain compact" onClick={() => setWhole(true)}>
          {t("servers.containers.all", { count: sorted.length, number: format.number(sorted.length) })}
        </button>
      )}
    </Panel>
  );
}

/** The exit status of a process that was killed, as the system does when memory runs out. */
const KILLED = 137;

/** The state of a container in words. */
const useStateText = () => {
  const { t } = useTranslation();
  return ({ state, health, exit_status }: Container): string => {
    if (state === "running" && (health === "unhealthy" || health === "starting"))
      return t(`servers.containers.health.${health}`);
    const containerState = toContainerState(state);
    if (containerState === undefined) return readableName(state);
    if (containerState === "exited" && exit_status === KILLED) return t("servers.containers.killed");
    if (containerState === "exited" && exit_status !== undefined)
      return t("servers.containers.exitedWith", { status: exit_status });
    return t(`servers.containers.states.${containerState}`);
  };
};

function ContainerRow({ container, alerting }: { container: Container } & Pick<Props, "alerting">) {
  const format = useFormat();
  const { t } = useTranslation();
  const state = useStateText()(container);
  const tone = toneOf(container, alerting);
  const { name, image, cpu, memory, restarts } = container;
  return (
    <tr className={tone}>
      <th scope="row">
        <MachineName name={name} />
        <MachineName name={image} className="soft small" />
      </th>
      <td className="state">
        <span className="state-mark">
          {/* The server itself works. */}
          <StatusMark status={tone === "down" ? "degraded" : tone} label="" />
        </span>
        <span className={container.exit_status ? "state-word failed" : "state-word"} title={state}>
          {state}
        </span>
        {isFailedUnseen(container, alerting) && (
          <small className="soft unseen">{t("servers.containers.noAlert")}</small>
        )}
      </td>
      <Figure label={t("agents.resource.cpu")} figure={cpu} write={(value) => format.fixed(value, 1)} />
      <Figure label={t("servers.containers.memory")} figure={memory} write={format.size} />
      <Figure label={t("servers.containers.restarts")} figure={restarts} write={(value) => format.number(value)} />
    </tr>
  );
}

type FigureProps = { label: string; figure: number | undefined; write: (figure: number) => string };

/** A cell whose label is shown where there are no heads. */
const Figure = ({ label, figure, write }: FigureProps) => (
  <td className={figure === undefined ? "number unknown" : "number"} data-label={label}>
    {figure === undefined ? "–" : write(figure)}
  </td>
);
