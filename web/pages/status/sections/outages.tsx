import { useTranslation } from "react-i18next";
import type { PublicOutage } from "../../../../src/modules/status-page/sections/outages";
import { useHydrated } from "../../../lib/hooks/use-hydrated";
import { usePageFormat } from "../../../ui/hooks/use-page-format";
import { noonOf } from "../day-bar";
import type { Section, SectionProps } from "../section";
import { useLength, useMoment } from "../since";

/** Entries that are shown without opening the earlier ones. */
const IN_SIGHT = 12;

/** The day of a time, as 2026-01-15: in the zone of the viewer, or in UTC for the hub, which does not know it. */
const dayOf = (time: string, isLocal: boolean): string => {
  const at = new Date(time);
  const offset = isLocal ? at.getTimezoneOffset() * 60_000 : 0;
  return new Date(at.getTime() - offset).toISOString().slice(0, 10);
};

/** The entries by the day of their start, newest day first. */
const byDay = (outages: readonly PublicOutage[], isLocal: boolean): [string, PublicOutage[]][] => {
  const days = new Map<string, PublicOutage[]>();
  for (const outage of outages) {
    const day = dayOf(outage.started_at, isLocal);
    days.set(day, [...(days.get(day) ?? []), outage]);
  }
  return [...days].toSorted(([one], [other]) => (one < other ? 1 : -1));
};

function Entry({ outage: { name, started_at, ended_at, count, seconds, maintenance } }: { outage: PublicOutage }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const length = useLength();
  const total = count > 1 ? t("statusPage.total", { duration: length(seconds) }) : length(seconds);
  const parts = [
    `${moment(started_at, started_at)} – ${ended_at ? moment(ended_at, started_at) : t("statusPage.ongoing")}`,
    count > 1 && t("statusPage.times", { count }),
    ended_at && total,
    maintenance && t("statusPage.planned"),
  ];
  return (
    <li className={maintenance ? "past running" : ended_at ? "past" : "past ongoing"}>
      <b>{name}</b> <span suppressHydrationWarning>{parts.filter(Boolean).join(" · ")}</span>
    </li>
  );
}

function Day({ day, entries }: { day: string; entries: readonly PublicOutage[] }) {
  const format = usePageFormat();
  return (
    <section className="day">
      <h3>{format.day(noonOf(day).getTime())}</h3>
      <ul>
        {entries.map((outage) => (
          <Entry key={`${outage.name} ${outage.id}`} outage={outage} />
        ))}
      </ul>
    </section>
  );
}

/** How many of the newest days are shown without opening the rest: as many as fit into IN_SIGHT entries, and at least one. */
const daysInSight = (days: readonly [string, readonly PublicOutage[]][]): number => {
  let entries = 0;
  const beyond = days.findIndex(([, { length }]) => {
    entries += length;
    return entries > IN_SIGHT;
  });
  return beyond < 0 ? days.length : Math.max(1, beyond);
};

/** Failures of the last days, by day. */
function Outages({ page: { outages, monitors, agents }, path }: SectionProps) {
  const { t } = useTranslation();
  const isLocal = useHydrated();
  if (monitors.length + agents.length === 0) return null;
  const days = byDay(outages, isLocal);
  const visibleDays = daysInSight(days);
  const draw = ([day, entries]: [string, PublicOutage[]]) => <Day key={day} day={day} entries={entries} />;
  return (
    <section className="outages">
      <h2>{t("statusPage.past")}</h2>
      {days.length === 0 && <p className="caption">{t("statusPage.pastNone")}</p>}
      {days.slice(0, visibleDays).map(draw)}
      {visibleDays < days.length && (
        <details className="earlier">
          <summary>{t("statusPage.earlier")}</summary>
          {days.slice(visibleDays).map(draw)}
        </details>
      )}
      <small>
        <a href={`.${path}/history`}>{t("statusPage.history")}</a>
      </small>
    </section>
  );
}

export const outagesSection: Section = { key: "outages", draw: Outages };
