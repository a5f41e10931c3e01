import { useTranslation } from "react-i18next";
import { readableName } from "../../../lib/format";
import { Icon } from "../../../ui/controls/icon";
import { useFormat } from "../../../ui/hooks/use-format";
import type { ServerDetail } from "../api";

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
