import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { METRICS } from "../../../../src/shared/notifications";
import { StatusMark } from "../../../ui/feedback/badge";
import { Elapsed } from "../../../ui/feedback/elapsed";
import { useFormat } from "../../../ui/hooks/use-format";
import { ExplainedMark } from "../../notifications/dependencies/explained-mark";
import { OutageActions, UnstableMark } from "../../problems/acknowledge";
import { ProblemParts } from "../../problems/parts";
import { useReason } from "../../problems/use-reason";
import type { ServerDetail } from "../api";
import { resourcesOf, shareOf } from "../resources";

type Outage = ServerDetail["outages"][number];

/** The disk with the largest share in use, where disks are reported one by one. */
const fullest = (disks: ServerDetail["disks"]) =>
  (disks ?? [])
    .map(({ mount, used, total }) => ({ mount, share: shareOf(used, total) }))
    .reduce<{ mount: string; share: number } | undefined>((a, b) => (a && a.share >= b.share ? a : b), undefined);

/** The outage of a server that is offline. */
export const offlineOutage = ({ outages }: Pick<ServerDetail, "outages">): Outage | undefined =>
  outages.find(({ ended_at, kind }) => ended_at === null && kind === "offline");

/** The current problems of a server: first that it is offline, then figures above their thresholds. */
export function OpenProblems({ agent, onChanged }: { agent: ServerDetail; onChanged: () => void }) {
  const { t } = useTranslation();
  const open = agent.outages.filter(({ ended_at }) => ended_at === null);
  const offline = offlineOutage(agent);
  const high = open.filter(({ kind }) => kind !== "offline");
  const [first, ...more] = high;
  if (open.length === 0) return null;
  return (
    <section
      className={`problems agent-problems ${agent.unknown ? "unknown" : offline ? "down" : "soon"}`}
      aria-label={t("problems.title")}
    >
      <ul>
        {offline && <OfflineLine agent={agent} outage={offline} onChanged={onChanged} />}
        {/* The figures of an offline server are old. */}
        {!offline &&
          (first && more.length === 0 ? (
            <HighLine agent={agent} outage={first} onChanged={onChanged} />
          ) : (
            <HighLines agent={agent} outages={high} onChanged={onChanged} />
          ))}
      </ul>
    </section>
  );
}

type LineProps = { agent: ServerDetail; outage: Outage; onChanged: () => void };

function OfflineLine({ agent, outage, onChanged }: LineProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { cpu, memory, problem } = resourcesOf(agent);
  const { updated_at } = agent;
  const more = [
    updated_at ? t("agents.detail.lastReportAt", { time: format.moment(updated_at) }) : t("agents.never"),
    ...(problem ? [] : [t("agents.detail.lastFigures", { cpu: format.share(cpu), memory: format.share(memory) })]),
  ];
  return (
    <Line kind="down" more={more.join(" · ")} outage={outage} onChanged={onChanged}>
      {agent.unknown ? (
        t("problems.seenOffline", { time: format.moment(updated_at ?? agent.unknown.since) })
      ) : (
        <>
          {t("agents.detail.offlineFor")} <Elapsed since={outage.started_at} />
        </>
      )}
    </Line>
  );
}

/** The present figure of an outage; null where it is not reported, or is not of this kind. */
const presentFigure = (agent: ServerDetail, { kind, subject }: Outage): number | null => {
  const { disks, swap, load_average, processors, temperatures, traffic } = agent;
  const { problem, cpu, memory } = resourcesOf(agent);
  const disk = disks?.find(({ mount }) => mount === subject);
  switch (kind) {
    case "cpu":
      return problem ? null : cpu;
    case "memory":
      return problem ? null : memory;
    case "swap":
      return swap ? shareOf(swap.used, swap.total) : null;
    case "disk":
    case "filling":
      return disk ? shareOf(disk.used, disk.total) : null;
    case "load":
      return load_average?.[0] !== undefined && processors ? load_average[0] / processors : null;
    case "temperature":
      return temperatures?.find(({ sensor }) => sensor === subject)?.celsius ?? null;
    case "traffic":
      return traffic?.percent ?? null;
    default:
      return null;
  }
};

/** Renders why an outage of a server lasts, with the present figure where there is one. */
const useWhy = (agent: ServerDetail) => {
  const reason = useReason();
  return (outage: Outage): string => {
    const { kind, subject } = outage;
    // The outage has the time that was forecast when it began.
    const fullAt = agent.disk_forecasts.find(({ mount }) => mount === subject)?.full_at;
    const facts = kind === "filling" && fullAt ? { ...outage.facts, exhausted_at: fullAt } : outage.facts;
    const metric = METRICS.find((one) => one === kind);
    const disk = metric === "disk" && !subject ? fullest(agent.disks) : undefined;
    return reason({
      kind,
      figure: disk?.share ?? presentFigure(agent, outage) ?? outage.figure ?? null,
      threshold: outage.threshold ?? (metric && !subject ? agent.thresholds[metric] : null),
      mount: disk?.mount ?? null,
      subject,
      facts,
      last_report: null,
      error_code: null,
      error_detail: null,
    });
  };
};

/** More outages are behind a button, so that the charts below are in sight. */
const SHOWN = 4;

/** Several outages of a server, each in one line. */
function HighLines({ agent, outages, onChanged }: Omit<LineProps, "outage"> & { outages: readonly Outage[] }) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const format = useFormat();
  const why = useWhy(agent);
  const parts = outages.map((outage) => ({
    ...outage,
    since: outage.started_at,
    reason: why(outage) || t(`outages.kinds.${outage.kind}.label`),
  }));
  const isFlapping = outages.some(({ flapping }) => flapping);
  return (
    <li>
      {/* The head of the page has their number. */}
      <p className={isFlapping ? "problem soon" : "visually-hidden"}>
        <span className="shape">
          <StatusMark status="degraded" label="" />
        </span>
        <strong>{t("problems.alerts", { count: parts.length })}</strong>
        <UnstableMark flapping={isFlapping} />
      </p>
      <ProblemParts parts={isWhole ? parts : parts.slice(0, SHOWN)} onChanged={onChanged} />
      {!isWhole && parts.length > SHOWN && (
        <button type="button" className="quiet compact" onClick={() => setWhole(true)}>
          {t("servers.containers.all", { count: parts.length, number: format.number(parts.length) })}
        </button>
      )}
    </li>
  );
}

function HighLine({ agent, outage, onChanged }: LineProps) {
  const { started_at } = outage;
  const { t } = useTranslation();
  const why = useWhy(agent);
  const format = useFormat();
  return (
    <Line
      kind="soon"
      more={t("problems.since", { time: format.moment(started_at) })}
      outage={outage}
      onChanged={onChanged}
    >
      {why(outage)} ·{" "}
      {agent.unknown ? (
        t("problems.seen", { time: format.moment(agent.unknown.since) })
      ) : (
        <>
          {t("problems.for")} <Elapsed since={started_at} />
        </>
      )}
    </Line>
  );
}

type FrameProps = Pick<LineProps, "outage" | "onChanged"> & {
  kind: "down" | "soon";
  more: string;
  children: ReactNode;
};

const Line = ({ kind, more, outage, onChanged, children }: FrameProps) => (
  <li className="line">
    <p className={`problem ${kind}`}>
      <span className="shape">
        <StatusMark status={kind === "down" ? "offline" : "degraded"} label="" />
      </span>
      <strong>{children}</strong>
      <span className="soft">{more}</span>
      <ExplainedMark by={outage.explaining} />
    </p>
    <OutageActions outage={outage} isInHead={kind === "down"} onChanged={onChanged} />
  </li>
);
