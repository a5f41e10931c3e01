import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { SECURITY_EVENTS, type SecurityEventKind } from "../../../src/shared/security-events";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { useFormat } from "../../ui/hooks/use-format";
import { TableHead } from "../../ui/layout/table-head";
import { addressOf, detailOf, type Entry, readSecurityLog } from "./api";

const columns = ["time", "event", "user", "address", "detail"] as const;

/** The entries of the security log. The rate-limited sign-ins of a minute are one entry with their count. */
function EntryTable({ entries }: { entries: readonly Entry[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (entries.length === 0) return <p className="soft">{t("security.empty")}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="card table-card" aria-label={t("security.title")} tabIndex={0}>
      <table className="security-table">
        <TableHead columns={columns.map((column) => t(`security.column.${column}`))} />
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

type Shown = { entries: readonly Entry[]; next: number | null };

/** The security log for administrators: sign-ins and changes of accounts, keys and channels. */
export default function SecurityPage() {
  const { t } = useTranslation();
  const [kind, setKind] = useState<SecurityEventKind | "">("");
  const [shown, setShown] = useState<Shown>();
  const [error, setError] = useState<unknown>();
  const [loading, setLoading] = useState(false);
  const latest = useRef(0);

  const load = useCallback(async (filter: SecurityEventKind | "", after?: Shown) => {
    const request = ++latest.current;
    setLoading(true);
    try {
      const before = after?.next ?? undefined;
      const page = await readSecurityLog({ ...(filter && { kind: filter }), ...(before && { before }) });
      if (request !== latest.current) return;
      setShown({ entries: [...(after?.entries ?? []), ...page.entries], next: page.next });
      setError(undefined);
    } catch (failed) {
      if (request === latest.current) setError(failed);
    }
    if (request === latest.current) setLoading(false);
  }, []);
  useEffect(() => void load(kind), [kind, load]);

  return (
    <>
      <div className="page-head">
        <div>
          <h1>{t("security.title")}</h1>
          <p className="soft">{t("security.text")}</p>
        </div>
      </div>
      <div className="toolbar">
        <select
          aria-label={t("security.filter")}
          value={kind}
          onChange={(event) => setKind(event.target.value as SecurityEventKind | "")}
        >
          <option value="">{t("security.all")}</option>
          {SECURITY_EVENTS.map((value) => (
            <option key={value} value={value}>
              {t(`security.kind.${value}`)}
            </option>
          ))}
        </select>
      </div>
      {error !== undefined && (
        <Failure title={t("security.loadFailed")} error={error} onRetry={() => void load(kind)} />
      )}
      {shown ? <EntryTable entries={shown.entries} /> : error === undefined && <Skeleton heights={["16rem"]} />}
      {shown && shown.next !== null && (
        <div className="actions">
          <button type="button" className="plain" disabled={loading} onClick={() => void load(kind, shown)}>
            {t("security.more")}
          </button>
        </div>
      )}
    </>
  );
}
