import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { isLocal, isUnencrypted } from "../../../src/shared/agents/install-command";
import { serverAddress } from "../../bootstrap";
import { Copyable } from "../../ui/controls/copy-button";
import { Icon } from "../../ui/controls/icon";
import { Skeleton } from "../../ui/feedback/skeleton";
import { listTokens } from "../servers/api";
import { installCommand, type Machine } from "../servers/guide/commands";
import { readChecksums } from "../servers/guide/guide-commands";
import type { ImportedItem } from "./api";

const MACHINE: Machine = { system: "linux", architecture: "amd64", agent: "executable" };

/** The checksums of the agent programs; undefined while they are loaded, and empty where they can't be. */
const useChecksums = (): string[] | undefined => {
  const [sums, setSums] = useState<string[]>();
  useEffect(() => {
    let ignore = false;
    void listTokens()
      .then(({ downloads }) => readChecksums(MACHINE, downloads))
      .catch(() => [])
      .then((loaded) => !ignore && setSums(loaded));
    return () => {
      ignore = true;
    };
  }, []);
  return sums;
};

/** The command that installs the agent on the machine of each imported server. */
export function Commands({ items }: { items: readonly ImportedItem[] }) {
  const { t } = useTranslation();
  const sums = useChecksums();
  const server = serverAddress();
  const commands = items.flatMap(({ path, name, enrollment }) => {
    if (!enrollment) return [];
    const target = { ...MACHINE, server, token: enrollment.token };
    return [{ path, name, command: installCommand(target, { sums: sums ?? [], autoUpdate: false }) ?? "" }];
  });
  return (
    <section className="stack" aria-labelledby="import-commands">
      <h2 id="import-commands">{t("imports.commands.title")}</h2>
      <p className="soft">{t("imports.commands.text")}</p>
      {(isLocal(server) || isUnencrypted(server)) && (
        <p className="message warn">
          <Icon name="alert" />
          <span>{t(isLocal(server) ? "imports.commands.local" : "imports.commands.unencrypted")}</span>
        </p>
      )}
      {sums === undefined ? (
        <Skeleton heights={["2.75rem"]} />
      ) : (
        <ul className="import-commands">
          {commands.map(({ path, name, command }) => (
            <li key={path}>
              <b>{name}</b>
              <Copyable what={name} text={command} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
