import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { isMissing } from "../../api";
import { paths } from "../../paths";
import { Empty } from "../../ui/feedback/empty";
import { Failure } from "../../ui/feedback/failure";

/** Shown in place of a monitor that does not exist or could not be loaded. */
export function MonitorProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  if (!isMissing(error)) return <Failure title={t("monitors.loadFailed")} error={error} onRetry={onRetry} />;
  return (
    <Empty heading="h1" icon="search" title={t("monitors.detail.missing")} text={t("monitors.detail.missingText")}>
      <Link href={paths.monitors} className="button plain">
        {t("monitors.detail.back")}
      </Link>
    </Empty>
  );
}
