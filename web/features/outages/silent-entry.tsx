import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import type { Outage } from "./api";

/** Says in the timeline that no message was sent about an outage, and leads its owner to where that is set. */
export function SilentEntry({ outage: { target_type, target_id, owner } }: { outage: Outage }) {
  const { t } = useTranslation();
  const path = target_type === "monitor" ? paths.monitor(target_id) : paths.agent(target_id);
  return (
    <li>
      <span className="timeline-mark">
        <Icon name="muted" />
      </span>
      <div>
        <h3>{t("outages.silent")}</h3>
        <p className="soft">
          {t("outages.silentText")}
          {owner === undefined && (
            <>
              {" "}
              <Link href={`${path}?tab=alerts`}>{t("outages.silentLink")}</Link>
            </>
          )}
        </p>
      </div>
    </li>
  );
}
