import { useTranslation } from "react-i18next";
import { Copyable } from "../../../ui/controls/copyable";
import { Icon } from "../../../ui/controls/icon";
import { Skeleton } from "../../../ui/feedback/skeleton";
import {
  downloadAddress,
  downloadCommand,
  fileName,
  installCommand,
  isUnencrypted,
  renameCommand,
  serviceUnit,
  startCommand,
  type Target,
  tokenCommand,
} from "./commands";
import { Step } from "./step";
import { useSum } from "./use-sum";

/** From a bare machine to a running agent: in one line where there is one, or by hand. */
export function GuideCommands({ target, downloads }: { target: Target; downloads: readonly string[] }) {
  const { t } = useTranslation();
  const offered = downloads.includes(fileName(target));
  const sum = useSum(target, offered);
  const install = offered ? installCommand(target, sum ?? null) : null;
  const unit = serviceUnit(target);
  return (
    <>
      {install && (
        <Step title={t("agents.guide.install")}>
          <p className="soft">{t("agents.guide.installText")}</p>
          {isUnencrypted(target.server) && (
            <p className="message warn">
              <Icon name="alert" />
              <span>{t("agents.guide.unencrypted")}</span>
            </p>
          )}
          {sum === undefined ? (
            <Skeleton heights={["2.75rem"]} />
          ) : (
            <Copyable what={t("agents.guide.install")} text={install} />
          )}
        </Step>
      )}
      <Step
        title={t(install ? "agents.guide.byHand" : "agents.guide.only")}
        mark={install ? t("agents.guide.or") : undefined}
      >
        <h3>{t("agents.guide.download")}</h3>
        {offered ? <Download target={target} /> : <NoDownload target={target} downloads={downloads} />}
        <h3>{t("agents.guide.start")}</h3>
        <p className="soft">{t("agents.guide.startText")}</p>
        <Copyable what={t("agents.guide.start")} text={startCommand(target)} />
        {unit && (
          <details>
            <summary>{t("agents.guide.service")}</summary>
            <p className="soft">{t("agents.guide.serviceToken")}</p>
            <Copyable what={t("agents.guide.token")} text={tokenCommand(target)} />
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
function NoDownload({ target, downloads }: { target: Target; downloads: readonly string[] }) {
  const { t } = useTranslation();
  const system = t(`agents.guide.systems.${target.system}`);
  const { architecture } = target;
  return (
    <p className="message warn">
      <Icon name="alert" />
      <span>
        {t("agents.guide.noDownload", { system, architecture })}{" "}
        {downloads.length > 0 && t("agents.guide.hasDownloads", { files: downloads.join(t("agents.guide.comma")) })}{" "}
        {t("agents.guide.addDownload", { file: fileName(target) })}
      </span>
    </p>
  );
}
