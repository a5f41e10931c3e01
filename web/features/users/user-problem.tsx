import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { isMissing } from "../../api";
import { paths } from "../../paths";
import { Empty } from "../../ui/feedback/empty";
import { Failure } from "../../ui/feedback/failure";

/** Replaces the page of a user who does not exist or could not be loaded. */
export function UserProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  if (!isMissing(error)) return <Failure title={t("users.edit.loadFailed")} error={error} onRetry={onRetry} />;
  return (
    <Empty heading="h1" icon="search" title={t("users.edit.missing")} text={t("users.edit.missingText")}>
      <Link href={paths.users} className="button plain">
        {t("users.edit.back")}
      </Link>
    </Empty>
  );
}
