import { useAtom } from "jotai";
import { useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { useRefreshOn } from "../../../lib/hooks/use-refresh-on";
import { Segments } from "../../../ui/controls/segments";
import { Empty } from "../../../ui/feedback/empty";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { toast } from "../../../ui/feedback/toast";
import { type Check, listChecks } from "../calls";
import { newestChecksAtom } from "../monitors-state";
import { CheckTable } from "./check-table";

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

/** The newest page is kept fresh; older pages are fetched once and stay below it. */
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

  const checks = mergeChecks(data.checks, older?.checks ?? []);
  const next = older ? older.next : data.next;
  if (checks.length === 0)
    return (
      <Empty icon="pending" title={t(filter === "down" ? "monitors.history.emptyDown" : "monitors.history.empty")} />
    );

  const more = (before: number) =>
    start(async () => {
      try {
        const page = await listChecks(id, { before, ...(filter === "down" && { status: filter }) });
        setOlder({ checks: mergeChecks(checks, page.checks), next: page.next });
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

/** Both are newest first; what is in both appears once. */
const mergeChecks = (newer: readonly Check[], older: readonly Check[]): Check[] => {
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !known.has(id))];
};
