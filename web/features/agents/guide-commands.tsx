import type { ReactNode } from "react";
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

export function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="card step">
      <h2>{title}</h2>
      {children}
    </li>
  );
}

/** From a bare machine to a running agent: in one line where there is one, or step by step. */
export function GuideCommands({ target }: { target: Target }) {
  const { t } = useTranslation();
  const install = installCommand(target);
  const download = downloadCommand(target);
  const rename = renameCommand(target);
  const unit = serviceUnit(target);
  return (
    <>
      {install && (
        <Step title={t("agents.guide.install")}>
          <p className="soft">{t("agents.guide.installText")}</p>
          <Copyable what={t("agents.guide.install")} text={install} />
        </Step>
      )}
      <Step title={t(install ? "agents.guide.downloadByHand" : "agents.guide.download")}>
        <p>
          <a href={downloadAddress(target)} className="button plain">
            <Icon name="download" />
            {t("agents.guide.link")}
          </a>
        </p>
        {rename && (
          <p className="soft small">
            {t("agents.guide.rename")} <code>{rename}</code>
          </p>
        )}
        {download && (
          <>
            <p className="soft">{t("agents.guide.curl")}</p>
            <Copyable what={t("agents.guide.curl")} text={download} />
          </>
        )}
      </Step>
      <Step title={t("agents.guide.start")}>
        <p className="soft">{t("agents.guide.startText")}</p>
        <Copyable what={t("agents.guide.start")} text={startCommand(target)} />
        {unit && (
          <details>
            <summary>{t("agents.guide.service")}</summary>
            <p className="soft">{t("agents.guide.serviceText")}</p>
            <Copyable what={t("agents.guide.service")} text={unit} lines />
          </details>
        )}
      </Step>
    </>
  );
}
