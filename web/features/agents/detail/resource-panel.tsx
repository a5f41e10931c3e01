import { useTranslation } from "react-i18next";
import { ResourceBar } from "../../../ui/charts/resource-bar";
import { useFormat } from "../../../ui/hooks/use-format";
import type { AgentDetail } from "../calls";
import { ResourceBars } from "../list/resource-bars";
import { shareOf } from "../resources";

/** The last figures, with each disk by itself where there are several. */
export function ResourcePanel({ agent }: { agent: AgentDetail }) {
  const { t } = useTranslation();
  const { disks, swap, status } = agent;
  const mounts = disks && disks.length > 1 ? disks.map(({ mount, ...usage }) => ({ label: mount, ...usage })) : [];
  const swaps = swap && swap.total > 0 ? [{ label: t("agents.resource.swap"), ...swap }] : [];
  return (
    <section className={`card resource-panel ${status}`}>
      <div className="section-head">
        <h2>{t("agents.detail.resources")}</h2>
      </div>
      <ResourceBars agent={agent} />
      {(mounts.length > 0 || swaps.length > 0) && (
        <div className="resources more">
          {[...mounts, ...swaps].map((one) => (
            <UsageBar key={one.label} {...one} />
          ))}
        </div>
      )}
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
