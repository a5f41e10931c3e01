import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { PublicIncident } from "../../../../src/modules/status-page/incidents/present";
import type { ComponentStatus } from "../../../../src/shared/status/components";
import { Badge, type Tone } from "../../../ui/feedback/badge";
import { trustedHtml } from "../../../ui/text/trusted-html";
import type { PageData, SectionProps } from "../section";
import { Since, useLength, useMoment } from "../since";
import { useAddress } from "./address";
import { History } from "./history";
import { Running, Upcoming } from "./maintenance";
import { Marks } from "./marks";
import { incidentSections, type StatedItem } from "./registry";

/** Updates of an open incident that are in sight: of several incidents the latest one each, so that all of them are seen at once. */
const IN_SIGHT = { one: 3, several: 1 };

const TONES = {
  operational: "up",
  under_maintenance: "maintenance",
  degraded_performance: "degraded",
  partial_outage: "degraded",
  major_outage: "down",
} as const satisfies Record<ComponentStatus, Tone>;

type Update = PublicIncident["updates"][number];

function Entry({ update: { status, html, at, edited_at } }: { update: Update }) {
  const { t } = useTranslation();
  const moment = useMoment();
  return (
    <li>
      <p className="when">
        <b>{t(`incidents.status.${status}`)}</b>
        <time dateTime={at} suppressHydrationWarning>
          {moment(at)}
        </time>
        {edited_at && <span>{t("incidents.edited")}</span>}
      </p>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the hub has made it from Markdown, without any HTML of its writer */}
      <div className="text" dangerouslySetInnerHTML={trustedHtml(html)} />
    </li>
  );
}

const Updates = ({ updates }: { updates: readonly Update[] }) => (
  <ul className="updates">
    {updates.map((update) => (
      <Entry key={`${update.at} ${update.status} ${update.html}`} update={update} />
    ))}
  </ul>
);

/** How much an incident affects, when it was and for how long, and the states that it gives to what it affects. */
function Facts({ incident: { impact, components, started_at, resolved_at } }: { incident: PublicIncident }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const length = useLength();
  return (
    <>
      <p className="facts">
        {impact !== "none" && <b className="impact">{t(`incidents.impact.${impact}`)}</b>}
        {resolved_at === null ? (
          <Since since={started_at} exact />
        ) : (
          <span suppressHydrationWarning>
            {t("incidents.from", { start: moment(started_at), end: moment(resolved_at, started_at) })}
            {" · "}
            {length((Date.parse(resolved_at) - Date.parse(started_at)) / 1000)}
          </span>
        )}
      </p>
      {components.length > 0 && (
        <ul className="affected" aria-label={t("incidents.affects")}>
          {components.map(({ name, status }) => (
            <li key={name}>
              <b>{name}</b>
              {resolved_at === null && <Badge tone={TONES[status]}>{t(`incidents.component.${status}`)}</Badge>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** From the largest impact to the smallest. */
const IMPACTS = ["critical", "major", "minor", "none"];
const rankOf = ({ impact }: PublicIncident): number => IMPACTS.indexOf(impact);

/** What goes on, above the services: what affects most comes first, and among equals the newest. */
function Open({ page: { incidents } }: SectionProps) {
  const { t } = useTranslation();
  const addressAt = useAddress();
  const open = incidents
    .filter(({ resolved_at }) => resolved_at === null)
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  if (open.length === 0) return null;
  const inSight = open.length > 1 ? IN_SIGHT.several : IN_SIGHT.one;
  return (
    <section className="incidents" aria-label={t("incidents.open")}>
      {open.map((incident) => (
        <article key={incident.key} className={`incident ${incident.impact}`}>
          <h2>
            <a href={addressAt(incident.path)}>{incident.title}</a>
          </h2>
          <Facts incident={incident} />
          <Updates updates={incident.updates.slice(0, inSight)} />
          {incident.updates.length > inSight && (
            <details className="earlier">
              <summary>{t("incidents.earlier", { count: incident.updates.length - inSight })}</summary>
              <Updates updates={incident.updates.slice(inSight)} />
            </details>
          )}
        </article>
      ))}
    </section>
  );
}

/** What ended in the last days, with the last word about it. */
function Past({ page: { incidents } }: SectionProps) {
  const { t } = useTranslation();
  const addressAt = useAddress();
  const past = incidents.filter(({ resolved_at }) => resolved_at !== null);
  if (past.length === 0) return null;
  return (
    <section className="incidents over">
      <h2>{t("incidents.past")}</h2>
      {past.map((incident) => (
        <article key={incident.key} className="incident over">
          <h3>
            <a href={addressAt(incident.path)}>{incident.title}</a>
          </h3>
          <Facts incident={incident} />
          <Updates updates={incident.updates.slice(0, 1)} />
        </article>
      ))}
    </section>
  );
}

/** The page of one incident, with all its updates. */
function Single({ page: { incident } }: SectionProps) {
  const { t } = useTranslation();
  const addressAt = useAddress();
  if (!incident) return null;
  return (
    <article className={`incident ${incident.resolved_at ? "over" : incident.impact}`}>
      <h2>{incident.title}</h2>
      <Facts incident={incident} />
      <Updates updates={incident.updates} />
      <p>
        <a href={addressAt(incident.path.replace(/\/incidents\/\w+$/, ""))}>{t("incidents.back")}</a>
      </p>
    </article>
  );
}

function Stated({ item: { component_status: status = "operational", measured_status } }: { item: StatedItem }) {
  const { t } = useTranslation();
  return (
    <>
      <Badge tone={TONES[status]}>{t(`incidents.component.${status}`)}</Badge>
      {measured_status && (
        <span className="measured">
          {t("incidents.measuredState", { state: t(`incidents.component.${measured_status}`) })}
        </span>
      )}
    </>
  );
}

/** While nothing can be measured, incidents give the page its state. */
function Paused({ since }: { since: string }) {
  const { t } = useTranslation();
  const moment = useMoment();
  return <p suppressHydrationWarning>{t("incidents.paused", { time: moment(since) })}</p>;
}

const titleOf = ({ incident, history }: PageData, t: TFunction): string | undefined =>
  incident?.title ?? (history && t("incidents.history.title"));

/** Adds the sections of incidents to the page. */
export const addIncidents = (): void => {
  incidentSections.Stated = Stated;
  incidentSections.Marks = Marks;
  incidentSections.Paused = Paused;
  incidentSections.titleOf = titleOf;
  incidentSections.open = [
    { key: "running maintenance", draw: Running },
    { key: "open incidents", draw: Open },
  ];
  incidentSections.past = [
    { key: "maintenance", draw: Upcoming },
    { key: "past incidents", draw: Past },
  ];
  incidentSections.single = [
    { key: "incident", draw: Single },
    { key: "history", draw: History },
  ];
};
