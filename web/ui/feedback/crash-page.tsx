import { useTranslation } from "react-i18next";
import { Icon } from "../controls/icon";

/** Replaces the page after an uncaught rendering error, with a button to reload. */
export function CrashPage({ error }: { error: unknown }) {
  const { t } = useTranslation();
  return (
    <div className="centred" role="alert">
      <h1>{t("common.crash.title")}</h1>
      <p>{t("common.crash.text")}</p>
      {error instanceof Error && <code>{error.message}</code>}
      <button type="button" onClick={() => location.reload()}>
        <Icon name="refresh" />
        {t("common.action.reload")}
      </button>
    </div>
  );
}
