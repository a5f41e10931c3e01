import { useTranslation } from "react-i18next";
import { Icon } from "../controls/icon";
import { useErrorText } from "../hooks/use-error-text";
import { useRetry } from "../hooks/use-retry";

/** Replaces a page that could not be loaded: what failed, why, and a button to retry, which also happens by itself. */
export function Failure({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  useRetry(error, onRetry);
  return (
    <div className="failure" role="alert">
      <Icon name="alert" />
      <h1>{title}</h1>
      <p className="soft">{errorText(error, title)}</p>
      <button type="button" className="plain" onClick={onRetry}>
        <Icon name="refresh" />
        {t("common.action.retry")}
      </button>
    </div>
  );
}
