import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { useFormat } from "../../ui/hooks/use-format";
import type { Dashboard } from "../problems/api";

/** The open incidents of status pages, each with the way to its next update. Answers of earlier versions have none. */
export function OpenIncidents({ dashboard: { incidents = [] } }: { dashboard: Dashboard }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (incidents.length === 0) return null;
  return (
    <ul className="open-incidents" aria-label={t("dashboard.incident.label")}>
      {incidents.map(({ id, title, started_at }) => (
        <li key={id}>
          <Icon name="page" />
          <b className="truncate" title={title}>
            {title}
          </b>
          <span className="soft small">{t("dashboard.incident.since", { time: format.moment(started_at) })}</span>
          <Link href={`${paths.incidents}?incident=${id}`} className="button plain compact">
            {t("dashboard.incident.post")}
          </Link>
        </li>
      ))}
    </ul>
  );
}
