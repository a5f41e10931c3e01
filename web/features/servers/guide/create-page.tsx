import { useAtomValue } from "jotai";
import { type ReactNode, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { AGENT_KINDS, type AgentKind } from "../../../../src/shared/agents/report";
import { serverAddress } from "../../../bootstrap";
import { paths } from "../../../paths";
import { Copyable } from "../../../ui/controls/copy-button";
import { Icon } from "../../../ui/controls/icon";
import { Segments } from "../../../ui/controls/segments";
import { QuotaReached } from "../../../ui/feedback/quota";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { toast } from "../../../ui/feedback/toast";
import { useFormat } from "../../../ui/hooks/use-format";
import { BackLink } from "../../../ui/layout/back-link";
import { newServersAtom, type Server } from "../api";
import { ServerBadge } from "../server-status";
import { type Architecture, architectures, hasShell, type System, systems, type Target } from "./commands";
import { ByHand, GuideCommands, hasInstall, Step } from "./guide-commands";
import { ServerCount, SeveralForm } from "./several";
import { GuideToken, useToken } from "./token";

/** The agents that enrolled since the guide was opened, newest first. */
const useNewServers = (): Server[] => {
  const { data, loadedAt } = useAtomValue(newServersAtom);
  const [openedAt] = useState(() => Date.now());
  const [known, setKnown] = useState<ReadonlySet<number>>();

  // A list loaded during an earlier visit may lack agents that enrolled before this one.
  const fresh = data && loadedAt !== undefined && loadedAt >= openedAt ? data.agents : undefined;
  useEffect(() => {
    if (fresh) setKnown((before) => before ?? new Set(fresh.map(({ id }) => id)));
  }, [fresh]);

  return known && fresh ? fresh.filter(({ id }) => !known.has(id)) : [];
};

/** Waits for the new machine and links to it. */
function NewServers({ onAnother }: { onAnother: () => void }) {
  const { t } = useTranslation();
  const agents = useNewServers();
  const newest = agents[0]?.name;

  // On a phone this card is far below the copied command, so a toast announces the machine.
  useEffect(() => {
    if (newest !== undefined) toast(t("agents.guide.connected", { name: newest }));
  }, [newest, t]);

  return (
    <div className={agents.length > 0 ? "card arrivals some" : "card arrivals"} role="status">
      {agents.length === 0 ? (
        <>
          <h2>
            <i className="beat" aria-hidden="true" />
            {t("agents.guide.waiting")}
          </h2>
          <p className="soft small">{t("agents.guide.waitingText")}</p>
        </>
      ) : (
        <>
          <h2>
            <Icon name="up" />
            {t("agents.guide.arrived")}
          </h2>
          <ul>
            {agents.map(({ id, name, hostname, status }) => (
              <li key={id}>
                <div className="section-head">
                  <strong className="truncate">{name}</strong>
                  <ServerBadge agent={{ status, unknown: null, maintenance: null, open_outages: 0 }} />
                </div>
                <p className="soft small truncate">{hostname}</p>
                <Link
                  href={paths.agent(id)}
                  aria-label={t("common.labelled", { label: t("agents.guide.open"), value: name })}
                >
                  {t("agents.guide.open")}
                </Link>
              </li>
            ))}
          </ul>
          <button type="button" className="plain compact" onClick={onAnother}>
            <Icon name="plus" />
            {t("agents.guide.another")}
          </button>
        </>
      )}
    </div>
  );
}

type TargetProps = {
  target: Target;
  /** The choice of how many machines there are. */
  children: ReactNode;
  onSystem: (system: System) => void;
  onArchitecture: (value: Architecture) => void;
  onAgent: (agent: AgentKind) => void;
};

/** A choice below its visible label, which assistive technology reads as the name of the group. */
const Choice = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="guide-choice">
    <span className="choice-label" aria-hidden="true">
      {label}
    </span>
    {children}
  </div>
);

/** The choice of the new machine's system, its agent, and for the executable the architecture. */
function GuideTarget({ target, children, onSystem, onArchitecture, onAgent }: TargetProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className="choices">
        <Choice label={t("agents.guide.system")}>
          <Segments
            label={t("agents.guide.system")}
            choices={systems.map((value) => ({ value, label: t(`agents.guide.systems.${value}`) }))}
            chosen={target.system}
            onChoose={onSystem}
          />
        </Choice>
        {target.agent === "executable" && (
          <Choice label={t("agents.guide.architecture")}>
            <Segments
              label={t("agents.guide.architecture")}
              choices={architectures.map((value) => ({ value, label: value }))}
              chosen={target.architecture}
              onChoose={onArchitecture}
            />
          </Choice>
        )}
        <Choice label={t("enrollment.count")}>{children}</Choice>
      </div>
      {hasShell(target.system) && <ServerChoice chosen={target.agent} onChoose={onAgent} />}
    </>
  );
}

type ChoiceProps = { chosen: AgentKind; onChoose: (agent: AgentKind) => void };

/** The two agents, each with what it costs the machine and what it reports. */
function ServerChoice({ chosen, onChoose }: ChoiceProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <fieldset className="agent-choice" aria-label={t("servers.guide.agent")}>
      <div className="tiles">
        {AGENT_KINDS.map((kind) => (
          <label key={kind} className="tile">
            <input
              type="radio"
              name={id}
              checked={kind === chosen}
              aria-describedby={`${id}-${kind}`}
              onChange={() => onChoose(kind)}
            />
            <span>
              <strong>{t(`servers.guide.kind.${kind}.name`)}</strong>
              <span className="soft small agent-cost" id={`${id}-${kind}`}>
                <b>{t(`servers.guide.kind.${kind}.cost`)}</b>
                <span>{t(`servers.guide.kind.${kind}.text`)}</span>
              </span>
            </span>
          </label>
        ))}
      </div>
      <p className="soft small agent-fallback">{t("servers.guide.chosenAlone")}</p>
    </fieldset>
  );
}

/** How to add a server: its system, the command to run there, and the panel that shows its arrival. */
export default function CreatePage() {
  const { t } = useTranslation();
  const format = useFormat();
  const token = useToken();
  const [system, setSystem] = useState<System>("linux");
  const [architecture, setArchitecture] = useState<Architecture>("amd64");
  const [kind, setKind] = useState<AgentKind>("executable");
  const [several, setSeveral] = useState(false);
  const server = serverAddress();
  const another = () => {
    if (!several) token.reuse();
    scrollTo(0, 0);
  };
  const chooseCount = (isSeveral: boolean) => {
    setSeveral(isSeveral);
    if (!isSeveral && token.uses > 1) token.reuse();
  };
  const target = {
    server,
    token: token.token ?? "",
    system,
    architecture,
    agent: hasShell(system) ? kind : ("executable" as const),
  };
  const known = token.token !== undefined && several === token.uses > 1;
  const isOneLine = hasInstall({ target, downloads: token.downloads });

  return (
    <>
      <BackLink to={paths.agents}>{t("agents.back")}</BackLink>
      <div className="page-head">
        <div>
          <h1>{t("agents.guide.title")}</h1>
          <p className="soft">{t("agents.guide.subtitle")}</p>
        </div>
      </div>
      <QuotaReached name="servers" />
      <div className="guide">
        <ol className="steps">
          <Step title={t("agents.guide.machine")}>
            <GuideTarget target={target} onSystem={setSystem} onArchitecture={setArchitecture} onAgent={setKind}>
              <ServerCount several={several} onChoose={chooseCount} />
            </GuideTarget>
          </Step>
          {known ? (
            <GuideCommands target={target} downloads={token.downloads}>
              {token.expiresAt && (
                <p className="soft">
                  {t("enrollment.shared", { count: token.uses, time: format.dateTime(token.expiresAt) })}
                </p>
              )}
            </GuideCommands>
          ) : several ? (
            <Step title={t("enrollment.title")}>
              <SeveralForm create={token.share} />
            </Step>
          ) : (
            <Step title={t(token.error === undefined ? "agents.guide.install" : "agents.guide.token")}>
              {token.error === undefined ? <Skeleton heights={["2.75rem"]} /> : <GuideToken {...token} />}
            </Step>
          )}
        </ol>
        <NewServers onAnother={another} />
        <details className="card by-hand">
          <summary>{t(known && isOneLine ? "agents.guide.more" : "agents.guide.connection")}</summary>
          <div className="field">
            <span className="choice-label">{t("agents.guide.server")}</span>
            <Copyable what={t("agents.guide.server")} text={server} />
          </div>
          {known && <GuideToken {...token} />}
          {known && isOneLine && (
            <>
              <h2>{t("agents.guide.byHand")}</h2>
              <ByHand target={target} downloads={token.downloads} />
            </>
          )}
        </details>
      </div>
    </>
  );
}
