import { useTranslation } from "react-i18next";
import type { DiskUsage, Usage } from "../../../../src/shared/agents/report";
import { readableName } from "../../../lib/format";
import { ResourceBar } from "../../../ui/charts/resource-bar";
import { Icon } from "../../../ui/controls/icon";
import { useFormat } from "../../../ui/hooks/use-format";
import type { ServerDetail } from "../api";
import { shareOf } from "../resources";

type Reason = "permission" | "timeout";
const isKnown = (reason: string): reason is Reason => reason === "permission" || reason === "timeout";

/** The disks that the agent could not read, each with the reason. */
export function UnreadableDisks({ disks }: { disks: ServerDetail["unreadable_disks"] }) {
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
              <code>{readableName(mount)}</code>{" "}
              {isKnown(reason) ? t(`agents.detail.unreadableReason.${reason}`) : reason}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** That the machine's clock differs from the hub's. */
export function ClockOffset({ seconds }: { seconds: number | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (seconds === null) return null;
  const time = format.duration(Math.abs(seconds));
  return (
    <p className="message warn" role="status">
      <Icon name="alert" />
      {seconds > 0 ? t("agents.detail.clockAhead", { time }) : t("agents.detail.clockBehind", { time })}
    </p>
  );
}

/** From this share on, the files in use are shown beside the bytes. */
const MANY_INODES = 50;

const inodeShare = ({ inodes }: DiskUsage) => (inodes ? shareOf(inodes.used, inodes.total) : 0);

/** One bar for each disk where there are several, or where one has many files, and one for swap. */
export function DisksPanel({ agent }: { agent: ServerDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { swap, status } = agent;
  const disks: readonly DiskUsage[] = agent.disks ?? [];
  const noteOf = (disk: DiskUsage) =>
    inodeShare(disk) >= MANY_INODES ? t("servers.inodes", { share: format.share(inodeShare(disk)) }) : undefined;
  const mounts =
    disks.length > 1 || disks.some(noteOf)
      ? disks.map((disk) => ({
          label: readableName(disk.mount),
          used: disk.used,
          total: disk.total,
          note: noteOf(disk),
        }))
      : [];
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

type UsageProps = Usage & { label: string /** Beside the share and the bytes. */; note?: string | undefined };

/** A bar for what is in use of a total in bytes. */
export function UsageBar({ label, used, total, note }: UsageProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const share = shareOf(used, total);
  const [usedText, totalText] = format.bytes(used, total);
  const amount = t("common.of", { used: usedText, total: totalText });
  const text = [format.share(share), amount, ...(note ? [note] : [])].join(" · ");
  return <ResourceBar label={label} percent={share} text={text} />;
}
