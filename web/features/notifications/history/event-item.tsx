import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { type EventKind, outageKindOf } from "../../../../src/shared/notifications";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { StatusMark } from "../../../ui/feedback/badge";
import { useCheckError } from "../../../ui/hooks/use-check-error";
import { useFormat } from "../../../ui/hooks/use-format";
import { useMessageTitle } from "../../outages/message-title";
import { outageMark } from "../../problems/outage-mark";
import { useFigure, usePartState, useProcesses } from "../../problems/use-reason";
import { useKindName } from "../labels";
import type { Delivery, HistoryEvent } from "./api";
import { Deliveries } from "./deliveries";
import { type Entry, isBad, unsentOf } from "./fold";

type Props = {
  entry: Entry;
  /** In a fold of events that were not sent, which says so once and may span days. */
  isUnsent?: boolean;
  onOnly?: ((event: HistoryEvent) => void) | undefined;
};

const markOf = (kind: EventKind) => (isBad(kind) ? outageMark(outageKindOf(kind)) : "up");

/** What happened to a target, and who was notified: in one outage, or as one entry of what happened repeatedly. */
export function EventItem({ entry, isUnsent = false, onOnly }: Props) {
  const format = useFormat();
  const [event] = entry.events;
  const outages = new Set(entry.events.map(({ outage_id }) => outage_id));
  const isRepeated = entry.events.length > 1 && (event.outage_id === null || outages.size > 1);
  const hasParts = entry.events.length > 1 || messagesOf(event).length > 1;
  const deliveries = entry.events.flatMap((one) => one.deliveries);
  return (
    <article
      className={`event event-row ${entry.isLatest && isBad(event.kind) ? `current ${markOf(event.kind)}` : ""}`}
    >
      <time className="event-time" dateTime={event.at} title={format.dateTime(event.at)}>
        {isUnsent ? format.moment(event.at) : format.clock(event.at)}
      </time>
      <Target event={event} onOnly={onOnly} />
      {isRepeated ? <Repeated events={entry.events} /> : <What event={event} first={entry.events.at(-1)} isLink />}
      <div className="event-sent">
        {!isUnsent && <Deliveries deliveries={deliveries} unsent={unsentOf(entry)} />}
        {hasParts && (isRepeated || deliveries.length > 0) && <Parts events={entry.events} isRepeated={isRepeated} />}
      </div>
    </article>
  );
}

/** The target of an event, and a button that shows its events alone. */
function Target({ event, onOnly }: { event: HistoryEvent; onOnly: Props["onOnly"] }) {
  const { t } = useTranslation();
  const { kind, target, drill } = event;
  return (
    <header>
      <StatusMark status={markOf(kind)} label="" />
      <h3 className="truncate" title={target.name}>
        {/* The hub itself has no page. */}
        {target.id === 0 ? (
          target.name
        ) : (
          <Link href={target.type === "monitor" ? paths.monitor(target.id) : paths.agent(target.id)}>
            {target.name}
          </Link>
        )}
      </h3>
      {drill && <span className="tag">{t("notifications.history.drill")}</span>}
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
    </header>
  );
}

/** The messages of an event: its deliveries by purpose and step, in the order of planning. */
const messagesOf = ({ deliveries }: HistoryEvent) => [
  ...Map.groupBy(
    deliveries,
    ({ purpose, sequence }) => `${purpose} ${purpose === "reminder" ? "" : sequence}`,
  ).values(),
];

/** On demand each event with its messages. */
function Parts({ events, isRepeated }: { events: Entry["events"]; isRepeated: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = isRepeated ? "notifications.history.each" : "notifications.history.parts";
  return (
    <details>
      <summary>{t(words, { count: events.length })}</summary>
      <ol>
        {events.map((one) => (
          <li key={one.id}>
            <time dateTime={one.at} className="soft small" title={format.dateTime(one.at)}>
              {format.moment(one.at)}
            </time>
            <What event={one} isLink={isRepeated} />
            <Messages event={one} />
          </li>
        ))}
      </ol>
    </details>
  );
}

/** The deliveries of an event, below the name of each message where there are several. */
function Messages({ event }: { event: HistoryEvent }) {
  const title = useMessageTitle();
  const messages = messagesOf(event);
  if (messages.length <= 1) return <Deliveries deliveries={event.deliveries} unsent={event.unsent_reason} />;
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
  const duration = format.elapsed((Date.parse(newest.at) - Date.parse(oldest.at)) / 1000);
  return (
    <p className="event-what">
      <strong>{t("notifications.history.repeated", { kind, count: bad.length, duration })}</strong>
      {!isBad(newest.kind) && ` · ${kindName(newest.kind)}`}
    </p>
  );
}

type WhatProps = {
  event: HistoryEvent;
  /** The first event of the same outage, which has the reason. */
  first?: HistoryEvent | undefined;
  /** With a link to the page of its outage. */
  isLink: boolean;
};

/** What happened at one time, with the cause, the figure and its threshold, and how long it lasted. */
function What({ event, first, isLink }: WhatProps) {
  const { t } = useTranslation();
  const kindName = useKindName();
  const checkError = useCheckError();
  const details = useDetails(event);
  const reason = first && first !== event ? checkError(first) : "";
  const all = reason ? [reason, ...details] : details;
  return (
    <p className="event-what">
      {isLink && event.outage_id !== null ? (
        <Link href={paths.outage(event.outage_id)}>
          <span>{kindName(event.kind)}</span>
          <span className="visually-hidden"> {t("outages.linkOf", { name: event.target.name })}</span>
        </Link>
      ) : (
        <span>{kindName(event.kind)}</span>
      )}
      {all.length > 0 && <span className="soft"> · {all.join(" · ")}</span>}
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
      t("notifications.history.lasted", { duration: format.elapsed(lasted) }),
  ].filter(Boolean);
};
