import { useTranslation } from "react-i18next";
import { ResourceBar } from "../../../ui/charts/resource-bar";
import { Icon } from "../../../ui/controls/icon";
import { useFormat } from "../../../ui/hooks/use-format";
import type { AgentDetail } from "../api";
import { shareOf } from "../resources";

type Reason = "permission" | "timeout";
const isKnown = (reason: string): reason is Reason => reason === "permission" || reason === "timeout";

/** The disks that the agent could not read, each with the reason. */
export function UnreadableDisks({ disks }: { disks: AgentDetail["unreadable_disks"] }) {
  const { t } = useTranslation();
  if (disks.length === 0) return null;
  return (
    <div className="message warn" role="status">
      <Icon name="alert" />
      <div>
        <p>{t("agents.detail.unreadable")}</p>
        <ul className="unreadable">
          {disks.map(({ mount, reason }) => (
            <li key={mount}>
              <code>{mount}</code> {isKnown(reason) ? t(`agents.detail.unreadableReason.${reason}`) : reason}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** One bar for each disk where there are several, and one for swap. */
export function DisksPanel({ agent }: { agent: AgentDetail }) {
  const { t } = useTranslation();
  const { disks, swap, status } = agent;
  const mounts = disks && disks.length > 1 ? disks.map(({ mount, ...usage }) => ({ label: mount, ...usage })) : [];
  const swaps = swap && swap.total > 0 ? [{ label: t("agents.resource.swap"), ...swap }] : [];
  if (mounts.length + swaps.length === 0) return null;
  return (
    <section className={`card disks-panel ${status}`}>
      <div className="section-head">
        <h2>{mounts.length > 0 ? t("agents.detail.disks") : t("agents.resource.swap")}</h2>
      </div>
      <div className="resources">
        {[...mounts, ...swaps].map((usage) => (
          <UsageBar key={usage.label} {...usage} />
        ))}
      </div>
    </section>
  );
}

function UsageBar({ label, used, total }: { label: string; used: number; total: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const share = shareOf(used, total);
  const [usedText, totalText] = format.bytes(used, total);
  const text = `${format.share(share)} · ${t("common.of", { used: usedText, total: totalText })}`;
  return <ResourceBar label={label} percent={share} text={text} />;
}
