import { useAtom, useAtomValue } from "jotai";
import { useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "wouter";
import { nowAtom } from "../../../lib/now";
import { mergeById } from "../../../lib/resource";
import { paths } from "../../../paths";
import { Segments } from "../../../ui/controls/segments";
import { Empty } from "../../../ui/feedback/empty";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { Stale } from "../../../ui/feedback/stale";
import { toast } from "../../../ui/feedback/toast";
import { useFormat } from "../../../ui/hooks/use-format";
import {
  type HistoryEvent,
  type HistoryFilter,
  historyAtom,
  isOfOutage,
  readHistory,
  type StoredEvent,
  toHistoryFilter,
} from "../api";
import { EventItem } from "./event-item";
import { type Entry, foldEvents, groupUnsent } from "./fold";
import { ReportEvent } from "./report-event";
import { Unsent } from "./unsent";

type Older = { events: StoredEvent[]; next: number | null; as_of: number | null };
type ListProps = { filter: HistoryFilter; onFilter: (filter: HistoryFilter) => void };

/** What happened and who was notified, of all targets or of some. The filter is part of the address. */
export function HistoryTab() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const filter = toHistoryFilter(search.get("of"));
  const choose = (of: HistoryFilter) =>
    setSearch({ tab: "history", ...(of !== "all" && { of }) }, { replace: of !== "all" && !of.includes(":") });
  const choices = (["all", "monitor", "agent"] as const).map((value) => ({
    value,
    label: t(`notifications.history.filter.${value}`),
  }));

  return (
    <>
      <div className="toolbar">
        <Segments<HistoryFilter>
          label={t("notifications.history.filter.label")}
          choices={choices}
          chosen={filter}
          onChoose={choose}
        />
        <span className="spring" />
        <Link href={paths.outages} className="small">
          {t("outages.list.all")}
        </Link>
      </div>
      <EventList key={filter} filter={filter} onFilter={choose} />
    </>
  );
}

type OnOnly = ((event: HistoryEvent) => void) | undefined;
type Item = { id: number; at: string; entry?: Entry; report?: StoredEvent };

/** The items of the list, newest first: events about outages folded, and reports. */
const toItems = (events: readonly StoredEvent[]): Item[] => {
  const sorted = events.toSorted((one, other) => other.id - one.id);
  const entries = foldEvents(sorted.filter(isOfOutage)).map(
    (entry): Item => ({ id: entry.events[0].id, at: entry.events[0].at, entry }),
  );
  const reports = sorted.flatMap((report): Item[] =>
    isOfOutage(report) ? [] : [{ id: report.id, at: report.at, report }],
  );
  return [...entries, ...reports].toSorted((one, other) => other.id - one.id);
};

const isUnsent = ({ entry }: Item): boolean =>
  entry?.events.every(({ deliveries }) => deliveries.length === 0) ?? false;

type Group = [Item, ...Item[]];

const dayOf = (time: string): string => new Date(time).toDateString();

/** The items by day in the zone of the viewer, with groups of what was not sent. */
const daysOf = (items: readonly Item[]): [day: string, groups: Group[]][] =>
  [...Map.groupBy(items, ({ at }) => dayOf(at))].map(([day, own]) => [day, groupUnsent(own, isUnsent)]);

/** A group of more is folded, even where there is nothing else. */
const MOST_OPEN = 5;

/** One item, or a fold of items that were not sent. */
function GroupOf({ items, isOnly, onOnly }: { items: Group; isOnly: boolean; onOnly: OnOnly }) {
  const [{ entry, report }] = items;
  if (items.length > 1)
    return (
      <Unsent count={items.length} isOpen={isOnly && items.length <= MOST_OPEN}>
        {items.map(({ id, entry }) => (
          <li key={id}>{entry && <EventItem entry={entry} isUnsent onOnly={onOnly} />}</li>
        ))}
      </Unsent>
    );
  return (
    <>
      {entry && <EventItem entry={entry} onOnly={onOnly} />}
      {report && <ReportEvent event={report} />}
    </>
  );
}

function Day({ of }: { of: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isToday = of === new Date(useAtomValue(nowAtom)).toDateString();
  return isToday ? t("outages.list.ranges.today") : format.day(of);
}

/** Events with their deliveries. The newest page is refreshed; older pages are loaded once and stay below it. */
function EventList({ filter, onFilter }: ListProps) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(historyAtom(filter));
  const [older, setOlder] = useState<Older>();
  const [busy, start] = useTransition();
  const retry = () => void refresh();

  if (!data)
    return error ? (
      <Failure title={t("notifications.history.failed")} error={error} onRetry={retry} />
    ) : (
      <Skeleton heights={["3.5rem", "3.5rem", "3.5rem"]} />
    );

  const events = mergeById(data.events, older?.events ?? []);
  const { next, as_of } = older ?? data;
  const showAll = filter.includes(":") && (
    <button type="button" className="plain" onClick={() => onFilter("all")}>
      {t("notifications.history.showAll")}
    </button>
  );
  const [newest] = events;
  if (!newest)
    return (
      <Empty
        heading="h2"
        icon="bell"
        title={t("notifications.history.emptyTitle")}
        text={t("notifications.history.emptyText")}
      >
        {showAll}
      </Empty>
    );

  const more = (before: number) =>
    start(async () => {
      try {
        const page = await readHistory(filter, { before, ...(as_of !== null && { as_of }) });
        setOlder({ ...page, events: mergeById(events, page.events) });
      } catch {
        toast(t("notifications.history.failed"), { tone: "bad" });
      }
    });

  const days = daysOf(toItems(events));
  const isOnly = days.flatMap(([, groups]) => groups).length === 1;
  const onOnly: OnOnly = showAll ? undefined : ({ target }) => onFilter(`${target.type}:${target.id}`);
  return (
    <>
      <Stale error={error} onRetry={retry} />
      {showAll && (
        <div className="event-filter">
          <span>{t("notifications.history.onlyOf", { name: newest.target.name })}</span>
          {showAll}
        </div>
      )}
      <div className="card event-days">
        {days.map(([day, groups]) => (
          <section key={day}>
            <h2>
              <Day of={day} />
            </h2>
            <ol className="event-list">
              {groups.map((items) => (
                <li key={items[0].id}>
                  <GroupOf items={items} isOnly={isOnly} onOnly={onOnly} />
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
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
