import { getDefaultStore, useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isMissing } from "../../../api";
import { paths } from "../../../paths";
import { OwnerTag } from "../../../ui/feedback/badge";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { Stale } from "../../../ui/feedback/stale";
import { UnknownLine } from "../../../ui/feedback/unknown-line";
import { type Unknown as UnknownState, useUnknownWords } from "../../../ui/hooks/use-unknown-words";
import { BackLink } from "../../../ui/layout/back-link";
import { useBackTo } from "../../../ui/layout/last-list";
import { usePageTitle } from "../../../ui/layout/page-title";
import { TagList } from "../../../ui/lists/tag-list";
import { MaintenanceLine } from "../../maintenance/start/line";
import { MutedMark } from "../../notifications/mute/mute-menu";
import { type ServerDetail, serverAtom, serversAtom } from "../api";
import { ServerBadge, useServerWord } from "../server-status";
import { prepareCharts } from "./charts/metrics-panel";
import { DetailTabs } from "./detail-tabs";
import { ServerActions } from "./server-actions";
import { HostFacts, RebootMark } from "./server-facts";
import { isServerId, ServerMissing, ServerProblem } from "./server-problem";

/** Loads what the page begins with. */
export const prepare = async (id: string): Promise<void> => {
  await serverAtom(id).prepare();
  const agent = getDefaultStore().get(serverAtom(id)).data?.agent;
  if (agent && !new URLSearchParams(location.search).has("tab")) await prepareCharts(agent);
};

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

  const backLink = <BackLink to={back}>{t("agents.back")}</BackLink>;

  if (!agent)
    return error ? (
      <ServerProblem id={id} error={error} onRetry={retry} />
    ) : (
      <>
        {backLink}
        <Loading id={id} />
      </>
    );
  const { name } = agent;
  return (
    <>
      {backLink}
      <Stale error={!deleted && error} onRetry={retry} />
      <div className="page-head">
        <div>
          <div className="detail-title">
            <h1 title={name}>{name}</h1>
            <span className="detail-marks">
              <ServerBadge agent={agent} />
              <OwnerTag of={agent} />
              <MutedMark of={agent} />
              <RebootMark isRequired={agent.reboot_required === true} />
            </span>
          </div>
          <HostFacts agent={agent} />
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
      <MaintenanceLine
        target={{ type: "agent", id: agent.id, team: agent.team }}
        tags={agent.tags}
        maintenance={agent.maintenance}
        onChanged={retry}
      />
      <DetailTabs agent={agent} onChanged={retry} />
    </>
  );
}

/** The start and the reason of the unknown state of a server. */
function Unknown({ agent: { status }, unknown }: { agent: ServerDetail; unknown: UnknownState }) {
  const word = useServerWord();
  const words = useUnknownWords();
  return <UnknownLine text={words.because(unknown)} last={status === "connecting" ? undefined : word(status)} />;
}

/** The page while it is loaded, with what the list has of the server. */
function Loading({ id }: { id: string }) {
  const listed = getDefaultStore()
    .get(serversAtom)
    .data?.agents.find((one) => one.id === Number(id));
  return (
    <div className="stack">
      {listed ? (
        <div className="detail-title">
          <h1>{listed.name}</h1>
          <ServerBadge agent={listed} />
        </div>
      ) : (
        <Skeleton heights={["2.25rem"]} />
      )}
      <Skeleton heights={["5rem", "14rem", "14rem"]} />
    </div>
  );
}
