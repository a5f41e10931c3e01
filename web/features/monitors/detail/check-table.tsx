import { useTranslation } from "react-i18next";
import { StatusBadge, toStatus } from "../../../ui/feedback/status-badge";
import { useFormat } from "../../../ui/hooks/use-format";
import { useReason } from "../../../ui/hooks/use-reason";
import type { Check } from "../calls";

export function CheckTable({ checks }: { checks: readonly Check[] }) {
  const { t } = useTranslation();
  const format = useFormat();
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
          {checks.map(({ id, checked_at, status, response_time, status_code, error }) => (
            <tr key={id}>
              <td>
                <time dateTime={checked_at}>{format.dateTime(checked_at)}</time>
              </td>
              <td>
                <StatusBadge status={toStatus(status)} />
              </td>
              <td className="number">{format.milliseconds(response_time)}</td>
              <td className="number">{status_code ?? "–"}</td>
              <td className="error-cell">{error ? <ErrorCell error={error} /> : "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Our words first; the original under them, for whoever wants it. */
function ErrorCell({ error }: { error: string }) {
  const reason = useReason();
  const words = reason(error);
  if (words === error) return error;
  return (
    <>
      {words}
      <br />
      <span className="soft small">{error}</span>
    </>
  );
}
