import { useAtomValue } from "jotai";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { toast } from "../../../ui/feedback/toast";
import { AgentBadge } from "../agent-status";
import { type Agent, newAgentsAtom } from "../api";

/** The agents that enrolled since the guide was opened, newest first. */
const useNewAgents = (): Agent[] => {
  const { data, loadedAt } = useAtomValue(newAgentsAtom);
  const [openedAt] = useState(() => Date.now());
  const [known, setKnown] = useState<ReadonlySet<number>>();

  // A list loaded during an earlier visit may lack agents that enrolled before this one.
  const fresh = data && loadedAt !== undefined && loadedAt >= openedAt ? data.agents : undefined;
  useEffect(() => {
    if (fresh) setKnown((before) => before ?? new Set(fresh.map(({ id }) => id)));
  }, [fresh]);

  return known && fresh ? fresh.filter(({ id }) => !known.has(id)).reverse() : [];
};

/** Waits for the new machine and links to it. */
export function NewAgents({ onAnother }: { onAnother: () => void }) {
  const { t } = useTranslation();
  const agents = useNewAgents();
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
                  <AgentBadge status={status} />
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
