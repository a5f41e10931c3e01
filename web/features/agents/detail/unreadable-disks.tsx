import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import type { AgentDetail } from "../calls";

type Reason = "permission" | "timeout";
const known = (reason: string): reason is Reason => reason === "permission" || reason === "timeout";

/** Names the disks that the agent could not read, and why. */
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
              <code>{mount}</code> {known(reason) ? t(`agents.detail.unreadableReason.${reason}`) : reason}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
