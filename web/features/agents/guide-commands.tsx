import { useTranslation } from "react-i18next";
import { Copyable } from "../../ui/copyable";
import { Icon } from "../../ui/icon";
import {
  downloadAddress,
  downloadCommand,
  installCommand,
  renameCommand,
  serviceUnit,
  startCommand,
  type Target,
} from "./commands";
import { Step } from "./step";

/** From a bare machine to a running agent: in one line where there is one, or by hand. */
export function GuideCommands({ target }: { target: Target }) {
  const { t } = useTranslation();
  const install = installCommand(target);
  const unit = serviceUnit(target);
  return (
    <>
      {install && (
        <Step title={t("agents.guide.install")}>
          <p className="soft">{t("agents.guide.installText")}</p>
          <Copyable what={t("agents.guide.install")} text={install} />
        </Step>
      )}
      <Step
        title={t(install ? "agents.guide.byHand" : "agents.guide.only")}
        mark={install ? t("agents.guide.or") : undefined}
      >
        <h3>{t("agents.guide.download")}</h3>
        <Download target={target} />
        <h3>{t("agents.guide.start")}</h3>
        <p className="soft">{t("agents.guide.startText")}</p>
        <Copyable what={t("agents.guide.start")} text={startCommand(target)} />
        {unit && (
          <details>
            <summary>{t("agents.guide.service")}</summary>
            <p className="soft">{t("agents.guide.serviceText")}</p>
            <Copyable what={t("agents.guide.service")} text={unit} />
          </details>
        )}
      </Step>
    </>
  );
}

function Download({ target }: { target: Target }) {
  const { t } = useTranslation();
  const command = downloadCommand(target);
  const rename = renameCommand(target);
  return (
    <>
      {command && <Copyable what={t("agents.guide.download")} text={command} />}
      <div className="actions">
        <a href={downloadAddress(target)} className="button plain compact">
          <Icon name="download" />
          {t("agents.guide.link")}
        </a>
        {rename && (
          <span className="soft small">
            {t("agents.guide.rename")} <code>{rename}</code>
          </span>
        )}
      </div>
    </>
  );
}
