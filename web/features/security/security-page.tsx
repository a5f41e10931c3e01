import { useCallback, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { SECURITY_EVENTS, type SecurityEventKind } from "../../../src/shared/security-events";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { useFormat } from "../../ui/hooks/use-format";
import { OpeningCell } from "../../ui/layout/opening-cell";
import { TableHead } from "../../ui/layout/table-head";
import { addressOf, detailOf, type Entry, foldEntries, readSecurityLog } from "./api";

const columns = ["time", "event", "user", "address", "detail"] as const;

/** The entries of the security log. The rate-limited sign-ins of a minute are one entry with their count. */
function EntryTable({ entries }: { entries: readonly Entry[] }) {
  const { t } = useTranslation();
  if (entries.length === 0) return <p className="soft">{t("security.empty")}</p>;
  return (
    <div className="detail">
      <section className="card runs security" aria-label={t("security.title")}>
        <table>
          <TableHead columns={columns.map((column) => t(`security.column.${column}`))} />
          {foldEntries(entries).map((group) => (
            <EntryRows key={group.at(-1)?.id} group={group} />
          ))}
        </table>
      </section>
    </div>
  );
}

/** Equal entries as one row with the time of the newest, and below it all of them once it is opened. */
function EntryRows({ group }: { group: readonly Entry[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const rows = useId();
  const [newest] = group;
  const count = group.length;
  const toggle = () => setOpen(!open);
  const time = ({ at }: Entry) => <time dateTime={at}>{format.dateTime(at)}</time>;
  if (!newest) return null;
  return (
    <tbody className={open ? "open" : undefined} id={rows}>
      <tr className={count > 1 ? "opens" : undefined} onClick={count > 1 ? toggle : undefined}>
        <OpeningCell opens={count > 1} open={open} rows={rows} title={t("security.show")} onToggle={toggle}>
          {time(newest)}
        </OpeningCell>
        <th scope="row" className="entry-kind">
          {t(`security.kind.${newest.kind}`)}
          {count > 1 && <span className="soft"> · {t("security.times", { count })}</span>}
        </th>
        <td className={newest.username ? "entry-user" : "entry-user none"}>{newest.username || "–"}</td>
        <td className={newest.address ? "entry-address" : "entry-address none"}>{addressOf(newest, t) || "–"}</td>
        <td className="why">{detailOf(newest, t)}</td>
      </tr>
      {open &&
        group.map((entry) => (
          <tr key={entry.id} className="check">
            <td className="when">{time(entry)}</td>
          </tr>
        ))}
    </tbody>
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
