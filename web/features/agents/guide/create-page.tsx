import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { serverAddress } from "../../../bootstrap";
import { paths } from "../../../paths";
import { Copyable } from "../../../ui/controls/copy-button";
import { Icon } from "../../../ui/controls/icon";
import { Segments } from "../../../ui/controls/segments";
import { QuotaReached } from "../../../ui/feedback/quota";
import { type Architecture, architectures, isLocal, type System, systems, type Target } from "./commands";
import { GuideCommands, Step } from "./guide-commands";
import { NewAgents } from "./new-agents";
import { GuideToken, useToken } from "./token";

type TargetProps = {
  target: Target;
  onSystem: (system: System) => void;
  onArchitecture: (value: Architecture) => void;
};

/** The choice of the new machine's system and architecture. */
function GuideTarget({ target, onSystem, onArchitecture }: TargetProps) {
  const { t } = useTranslation();
  return (
    <div className="choices">
      <div>
        <span className="choice-label">{t("agents.guide.system")}</span>
        <Segments
          label={t("agents.guide.system")}
          choices={systems.map((value) => ({ value, label: t(`agents.guide.systems.${value}`) }))}
          chosen={target.system}
          onChoose={onSystem}
        />
      </div>
      <div>
        <span className="choice-label">{t("agents.guide.architecture")}</span>
        <Segments
          label={t("agents.guide.architecture")}
          choices={architectures.map((value) => ({ value, label: value }))}
          chosen={target.architecture}
          onChoose={onArchitecture}
        />
      </div>
    </div>
  );
}

export default function CreatePage() {
  const { t } = useTranslation();
  const token = useToken();
  const [system, setSystem] = useState<System>("linux");
  const [architecture, setArchitecture] = useState<Architecture>("amd64");
  const server = serverAddress();
  const another = () => {
    token.reuse();
    scrollTo(0, 0);
  };
  const target = { server, token: token.token ?? "", system, architecture };

  return (
    <>
      <Link href={paths.agents} className="back">
        <Icon name="left" />
        {t("agents.back")}
      </Link>
      <div className="page-head">
        <div>
          <h1>{t("agents.guide.title")}</h1>
          <p className="soft">{t("agents.guide.subtitle")}</p>
        </div>
      </div>
      <QuotaReached name="servers" />
      <div className="guide">
        <ol className="steps">
          <Step title={t("agents.guide.connection")}>
            <div className="field">
              <span className="choice-label">{t("agents.guide.server")}</span>
              <Copyable what={t("agents.guide.server")} text={server} />
              {isLocal(server) && <span className="hint">{t("agents.guide.localOnly")}</span>}
            </div>
            <GuideToken {...token} />
          </Step>
          <Step title={t("agents.guide.machine")}>
            <GuideTarget target={target} onSystem={setSystem} onArchitecture={setArchitecture} />
          </Step>
          {token.token !== undefined && <GuideCommands target={target} downloads={token.downloads} />}
        </ol>
        <NewAgents onAnother={another} />
      </div>
    </>
  );
}
