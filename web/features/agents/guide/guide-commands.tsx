import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Copyable } from "../../../ui/controls/copy-button";
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

/** Reads the checksum of an agent program from the hub; null where the hub does not have it. */
const readChecksum = async (name: string): Promise<string | null> => {
  try {
    const response = await fetch(new URL(`downloads/${name}.sha256`, document.baseURI), { credentials: "omit" });
    const [sum = ""] = (await response.text()).split(" ");
    return response.ok && /^[0-9a-f]{64}$/.test(sum) ? sum : null;
  } catch {
    return null;
  }
};

/** The SHA-256 of the agent program for a target: null where there is none, undefined while it is loaded. */
const useChecksum = (target: Target, offered: boolean): string | null | undefined => {
  const name = offered && target.system === "linux" ? fileName(target) : undefined;
  const [loaded, setLoaded] = useState<{ name: string; sum: string | null }>();
  useEffect(() => {
    if (name === undefined) return;
    let ignore = false;
    void readChecksum(name).then((sum) => !ignore && setLoaded({ name, sum }));
    return () => {
      ignore = true;
    };
  }, [name]);
  if (name === undefined) return null;
  return loaded?.name === name ? loaded.sum : undefined;
};

/** One step of the guide. With a mark it is an alternative to the step before and has no number. */
export function Step({ title, mark, children }: { title: string; mark?: string; children: ReactNode }) {
  return (
    <li className={mark ? "card step other" : "card step"}>
      <h2 data-mark={mark}>{title}</h2>
      {children}
    </li>
  );
}

/** The commands that install and start the agent: one line where the system has one, and the single steps. */
export function GuideCommands({ target, downloads }: { target: Target; downloads: readonly string[] }) {
  const { t } = useTranslation();
  const offered = downloads.includes(fileName(target));
  const sum = useChecksum(target, offered);
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

/** What to do where the hub has no agent program for the target. */
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
