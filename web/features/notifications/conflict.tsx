import { useTranslation } from "react-i18next";
import { CallError } from "../../api";

/** The values that others have stored since a form was opened; undefined for other failures. */
export const storedSince = (error: unknown): Readonly<Record<string, unknown>> | undefined =>
  error instanceof CallError && error.code === "rule_changed" ? error.current : undefined;

/** That others were saved first; their values are in the form. */
export function Conflict({ onMine }: { onMine: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="message warn" role="alert">
      <p>{t("alerts.rule.changed")}</p>
      <button type="button" className="plain compact" onClick={onMine}>
        {t("alerts.rule.again")}
      </button>
    </div>
  );
}
