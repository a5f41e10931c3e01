import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { useFormat } from "../../../ui/hooks/use-format";
import { useMessageTitle } from "../../outages/message-title";
import { type Delivery, type HistoryEvent, historyAtom, isOfOutage } from "../api";
import type { NamedTarget } from "../dependencies/api";
import { Deliveries } from "../history/deliveries";
import { useKindName } from "../labels";

/** How many messages are shown. */
const SHOWN = 10;

type Message = { event: HistoryEvent; deliveries: Delivery[]; at: string };

/** The messages of events, newest first: the deliveries of each purpose and step. An event that was not sent has none. */
const messagesOf = (events: readonly HistoryEvent[]): Message[] =>
  events
    .flatMap((event): Message[] => {
      if (event.deliveries.length === 0) return [{ event, deliveries: [], at: event.at }];
      const groups = Map.groupBy(event.deliveries, ({ purpose, sequence }) => `${purpose} ${sequence}`);
      return [...groups.values()].map((deliveries) => ({
        event,
        deliveries,
        at: deliveries[0]?.created_at ?? event.at,
      }));
    })
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
    .slice(0, SHOWN);

/** The latest messages about a target, each with how it ended and a link to its outage. */
export function LastMessages({ target: { type, id } }: { target: NamedTarget }) {
  const { t } = useTranslation();
  const of = `${type}:${id}` as const;
  const [{ data, error }, refresh] = useAtom(historyAtom(of));
  if (!data)
    return error ? (
      <Failure title={t("notifications.history.failed")} error={error} onRetry={() => void refresh()} />
    ) : (
      <Skeleton heights={["8rem"]} />
    );
  const messages = messagesOf(data.events.filter(isOfOutage));
  if (messages.length === 0) return <p className="soft small">{t("alerts.sent.none")}</p>;
  return (
    <>
      <ol className="last-messages">
        {messages.map(({ event, deliveries, at }) => (
          <Line key={deliveries[0]?.id ?? `event ${event.id}`} {...{ event, deliveries, at }} />
        ))}
      </ol>
      <p className="below-list">
        <Link href={`${paths.notifications}?tab=history&of=${of}`}>{t("alerts.sent.all")}</Link>
      </p>
    </>
  );
}

function Line({ event, deliveries, at }: Message) {
  const { t } = useTranslation();
  const format = useFormat();
  const title = useMessageTitle();
  const kindName = useKindName();
  const [first] = deliveries;
  const what = first
    ? title({ purpose: first.purpose, step: first.sequence, times: first.count, event })
    : kindName(event.kind);
  const label = first ? `${kindName(event.kind)} · ${what}` : what;
  return (
    <li>
      <time dateTime={at} className="soft small">
        {format.moment(at)}
      </time>
      <div className="event">
        <span>
          {event.outage_id === null ? label : <Link href={paths.outage(event.outage_id)}>{label}</Link>}
          {event.drill && <span className="tag">{t("notifications.history.drill")}</span>}
        </span>
        <Deliveries deliveries={deliveries} />
      </div>
    </li>
  );
}
