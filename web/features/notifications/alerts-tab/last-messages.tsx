import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { useFormat } from "../../../ui/hooks/use-format";
import { useMessageTitle } from "../../outages/message-title";
import type { NamedTarget } from "../dependencies/api";
import { type Delivery, type HistoryEvent, historyAtom, isOfOutage, searchOf } from "../history/api";
import { Deliveries } from "../history/deliveries";
import { finalReason, groupUnsent } from "../history/fold";
import { Unsent } from "../history/unsent";
import { useKindName } from "../labels";

/** How many lines are shown. */
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
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));

const keyOf = ({ event, deliveries: [first] }: Message): string | number => first?.id ?? `event ${event.id}`;

const reasonOf = ({ event }: Message) => finalReason(event);

/** The latest messages about a target, each with how it ended and a link to its outage. */
export function LastMessages({ target: { type, id } }: { target: NamedTarget }) {
  const { t } = useTranslation();
  const of = `${type}:${id}` as const;
  const [{ data, error }, refresh] = useAtom(historyAtom(searchOf({ of })));
  if (!data)
    return error ? (
      <Failure title={t("notifications.history.failed")} error={error} onRetry={() => void refresh()} />
    ) : (
      <Skeleton heights={["8rem"]} />
    );
  const lines = groupUnsent(messagesOf(data.events.filter(isOfOutage)), reasonOf).slice(0, SHOWN);
  if (lines.length === 0) return <p className="soft small">{t("alerts.sent.none")}</p>;
  return (
    <>
      <ol className="last-messages">
        {lines.map((messages) => {
          const [first] = messages;
          const { at } = messages.at(-1) ?? first;
          const reason = reasonOf(first);
          if (messages.length === 1 || !reason) return <Line key={keyOf(first)} message={first} />;
          return (
            <li key={keyOf(first)} className="unsent-line">
              <Unsent count={messages.length} reason={reason} since={at}>
                {messages.map((message) => (
                  <Line key={keyOf(message)} message={message} isFolded />
                ))}
              </Unsent>
            </li>
          );
        })}
      </ol>
      <p className="below-list small">
        <Link href={`${paths.notifications}?tab=history&${searchOf({ of })}`}>{t("alerts.sent.all")}</Link>
      </p>
    </>
  );
}

/** A message, with how it ended unless it is in a fold that says so. */
function Line({ message: { event, deliveries, at }, isFolded = false }: { message: Message; isFolded?: boolean }) {
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
    <li className="message-line">
      <time dateTime={at} className="soft small">
        {format.moment(at)}
      </time>
      <div className="event">
        <span>
          {event.outage_id === null ? label : <Link href={paths.outage(event.outage_id)}>{label}</Link>}
          {event.drill && <span className="tag">{t("notifications.history.drill")}</span>}
        </span>
        {!isFolded && <Deliveries deliveries={deliveries} unsent={event.unsent_reason} />}
      </div>
    </li>
  );
}
