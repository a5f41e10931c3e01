import { useTranslation } from "react-i18next";
import type { StatusHistory } from "../../../../src/modules/status-page/history/history";
import { dateTimeFormat } from "../../../../src/shared/language";
import { dateOfDay, dayIn } from "../../../../src/shared/time-zone";
import { usePageFormat } from "../../../ui/hooks/use-page-format";
import { trustedHtml } from "../../../ui/text/trusted-html";
import { noonOf } from "../day-bar";
import type { SectionProps } from "../section";
import { useLength } from "../since";
import { useAddress } from "./address";

/** Formats a date or a time of the history in the language of the page. */
const useDates = (zone: string) => {
  const { i18n } = useTranslation();
  const inZone = (options: Intl.DateTimeFormatOptions, time: string) =>
    dateTimeFormat(i18n.language as "en-US", { ...options, timeZone: zone }).format(Date.parse(time));
  const clock = { hour: "2-digit", minute: "2-digit" } as const;
  const ofDay = (options: Intl.DateTimeFormatOptions, date: string) =>
    dateTimeFormat(i18n.language as "en-US", options).format(noonOf(date).getTime());
  return {
    /** The time, with its date unless that is the given one. */
    time: (time: string, beside?: string) =>
      inZone(beside && dayOf(zone, time) === beside ? clock : { month: "short", day: "numeric", ...clock }, time),
    day: (date: string) => ofDay({ weekday: "long", year: "numeric", month: "long", day: "numeric" }, date),
    shortDay: (date: string) => ofDay({ month: "short", day: "numeric" }, date),
    month: (month: string) => ofDay({ year: "numeric", month: "long" }, `${month}-15`),
  };
};

const dayOf = (zone: string, time: string): string => dateOfDay(dayIn(zone, Date.parse(time)));

type Entry = {
  key: string;
  kind: "incident" | "outage" | "maintenance";
  start: string;
  end: string | null;
  title: string;
  href?: string;
  facts: string[];
  html?: string;
  isOpen: boolean;
};

type Incident = StatusHistory["incidents"][number];
type Outage = StatusHistory["outages"][number];

/** Whether an incident names what an outage is about, and was open during a part of it. */
const isAbout = (incident: Incident, { name, started_at, ended_at, maintenance }: Outage): boolean =>
  !maintenance &&
  incident.components.some((one) => one.name === name) &&
  (ended_at === null || incident.started_at <= ended_at) &&
  (incident.resolved_at === null || started_at <= incident.resolved_at);

/** Whether an incident is open and has a large impact. */
const isSevere = ({ resolved_at, impact }: StatusHistory["incidents"][number]): boolean =>
  resolved_at === null && (impact === "major" || impact === "critical");

const useEntries = (history: StatusHistory): Entry[] => {
  const { t } = useTranslation();
  const dates = useDates(history.zone);
  const addressAt = useAddress();
  const length = useLength();
  const format = usePageFormat();
  const entries: Entry[] = [
    ...history.incidents.map((one) => ({
      ...{ key: one.key, kind: "incident" as const, start: one.started_at, end: one.resolved_at, title: one.title },
      ...{ href: addressAt(one.path), html: one.updates[0]?.html ?? "", isOpen: isSevere(one) },
      facts: [
        t(`incidents.status.${one.status}`),
        ...(one.impact === "none" ? [] : [t(`incidents.impact.${one.impact}`)]),
        ...(one.components.length > 0
          ? [t("incidents.affected", { names: format.names(one.components.map(({ name }) => name)) })]
          : []),
        ...history.outages
          .filter((outage) => isAbout(one, outage))
          .map(({ started_at, ended_at }) => {
            const beside = dayOf(history.zone, started_at);
            const end = ended_at === null ? t("statusPage.ongoing") : dates.time(ended_at, beside);
            return `${t("incidents.history.outage")} ${dates.time(started_at, dayOf(history.zone, one.started_at))} – ${end}`;
          }),
      ],
    })),
    ...history.outages
      .filter((outage) => !history.incidents.some((one) => isAbout(one, outage)))
      .map((one) => ({
        ...{ key: `${one.target_type} ${one.target_id} ${one.id}`, title: one.name },
        kind: one.maintenance ? ("maintenance" as const) : ("outage" as const),
        ...{ start: one.started_at, end: one.ended_at, isOpen: one.ended_at === null && !one.maintenance },
        facts: [
          ...(one.maintenance ? [t("incidents.history.outage")] : []),
          ...(one.count > 1 ? [t("statusPage.times", { count: one.count })] : []),
          ...(one.ended_at === null
            ? []
            : [one.count > 1 ? t("statusPage.total", { duration: length(one.seconds) }) : length(one.seconds)]),
        ],
      })),
    ...history.maintenance.map((one) => ({
      ...{ key: `${one.id} ${one.from}`, kind: "maintenance" as const, start: one.from, end: one.to },
      ...{ title: one.title || t("statusPage.planned"), facts: [], isOpen: false },
    })),
  ];
  return entries.toSorted((one, other) => (one.start < other.start ? 1 : -1));
};

function Item({ entry, day, zone }: { entry: Entry; day: string; zone: string }) {
  const { t } = useTranslation();
  const dates = useDates(zone);
  const { kind, start, end, title, href, facts, html, isOpen } = entry;
  const times = `${dates.time(start, day)} – ${end === null ? t("statusPage.ongoing") : dates.time(end, day)}`;
  return (
    <li className={`event ${kind}${isOpen ? " ongoing" : end === null ? "" : " over"}`}>
      <p className="event-head">
        <b>{href ? <a href={href}>{title}</a> : title}</b>
        <span className="kind">{t(`incidents.history.${kind}`)}</span>
      </p>
      <p className="facts" suppressHydrationWarning>
        {[times, ...facts].join(" · ")}
      </p>
      {html && (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the hub has made it from Markdown, without any HTML of its writer
        <div className="text" dangerouslySetInnerHTML={trustedHtml(html)} />
      )}
    </li>
  );
}

/** The links to the parts before and after. */
function Steps({ history, path }: { history: StatusHistory; path: string }) {
  const { t } = useTranslation();
  const dates = useDates(history.zone);
  const kind = history.day ? "day" : "month";
  const wordOf = (part: string) => (kind === "day" ? dates.shortDay(part) : dates.month(part));
  const link = (part: string | null, rel: "prev" | "next", sign: string) =>
    part && (
      <a className={rel} rel={rel} href={`.${path}?${kind}=${part}`}>
        {rel === "prev" ? `${sign} ${wordOf(part)}` : `${wordOf(part)} ${sign}`}
      </a>
    );
  return (
    <nav className="steps" aria-label={t(`incidents.history.${kind === "day" ? "days" : "months"}`)}>
      {link(history.earlier, "prev", "←")}
      {link(history.later, "next", "→")}
    </nav>
  );
}

/** A month of the history by day, or one day of it. */
export function History({ page: { history }, path }: SectionProps) {
  if (!history) return null;
  return <Part history={history} path={path} />;
}

function Part({ history, path }: { history: StatusHistory; path: string }) {
  const { t } = useTranslation();
  const { month, day, zone, from } = history;
  const dates = useDates(zone);
  const entries = useEntries(history);
  // What began before is listed on the first day.
  const back = <a href={`.${path.replace(/\/history$/, "")}`}>{t("incidents.back")}</a>;
  const days = Map.groupBy(entries, ({ start }) => day ?? dayOf(zone, [start, from].toSorted().at(-1) ?? start));
  return (
    <section className="history">
      <small>{back}</small>
      <div className="history-head">
        <h2>{day ? dates.day(day) : dates.month(month ?? "")}</h2>
        <Steps history={history} path={path} />
      </div>
      {entries.length === 0 && <p className="caption">{t("incidents.history.none")}</p>}
      {[...days].map(([date, own]) => (
        <section className="day" key={date}>
          {!day && <h3>{dates.day(date)}</h3>}
          <ul>
            {own.map((entry) => (
              <Item key={entry.key} entry={entry} day={date} zone={zone} />
            ))}
          </ul>
        </section>
      ))}
      <p className="ends">
        {back}
        {day && <a href={`.${path}?month=${day.slice(0, 7)}`}>{t("incidents.history.whole")}</a>}
        <span>{t("incidents.history.zone", { zone })}</span>
      </p>
    </section>
  );
}
