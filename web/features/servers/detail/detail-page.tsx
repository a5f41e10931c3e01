import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { isMissing } from "../../../api";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { OwnerTag } from "../../../ui/feedback/badge";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { Stale } from "../../../ui/feedback/stale";
import { UnknownLine } from "../../../ui/feedback/unknown-line";
import { type Unknown as UnknownState, useUnknownWords } from "../../../ui/hooks/use-unknown-words";
import { useBackTo } from "../../../ui/layout/last-list";
import { usePageTitle } from "../../../ui/layout/page-title";
import { TagList } from "../../../ui/lists/tag-list";
import { DependenciesCard } from "../../notifications/dependencies/dependencies-card";
import { MutedMark } from "../../notifications/mute/mute-menu";
import { ThresholdsCard } from "../../notifications/thresholds/thresholds-card";
import { OutageList } from "../../outages/outage-list";
import { Addresses } from "../addresses";
import { type ServerDetail, serverAtom } from "../api";
import { LiveFigures } from "../live/live-figures";
import { TrafficPanel } from "../plan/traffic-panel";
import { ServerBadge, useServerWord } from "../server-status";
import { MetricsPanel } from "./charts/metrics-panel";
import { MachineSections } from "./machine/sections";
import { OpenProblems } from "./open-problems";
import { ClockOffset, DisksPanel, UnreadableDisks } from "./resource-panel";
import { ServerActions } from "./server-actions";
import { RebootMark, ServerFacts, ServerStats } from "./server-facts";
import { isServerId, ServerMissing, ServerProblem } from "./server-problem";

export default function DetailPage({ id }: { id: string }) {
  return isServerId(id) ? <Detail id={id} /> : <ServerMissing id={id} />;
}

function Detail({ id }: { id: string }) {
  const { t } = useTranslation();
  const [{ data, error, loading }, refresh] = useAtom(serverAtom(id));
  const [deleted, setDeleted] = useState(false);
  // An agent deleted on this page stays visible until the list opens; one deleted elsewhere disappears at once.
  const agent = isMissing(error) && !deleted ? undefined : data?.agent;
  usePageTitle(agent?.name);
  const back = useBackTo(paths.agents);
  const retry = () => void refresh();

  if (!agent) return error ? <ServerProblem id={id} error={error} onRetry={retry} /> : <Loading />;
  const { name, hostname, ip_addresses } = agent;
  return (
    <>
      <Link href={back} className="back">
        <Icon name="left" />
        {t("agents.back")}
      </Link>
      <Stale error={!deleted && error} onRetry={retry} />
      <div className="page-head">
        <div>
          <div className="detail-title">
            <h1>{name}</h1>
            <span className="detail-marks">
              <ServerBadge agent={agent} />
              <OwnerTag owner={agent.owner} />
              <MutedMark muted={agent.muted} />
              <RebootMark isRequired={agent.reboot_required === true} />
            </span>
          </div>
          <p className="soft about-host">
            {hostname}
            {ip_addresses.length > 0 && (
              <>
                {" · "}
                <Addresses addresses={ip_addresses} />
              </>
            )}
          </p>
          <TagList tags={agent.tags} label={t("tags.title")} listAt={paths.agents} />
        </div>
        <ServerActions
          agent={agent}
          loading={loading}
          deleted={deleted}
          onRefresh={retry}
          onDeleted={() => setDeleted(true)}
        />
      </div>
      {agent.unknown && <Unknown agent={agent} unknown={agent.unknown} />}
      <div className="stack">
        <OpenProblems agent={agent} onChanged={retry} />
        <ClockOffset seconds={agent.clock_offset} />
        <UnreadableDisks disks={agent.unreadable_disks} />
        <MachineSections machine={agent} isUrgent />
        <ServerStats agent={agent} />
        <LiveFigures agent={agent} />
        <MetricsPanel agent={agent} />
        <DisksPanel agent={agent} />
        <TrafficPanel agent={agent} />
        <MachineSections machine={agent} isUrgent={false} />
        <OutageList outages={agent.outages} />
        {agent.owner === undefined && <ThresholdsCard agentId={agent.id} />}
        <ServerFacts agent={agent} />
        <DependenciesCard target={{ type: "agent", id: agent.id, name }} />
      </div>
    </>
  );
}

/** The start and the reason of the unknown state of a server. */
function Unknown({ agent: { status }, unknown }: { agent: ServerDetail; unknown: UnknownState }) {
  const word = useServerWord();
  const words = useUnknownWords();
  return <UnknownLine text={words.because(unknown)} last={status === "connecting" ? undefined : word(status)} />;
}

const Loading = () => <Skeleton heights={["3.5rem", "5rem", "11rem", "24rem"]} />;
