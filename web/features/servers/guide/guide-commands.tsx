import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { isLocal, isUnencrypted } from "../../../../src/shared/agents/install-command";
import { Copyable } from "../../../ui/controls/copy-button";
import { Icon } from "../../../ui/controls/icon";
import { Switch } from "../../../ui/controls/switch";
import { Skeleton } from "../../../ui/feedback/skeleton";
import {
  downloadAddress,
  downloadCommand,
  fileName,
  hasShell,
  installCommand,
  type Machine,
  renameCommand,
  serviceUnit,
  startCommand,
  type Target,
  tokenCommand,
} from "./commands";

/** Reads the checksum of a file from the hub; null where the hub does not have it. */
const readChecksum = async (path: string): Promise<string | null> => {
  try {
    const response = await fetch(new URL(`${path}.sha256`, document.baseURI), { credentials: "omit" });
    const [sum = ""] = (await response.text()).split(" ");
    return response.ok && /^[0-9a-f]{64}$/.test(sum) ? sum : null;
  } catch {
    return null;
  }
};

/**
 * Reads the checksums of all files that `install.sh` may choose on a target: the executable, its musl build, and the light
 * agent. Empty if the first is unknown to the hub, because a list without it would exclude it.
 * @param downloads the executables that the hub offers
 */
export const readChecksums = async (target: Machine, downloads: readonly string[]): Promise<string[]> => {
  const musl = fileName(target, true);
  const programs = [fileName(target), ...(downloads.includes(musl) ? [musl] : [])].map((name) => `downloads/${name}`);
  const [first, ...others] = await Promise.all(
    [...(target.agent === "light" ? [] : programs), "agent.sh"].map(readChecksum),
  );
  return first ? [...new Set([first, ...others.filter((sum) => sum !== null)])] : [];
};

/** The checksums for a target; undefined while they are loaded. */
const useChecksums = ({ target, downloads }: Props): string[] | undefined => {
  const { system, architecture, agent } = target;
  const name = fileName({ system, architecture, agent });
  const [loaded, setLoaded] = useState<{ name: string; sums: string[] }>();
  useEffect(() => {
    let ignore = false;
    void readChecksums({ system, architecture, agent }, downloads).then((sums) => !ignore && setLoaded({ name, sums }));
    return () => {
      ignore = true;
    };
  }, [name, system, architecture, agent, downloads]);
  return loaded?.name === name ? loaded.sums : undefined;
};

/** One step of the guide. */
export function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="card step">
      <h2>{title}</h2>
      {children}
    </li>
  );
}

type Props = { target: Target; downloads: readonly string[] };

/** Whether one command installs the agent on a target: its system has one, and the hub has the program. */
export const hasInstall = ({ target, downloads }: Props): boolean =>
  target.system === "linux" && isOffered(target, downloads);

/** The light agent is part of every hub; an executable may be missing. */
const isOffered = (target: Target, downloads: readonly string[]): boolean =>
  target.agent === "light" || downloads.includes(fileName(target));

/** The command that installs and starts the agent; the single steps where there is no such command. */
export function GuideCommands({ target, downloads, children }: Props & { children: ReactNode }) {
  const { t } = useTranslation();
  const isOneLine = hasInstall({ target, downloads });
  return (
    <Step title={t(isOneLine ? "agents.guide.install" : "agents.guide.only")}>
      {isUnencrypted(target.server) && (
        <p className="message warn">
          <Icon name="alert" />
          <span>{t("agents.guide.unencrypted")}</span>
        </p>
      )}
      {isLocal(target.server) && (
        <p className="message warn">
          <Icon name="alert" />
          <span>{t("agents.guide.localOnly")}</span>
        </p>
      )}
      {children}
      {isOneLine ? <OneLine target={target} downloads={downloads} /> : <ByHand target={target} downloads={downloads} />}
    </Step>
  );
}

function OneLine({ target, downloads }: Props) {
  const { t } = useTranslation();
  const sums = useChecksums({ target, downloads });
  const [autoUpdate, setAutoUpdate] = useState(false);
  const install = installCommand(target, { sums: sums ?? [], autoUpdate });
  const isLight = target.agent === "light";
  return (
    <>
      {sums === undefined ? (
        <Skeleton heights={["2.75rem"]} />
      ) : (
        <Copyable what={t("agents.guide.install")} text={install ?? ""} />
      )}
      <p className="soft">{t(isLight ? "servers.guide.installLight" : "agents.guide.installText")}</p>
      {!isLight && (
        <div>
          <Switch label={t("servers.guide.autoUpdate")} checked={autoUpdate} onChange={setAutoUpdate} />
          <p className="soft small">{t("servers.guide.autoUpdateHint")}</p>
        </div>
      )}
    </>
  );
}

/** The steps of an installation without the install script. */
export function ByHand({ target, downloads }: Props) {
  const { t } = useTranslation();
  const unit = serviceUnit(target);
  return (
    <>
      <h3>{t("agents.guide.download")}</h3>
      {isOffered(target, downloads) ? (
        <Download target={target} downloads={downloads} />
      ) : (
        <NoDownload target={target} downloads={downloads} />
      )}
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
    </>
  );
}

function Download({ target, downloads }: Props) {
  const { t } = useTranslation();
  const musl = fileName(target, true);
  const hasMusl = target.system === "linux" && target.agent === "executable" && downloads.includes(musl);
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
        {hasMusl && (
          <span className="soft small">
            {t("servers.guide.musl")} <a href={downloadAddress(target, true)}>{musl}</a>
          </span>
        )}
      </div>
    </>
  );
}

/** Instructions if the hub has no agent program for the target. */
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
        {t("agents.guide.addDownload", { file: fileName(target) })}{" "}
        {hasShell(target.system) && t("servers.guide.orLight")}
      </span>
    </p>
  );
}
