import { useTranslation } from "react-i18next";
import { PageIcon } from "../controls/page-icon";
import { useRetry } from "../hooks/use-retry";

/** A notice above data whose last refresh failed, with a button to retry, which also happens by itself. */
export function Stale({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  useRetry(error, onRetry);
  if (!error) return null;
  return (
    <p className="message warn stale" role="status">
      <PageIcon name="offline" />
      {t("common.stale")}
      <button type="button" className="quiet compact" onClick={onRetry}>
        {t("common.action.retry")}
      </button>
    </p>
  );
}
