import { useAtom, useAtomValue } from "jotai";
import { useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "wouter";
import type { UnsentReason } from "../../../../src/shared/outages/unsent-reasons";
import { nowAtom } from "../../../lib/now";
import { mergeById } from "../../../lib/resource";
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
  searchOf,
  toHistoryFilter,
} from "./api";
import { EventItem } from "./event-item";
import { HistoryFilters } from "./filters";
import { type Entry, finalReason, foldEvents, groupUnsent, unsentOf } from "./fold";
import { ReportEvent } from "./report-event";
import { Unsent } from "./unsent";

type Older = { events: StoredEvent[]; next: number | null; as_of: number | null };
const EVERYTHING: HistoryFilter = { of: "all", outcome: null, channel: null };

type ListProps = { filter: HistoryFilter; onFilter: (part: Partial<HistoryFilter>) => void };

/** What happened and who was notified, of all targets or of some. The filter is part of the address. */
export function HistoryTab() {
  const [search, setSearch] = useSearchParams();
  const filter = toHistoryFilter(search);
  // One target is opened from a row: the way back leads to the list.
  const choose = (part: Partial<HistoryFilter>) =>
    setSearch(new URLSearchParams(`tab=history&${searchOf({ ...filter, ...part })}`), {
      replace: !part.of?.includes(":"),
    });
  return (
    <>
      <HistoryFilters filter={filter} onChange={choose} />
      <EventList key={searchOf(filter)} filter={filter} onFilter={choose} />
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

const reasonOf = ({ entry }: Item): UnsentReason | null => {
  const reason = entry ? unsentOf(entry) : null;
  return finalReason({ unsent_reason: reason });
};

type Group = [Item, ...Item[]];

const dayOf = (time: string): string => new Date(time).toDateString();

/** The items by day in the zone of the viewer, with groups of what was not sent. */
const daysOf = (items: readonly Item[]): [day: string, groups: Group[]][] =>
  [...Map.groupBy(items, ({ at }) => dayOf(at))].map(([day, own]) => [day, groupUnsent(own, reasonOf)]);

/** A group of more is folded, even where there is nothing else. */
const MOST_OPEN = 5;

/** One item, or a fold of items that were not sent. */
function GroupOf({ items, isOnly, onOnly }: { items: Group; isOnly: boolean; onOnly: OnOnly }) {
  const [first] = items;
  const { entry, report } = first;
  const reason = reasonOf(first);
  if (items.length > 1 && reason)
    return (
      <Unsent count={items.length} reason={reason} isOpen={isOnly && items.length <= MOST_OPEN}>
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
  const [{ data, error }, refresh] = useAtom(historyAtom(searchOf(filter)));
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
  const isFiltered = filter.outcome !== null || filter.channel !== null;
  const showAll = (isFiltered || filter.of.includes(":")) && (
    <button type="button" className="plain" onClick={() => onFilter(EVERYTHING)}>
      {t("notifications.history.showAll")}
    </button>
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

  const [newest] = events;
  const further = next !== null && (
    <div className="actions centre more">
      <button type="button" className="plain" disabled={busy} onClick={() => more(next)}>
        {t(busy ? "notifications.history.loadingMore" : "notifications.history.more")}
      </button>
    </div>
  );
  if (!newest) {
    const words = isFiltered ? "notifications.history.noMatch" : "notifications.history.empty";
    return (
      <>
        <Empty heading="h2" icon={isFiltered ? "search" : "bell"} title={t(`${words}Title`)} text={t(`${words}Text`)}>
          {showAll}
        </Empty>
        {further}
      </>
    );
  }

  const days = daysOf(toItems(events));
  const isOnly = days.flatMap(([, groups]) => groups).length === 1;
  const isOne = filter.of.includes(":");
  const onOnly: OnOnly = isOne ? undefined : ({ target }) => onFilter({ of: `${target.type}:${target.id}` });
  return (
    <>
      <Stale error={error} onRetry={retry} />
      {isOne && (
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
      {further}
    </>
  );
}
