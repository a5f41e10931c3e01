import { useAtom } from "jotai";
import { useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { mergeById, useRefreshOn } from "../../../lib/resource";
import { Segments } from "../../../ui/controls/segments";
import { StatusBadge, toStatus } from "../../../ui/feedback/badge";
import { Empty } from "../../../ui/feedback/empty";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { toast } from "../../../ui/feedback/toast";
import { useCheckError } from "../../../ui/hooks/use-check-error";
import { useFormat } from "../../../ui/hooks/use-format";
import { type Check, listChecks, newestChecksAtom } from "../api";

function CheckTable({ checks }: { checks: readonly Check[] }) {
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

const filters = ["all", "down"] as const;
type Filter = (typeof filters)[number];

type Props = { id: number; lastChecked: string | null };

export function HistoryTab({ id, lastChecked }: Props) {
  const { t } = useTranslation();
  const [filter, setFilter] = useState<Filter>("all");
  return (
    <div className="stack">
      <div>
        <Segments
          label={t("monitors.history.filter")}
          choices={filters.map((value) => ({ value, label: t(`monitors.history.${value}`) }))}
          chosen={filter}
          onChoose={setFilter}
        />
      </div>
      <Checks key={filter} id={id} lastChecked={lastChecked} filter={filter} />
    </div>
  );
}

type Older = { checks: Check[]; next: number | null };

/** The newest page is refreshed; older pages are loaded once and stay below it. */
function Checks({ id, lastChecked, filter }: Props & { filter: Filter }) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(newestChecksAtom(`${id}/${filter}`));
  useRefreshOn(lastChecked, refresh);
  const [older, setOlder] = useState<Older>();
  const [busy, start] = useTransition();

  if (!data)
    return error ? (
      <Failure title={t("monitors.history.failed")} error={error} onRetry={() => void refresh()} />
    ) : (
      <Skeleton heights={["24rem"]} />
    );

  const checks = mergeById(data.checks, older?.checks ?? []);
  const next = older ? older.next : data.next;
  if (checks.length === 0)
    return (
      <Empty icon="pending" title={t(filter === "down" ? "monitors.history.emptyDown" : "monitors.history.empty")} />
    );

  const more = (before: number) =>
    start(async () => {
      try {
        const page = await listChecks(id, { before, ...(filter === "down" && { status: filter }) });
        setOlder({ checks: mergeById(checks, page.checks), next: page.next });
      } catch {
        toast(t("monitors.history.failed"), { tone: "bad" });
      }
    });

  return (
    <>
      <CheckTable checks={checks} />
      {next !== null && (
        <div className="actions centre">
          <button type="button" className="plain" disabled={busy} onClick={() => more(next)}>
            {t(busy ? "monitors.history.loadingMore" : "monitors.history.more")}
          </button>
        </div>
      )}
    </>
  );
}
