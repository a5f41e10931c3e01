import { useTranslation } from "react-i18next";
import { Icon } from "../controls/icon";
import { useErrorText } from "../hooks/use-error-text";

/** Nothing could be loaded: what, why, and a way to try again. */
export function Failure({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  const words = useErrorText();
  return (
    <div className="failure" role="alert">
      <Icon name="alert" />
      <h1>{title}</h1>
      <p className="soft">{words(error, title)}</p>
      <button type="button" className="plain" onClick={onRetry}>
        <Icon name="refresh" />
        {t("common.action.retry")}
      </button>
    </div>
  );
}
