import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { TargetType } from "../../../../src/shared/notifications";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";

type Explaining = { type: TargetType; id: number; name: string };

/** Shows that the outage of a parent explains this one; otherwise renders nothing. */
export function ExplainedMark({ by }: { by: Explaining | null | undefined }) {
  const { t } = useTranslation();
  if (!by) return null;
  const path = by.type === "monitor" ? paths.monitor(by.id) : paths.agent(by.id);
  return (
    <span className="explained-mark" title={t("notifications.dependencies.explainedTitle")}>
      <Icon name="bell" /> {t("notifications.dependencies.explained")} <Link href={path}>{by.name}</Link>
    </span>
  );
}
