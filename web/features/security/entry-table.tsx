import { useTranslation } from "react-i18next";
import { useFormat } from "../../ui/hooks/use-format";
import type { Entry } from "./calls";
import { addressOf, detailOf } from "./detail";

const columns = ["time", "event", "user", "address", "detail"] as const;

/** The entries of the security log. The rate-limited sign-ins of a minute are one entry with their count. */
export function EntryTable({ entries }: { entries: readonly Entry[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (entries.length === 0) return <p className="soft">{t("security.empty")}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="card table-card" aria-label={t("security.title")} tabIndex={0}>
      <table className="security-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {t(`security.column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td className="soft time-cell">
                <time dateTime={entry.at}>{format.dateTime(entry.at)}</time>
              </td>
              <th scope="row">{t(`security.kind.${entry.kind}`)}</th>
              <td className="user-name">{entry.username || "—"}</td>
              <td className="address-cell">{addressOf(entry, t) || "—"}</td>
              <td className="detail-cell">{detailOf(entry, t)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
