import { useTranslation } from "react-i18next";
import { Copyable } from "../../ui/copyable";
import { Icon } from "../../ui/icon";
import {
  downloadAddress,
  downloadCommand,
  fileName,
  installCommand,
  renameCommand,
  serviceUnit,
  startCommand,
  type Target,
} from "./commands";
import { Step } from "./step";

/** From a bare machine to a running agent: in one line where there is one, or by hand. */
export function GuideCommands({ target, downloads }: { target: Target; downloads: readonly string[] }) {
  const { t } = useTranslation();
  const offered = downloads.includes(fileName(target));
  const install = offered ? installCommand(target) : null;
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
        {offered ? <Download target={target} /> : <NoDownload target={target} />}
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

/** What to do where the console has no program for this kind of machine. */
function NoDownload({ target }: { target: Target }) {
  const { t } = useTranslation();
  const system = t(`agents.guide.systems.${target.system}`);
  const { architecture } = target;
  return (
    <p className="message warn">
      <Icon name="alert" />
      <span>{t("agents.guide.noDownload", { system, architecture, file: fileName(target) })}</span>
    </p>
  );
}
