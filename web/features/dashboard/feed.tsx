import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { OwnerTag, StatusMark } from "../../ui/feedback/badge";
import { useFormat } from "../../ui/hooks/use-format";
import { useUnknownWords } from "../../ui/hooks/use-unknown-words";
import { type Dashboard, isBroken } from "../problems/api";
import { outageMark } from "../problems/outage-mark";
import { useReason } from "../problems/use-reason";

type Entry = Dashboard["events"][number];

/** The latest events, folded, with who was notified. */
export function Feed({ events }: { events: readonly Entry[] }) {
  const { t } = useTranslation();
  if (events.length === 0) return null;
  return (
    <section className="card panel feed">
      <header className="panel-head">
        <h2>{t("dashboard.feed.title")}</h2>
        <span className="links">
          <Link href={paths.reports} className="small">
            {t("dashboard.feed.report")}
          </Link>
          <Link href={paths.outages} className="small">
            {t("dashboard.feed.all")}
          </Link>
        </span>
      </header>
      <ol>
        {byMinute(events).map(([entry, ...more]) => (
          <FeedItem key={entry.id} entry={entry} count={1 + more.length} />
        ))}
      </ol>
    </section>
  );
}

/** Whether it is an alert of a server that goes on: the problem block has its reason. */
const isOpenAlert = (entry: Entry): boolean =>
  entry.target_type === "agent" && entry.target_id !== 0 && entry.state === "begun" && !isBroken(entry) && !entry.drill;

/** Groups the alerts of each server that began in the same minute, at the place of the first one. */
const byMinute = (events: readonly Entry[]): [Entry, ...Entry[]][] =>
  [
    ...Map.groupBy(events, (entry) =>
      isOpenAlert(entry) ? `${entry.target_id} ${entry.at.slice(0, "2026-01-15T09:20".length)}` : entry.id,
    ).values(),
  ].flatMap(([first, ...more]) => (first ? [[first, ...more]] : []));

/** `count`: the number of alerts of a server that the entry stands for. It shows the latest of them. */
function FeedItem({ entry, count }: { entry: Entry; count: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { target_type, target_id, target_name, at, state, kind, gap } = entry;
  const ofTarget = target_type === "monitor" ? paths.monitor(target_id) : paths.agent(target_id);
  const isOfHub = target_id === 0;
  const kindName = t(`outages.kinds.${kind}.label`);
  const status = state === "ended" ? "up" : outageMark(kind);
  const label = state === "ended" ? t("dashboard.feed.well") : kindName;
  return (
    <li className={isBroken(entry) || gap ? undefined : "soon"}>
      <StatusMark status={status} label={isOfHub && state === "begun" ? "" : label} />
      <p className="whose">
        {gap ? (
          <span className="feed-name">{label}</span>
        ) : (
          <Link href={isOfHub ? paths.system : ofTarget} className="feed-name">
            {isOfHub ? kindName : target_name}
          </Link>
        )}{" "}
        <OwnerTag of={entry} /> {entry.drill && <span className="tag">{t("notifications.history.drill")}</span>}
      </p>
      <time dateTime={at} title={format.dateTime(at)}>
        {format.moment(at)}
      </time>
      <p className="story">{useStory()(entry, count)}</p>
    </li>
  );
}

/** Tells in words what happened, why, and who was notified. */
const useStory = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const reason = useReason();
  const unknownWords = useUnknownWords();
  return (entry: Entry, count: number): string => {
    const { kind, state, times, lasted, gap, notified, failed } = entry;
    const lastedText = lasted === null ? undefined : format.elapsed(lasted);
    const why = reason({ ...entry, threshold: null, last_report: null });
    const span = format.elapsed((Date.parse(entry.at) - Date.parse(entry.first_at)) / 1000);
    const what = () => {
      if (gap) return unknownWords.gap(gap);
      if (count > 1) return t("problems.alerts", { count });
      if (times > 1) return t("dashboard.feed.repeated", { count: times, span });
      if (state === "begun") return kind === "offline" ? t("outages.kinds.offline.label") : why;
      return lastedText ? t("dashboard.feed.endedAfter", { time: lastedText }) : t("dashboard.feed.ended");
    };
    return [
      what(),
      gap && times > 1 && t("dashboard.feed.gaps", { count: times, span }),
      // Repeated failures: while the last one goes on, `lasted` is the duration of an earlier one.
      times > 1 && state === "ended" && lastedText && t("dashboard.feed.lastLasted", { time: lastedText }),
      (times > 1 || state === "ended") && kind === "down" && why,
      notified.length > 0 && t("dashboard.feed.notified", { names: format.list(notified) }),
      failed > 0 && t("dashboard.feed.failed", { count: failed }),
    ]
      .filter(Boolean)
      .join(" · ");
  };
};
