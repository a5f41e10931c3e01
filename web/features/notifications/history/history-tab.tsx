import { useAtom } from "jotai";
import { useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { mergeById } from "../../../lib/resource";
import { Empty } from "../../../ui/feedback/empty";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { Stale } from "../../../ui/feedback/stale";
import { toast } from "../../../ui/feedback/toast";
import { type HistoryEvent, historyAtom, readHistory } from "../api";
import { EventItem } from "./event-item";

type Older = { events: HistoryEvent[]; next: number | null };

/** Events with their deliveries. The newest page is refreshed; older pages are loaded once and stay below it. */
export function HistoryTab() {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(historyAtom);
  const [older, setOlder] = useState<Older>();
  const [busy, start] = useTransition();
  const retry = () => void refresh();

  if (!data)
    return error ? (
      <Failure title={t("notifications.history.failed")} error={error} onRetry={retry} />
    ) : (
      <Skeleton heights={["6rem", "6rem", "6rem"]} />
    );

  const events = mergeById(data.events, older?.events ?? []);
  const next = older ? older.next : data.next;
  if (events.length === 0)
    return (
      <Empty
        heading="h2"
        icon="bell"
        title={t("notifications.history.emptyTitle")}
        text={t("notifications.history.emptyText")}
      />
    );

  const more = (before: number) =>
    start(async () => {
      try {
        const page = await readHistory(before);
        setOlder({ events: mergeById(events, page.events), next: page.next });
      } catch {
        toast(t("notifications.history.failed"), { tone: "bad" });
      }
    });

  return (
    <>
      <Stale error={error} onRetry={retry} />
      <ol className="card event-list">
        {events.map((event) => (
          <li key={event.id}>
            <EventItem event={event} />
          </li>
        ))}
      </ol>
      {next !== null && (
        <div className="actions centre more">
          <button type="button" className="plain" disabled={busy} onClick={() => more(next)}>
            {t(busy ? "notifications.history.loadingMore" : "notifications.history.more")}
          </button>
        </div>
      )}
    </>
  );
}
