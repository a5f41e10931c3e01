import { useTranslation } from "react-i18next";
import { PHONE, useMedia } from "../../../lib/hooks/use-media";
import { Icon } from "../../../ui/controls/icon";
import { Ago } from "../../../ui/feedback/ago";
import { Elapsed } from "../../../ui/feedback/elapsed";
import { useFormat } from "../../../ui/hooks/use-format";
import { Addresses } from "../addresses";
import type { Server, ServerDetail } from "../api";
import { shareOf } from "../resources";

/** Seconds from the agent's creation to its last report; null before the first report. */
export const uptimeOf = ({ created_at, updated_at }: Pick<Server, "created_at" | "updated_at">): number | null =>
  updated_at === null ? null : Math.max(0, (Date.parse(updated_at) - Date.parse(created_at)) / 1000);

/** The main figures of an agent. The uptime of the system is only shown while the server reports. */
export function ServerStats({ agent }: { agent: ServerDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { updated_at, load_average, boot_time, status, swap } = agent;
  const [used = "", total = ""] = swap ? format.bytes(swap.used, swap.total) : [];
  return (
    <dl className="card stats">
      {boot_time && (
        <div>
          <dt>{t("agents.detail.uptime")}</dt>
          <dd title={t("agents.detail.uptimeHint", { time: format.dateTime(boot_time) })}>
            {status === "active" ? <Elapsed since={boot_time} /> : "–"}
          </dd>
        </div>
      )}
      <div>
        <dt>{t("agents.detail.lastReport")}</dt>
        <dd>{updated_at ? <Ago time={updated_at} /> : t("agents.never")}</dd>
      </div>
      {load_average && (
        <div className="load">
          <dt>{t("agents.detail.load")}</dt>
          <dd>{load_average.map((load) => format.fixed(load)).join(" · ")}</dd>
        </div>
      )}
      {swap && swap.total > 0 && (
        <div>
          <dt>{t("agents.resource.swap")}</dt>
          <dd>
            {format.share(shareOf(swap.used, swap.total))} · {t("common.of", { used, total })}
          </dd>
        </div>
      )}
    </dl>
  );
}

/** The host, where its name is another one, its addresses and its system; a phone has room for the addresses and the system. */
export function HostFacts({ agent }: { agent: ServerDetail }) {
  const isPhone = useMedia(PHONE);
  const { name, hostname, ip_addresses, os, version } = agent;
  return (
    <p className="soft about-host">
      {!isPhone && hostname !== name && <span>{hostname}</span>}
      {ip_addresses.length > 0 && <Addresses addresses={ip_addresses} short={isPhone} />}
      {os && <span>{os}</span>}
      {!isPhone && version && <span>{version}</span>}
    </p>
  );
}

/** Says that updates of the system wait for a restart. */
export function RebootMark({ isRequired }: { isRequired: boolean }) {
  const { t } = useTranslation();
  if (!isRequired) return null;
  return (
    <span className="tag reboot-mark" title={t("servers.rebootRequiredHint")}>
      <Icon name="refresh" /> {t("servers.rebootRequired")}
    </span>
  );
}
