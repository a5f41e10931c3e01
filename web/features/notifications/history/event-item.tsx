import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { type EventKind, outageKindOf } from "../../../../src/shared/notifications";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { Ago } from "../../../ui/feedback/ago";
import { StatusMark } from "../../../ui/feedback/badge";
import { useCheckError } from "../../../ui/hooks/use-check-error";
import { useFormat } from "../../../ui/hooks/use-format";
import { useMessageTitle } from "../../outages/message-title";
import { outageMark } from "../../problems/outage-mark";
import { useFigure, usePartState, useProcesses } from "../../problems/use-reason";
import type { Delivery, HistoryEvent } from "../api";
import { useKindName } from "../labels";
import { Deliveries, DeliveryCounts } from "./deliveries";
import { type Entry, isBad } from "./fold";

type Props = { entry: Entry; onOnly?: (event: HistoryEvent) => void };

const markOf = (kind: EventKind) => (isBad(kind) ? outageMark(outageKindOf(kind)) : "up");

/** What happened to a target, and who was notified: in one outage, or as one entry of what happened repeatedly. */
export function EventItem({ entry, onOnly }: Props) {
  const { t } = useTranslation();
  const [event] = entry.events;
  const { target } = event;
  const outages = new Set(entry.events.map(({ outage_id }) => outage_id));
  const isRepeated = entry.events.length > 1 && (event.outage_id === null || outages.size > 1);
  const isSilent = !isRepeated && entry.events.every(({ deliveries }) => deliveries.length === 0);
  const hasParts = !isSilent && (entry.events.length > 1 || messagesOf(event).length > 1);
  return (
    <article className={entry.isLatest && isBad(event.kind) ? "event current" : "event"}>
      <header>
        <StatusMark status={markOf(event.kind)} label="" />
        <h2 className="truncate">
          {/* The hub itself has no page. */}
          {target.id === 0 ? (
            target.name
          ) : (
            <Link href={target.type === "monitor" ? paths.monitor(target.id) : paths.agent(target.id)}>
              {target.name}
            </Link>
          )}
        </h2>
        {event.drill && <span className="tag">{t("notifications.history.drill")}</span>}
        {isRepeated ? <Repeated events={entry.events} /> : <What event={event} />}
        {event.outage_id !== null && !isRepeated && <OutageLink id={event.outage_id} name={target.name} />}
        {onOnly && target.id !== 0 && (
          <button
            type="button"
            className="quiet event-only"
            title={t("notifications.history.only")}
            aria-label={`${t("notifications.history.only")} ${target.name}`}
            onClick={() => onOnly(event)}
          >
            <Icon name="funnel" />
          </button>
        )}
        <span className="event-time">
          <Ago time={event.at} />
        </span>
      </header>
      {hasParts ? (
        <Parts events={entry.events} isRepeated={isRepeated} />
      ) : (
        <Deliveries deliveries={event.deliveries} />
      )}
    </article>
  );
}

function OutageLink({ id, name }: { id: number; name: string }) {
  const { t } = useTranslation();
  return (
    <Link href={paths.outage(id)} className="small" aria-label={t("outages.linkOf", { name })}>
      {t("outages.link")}
    </Link>
  );
}

/** The messages of an event: its deliveries by purpose and step, in the order of planning. */
const messagesOf = ({ deliveries }: HistoryEvent) => [
  ...Map.groupBy(
    deliveries,
    ({ purpose, sequence }) => `${purpose} ${purpose === "reminder" ? "" : sequence}`,
  ).values(),
];

/** How the deliveries of an entry ended, and on demand each event with its messages. */
function Parts({ events, isRepeated }: { events: Entry["events"]; isRepeated: boolean }) {
  const { t } = useTranslation();
  const words = isRepeated ? "notifications.history.each" : "notifications.history.parts";
  return (
    <>
      <DeliveryCounts events={events} />
      <details>
        <summary>{t(words, { count: events.length })}</summary>
        <ol>
          {events.map((one) => (
            <li key={one.id}>
              <StatusMark status={markOf(one.kind)} label="" />
              <What event={one} />
              {one.outage_id !== null && isRepeated && <OutageLink id={one.outage_id} name={one.target.name} />}
              <Messages event={one} />
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}

/** The deliveries of an event, below the name of each message where there are several. */
function Messages({ event }: { event: HistoryEvent }) {
  const title = useMessageTitle();
  const messages = messagesOf(event);
  if (messages.length <= 1) return <Deliveries deliveries={event.deliveries} />;
  return messages.map((deliveries) => {
    const [{ id, purpose, sequence }] = deliveries as [Delivery];
    const times = Math.max(...deliveries.map(({ count }) => count));
    return (
      <div key={id} className="event-message">
        <p>{title({ purpose, step: sequence, times, event })}</p>
        <Deliveries deliveries={deliveries} />
      </div>
    );
  });
}

/** "Down 7 times in 3 hours". */
function Repeated({ events }: { events: Entry["events"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const kindName = useKindName();
  const [newest] = events;
  const oldest = events.at(-1) ?? newest;
  const bad = events.filter(({ kind }) => isBad(kind));
  const kind = kindName((bad[0] ?? newest).kind);
  const duration = format.duration((Date.parse(newest.at) - Date.parse(oldest.at)) / 1000);
  return (
    <p className="event-what">
      <strong>{t("notifications.history.repeated", { kind, count: bad.length, duration })}</strong>
      {!isBad(newest.kind) && ` · ${kindName(newest.kind)}`}
    </p>
  );
}

/** What happened at one time, with the cause, the figure and its threshold, and how long it lasted. */
function What({ event }: { event: HistoryEvent }) {
  const kindName = useKindName();
  const details = useDetails(event);
  return (
    <p className="event-what">
      <span>{kindName(event.kind)}</span>
      {details.length > 0 && <span className="soft"> · {details.join(" · ")}</span>}
    </p>
  );
}

const useDetails = (event: HistoryEvent) => {
  const { kind, at, since, figure, threshold, mount, subject, facts } = event;
  const { t } = useTranslation();
  const format = useFormat();
  const checkError = useCheckError();
  const figureText = useFigure();
  const processes = useProcesses();
  const partState = usePartState();
  const outageKind = outageKindOf(kind);
  const lasted = since && (Date.parse(at) - Date.parse(since)) / 1000;
  const against =
    figure !== null &&
    threshold !== null &&
    t("notifications.history.figure", {
      figure: figureText(outageKind, figure),
      threshold: figureText(outageKind, threshold),
    });
  return [
    format.dateTime(at),
    checkError(event),
    mount ?? subject,
    facts?.state && partState(outageKind, facts.state),
    against,
    isBad(kind) && processes(outageKind, facts),
    facts?.restarted_at && t("notifications.history.restarted", { time: format.dateTime(facts.restarted_at) }),
    facts?.clock_offset !== undefined &&
      t(facts.clock_offset > 0 ? "notifications.history.clockAhead" : "notifications.history.clockBehind", {
        time: format.duration(Math.abs(facts.clock_offset)),
      }),
    kind === "offline" && since && t("notifications.history.lastReport", { time: format.dateTime(since) }),
    kind !== "offline" &&
      (!isBad(kind) || kind === "hub_unwatched") &&
      lasted &&
      t("notifications.history.lasted", { duration: format.duration(lasted) }),
  ].filter(Boolean);
};
