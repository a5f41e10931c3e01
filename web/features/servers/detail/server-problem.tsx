import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { isMissing } from "../../../api";
import { paths } from "../../../paths";
import { Empty } from "../../../ui/feedback/empty";
import { Failure } from "../../../ui/feedback/failure";
import { usePageTitle } from "../../../ui/layout/page-title";

/** Whether a text from the address can be the id of an agent. */
export const isServerId = (id: string) => /^\d{1,15}$/.test(id);

/** Shown where no agent has this id. */
export function ServerMissing({ id }: { id: string }) {
  const { t } = useTranslation();
  usePageTitle(t("agents.title"));
  const text = t(isServerId(id) ? "agents.missing.text" : "agents.missing.invalid");
  return (
    <Empty heading="h1" icon="search" title={t("agents.missing.title", { id })} text={text}>
      <Link href={paths.agents} className="button plain">
        {t("agents.back")}
      </Link>
    </Empty>
  );
}

/** Shown in place of an agent that does not exist or could not be loaded. */
export function ServerProblem({ id, error, onRetry }: { id: string; error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  if (isMissing(error)) return <ServerMissing id={id} />;
  return <Failure title={t("agents.loadOneFailed")} error={error} onRetry={onRetry} />;
}
