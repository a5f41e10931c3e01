import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { serverAddress } from "../../../bootstrap";
import { paths } from "../../../paths";
import { Copyable } from "../../../ui/controls/copyable";
import { Icon } from "../../../ui/controls/icon";
import { QuotaReached } from "../../../ui/feedback/quota";
import { Arrivals } from "./arrivals";
import { type Architecture, isLocal, type System } from "./commands";
import { GuideCommands } from "./guide-commands";
import { GuideTarget } from "./guide-target";
import { GuideToken } from "./guide-token";
import { Step } from "./step";
import { useToken } from "./use-token";

export default function CreatePage() {
  const { t } = useTranslation();
  const token = useToken();
  const [system, setSystem] = useState<System>("linux");
  const [architecture, setArchitecture] = useState<Architecture>("amd64");
  const server = serverAddress();
  // A used token lets no other machine in; an unused one still does.
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
        <Arrivals onAnother={another} />
      </div>
    </>
  );
}
