import { useTranslation } from "react-i18next";
import { StatusBadge, toStatus } from "../../../ui/feedback/status-badge";
import { useCheckError } from "../../../ui/hooks/use-check-error";
import { useFormat } from "../../../ui/hooks/use-format";
import type { Check } from "../calls";

export function CheckTable({ checks }: { checks: readonly Check[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const checkError = useCheckError();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="card table-card" aria-label={t("monitors.detail.tab.history")} tabIndex={0}>
      <table className="check-table">
        <thead>
          <tr>
            <th scope="col">{t("monitors.history.time")}</th>
            <th scope="col">{t("monitors.history.status")}</th>
            <th scope="col" className="number">
              {t("monitors.history.response")}
            </th>
            <th scope="col" className="number">
              {t("monitors.history.code")}
            </th>
            <th scope="col" className="error-cell">
              {t("monitors.history.error")}
            </th>
          </tr>
        </thead>
        <tbody>
          {checks.map((check) => (
            <tr key={check.id}>
              <td>
                <time dateTime={check.checked_at}>{format.dateTime(check.checked_at)}</time>
              </td>
              <td>
                <StatusBadge status={toStatus(check.status)} />
              </td>
              <td className="number">{format.milliseconds(check.response_time)}</td>
              <td className="number">{check.status_code ?? "–"}</td>
              <td className="error-cell">{checkError(check) || "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
