import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { toast } from "../../../ui/feedback/toast";
import { AgentBadge } from "../agent-badge";
import { useArrivals } from "./use-arrivals";

/** Watches for the new machine, and leads to it. */
export function Arrivals({ onAnother }: { onAnother: () => void }) {
  const { t } = useTranslation();
  const agents = useArrivals();
  const newest = agents[0]?.name;

  // On a phone this stands far below what was just copied.
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
