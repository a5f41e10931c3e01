import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { useFormat } from "../../ui/hooks/use-format";
import { datesIn, noon } from "../../ui/hooks/use-period-text";
import { SERVER, useCauseText } from "../problems/cause";
import { useReason } from "../problems/use-reason";
import type { Report } from "./api";

type Props = { report: Report; linked: boolean };
type Outage = Report["outages"][number];

/** The longest outages, the latest first, each as a sentence. */
export function LongOutages({ report, linked }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { outages, zone } = report;
  const inOrder = outages.toSorted((a, b) => b.started_at.localeCompare(a.started_at));
  const dayOf = (time: string) => format.shortDay(noon(datesIn(zone, { from: time, to: time }).from));
  return (
    <section className="card report-outages">
      <h2>{t("reports.outages.title")}</h2>
      {outages.length === 0 ? (
        <p className="soft">{t("reports.outages.none")}</p>
      ) : (
        <ol>
          {inOrder.map((outage) => (
            <li key={outage.id}>
              <time dateTime={outage.started_at} className="soft">
                {dayOf(outage.started_at)}
              </time>
              <OutageText outage={outage} linked={linked} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function OutageText({ outage, linked }: { outage: Outage; linked: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const reasonOf = useReason();
  const causeText = useCauseText();
  const { id, target_name, seconds, ended_at, explains, cause, acknowledged, note } = outage;
  const reason = reasonOf({ ...outage, figure: null, threshold: null, mount: null, last_report: null });
  // In one line.
  const time = format.elapsed(seconds).replaceAll(" ", "\u00a0");
  const lasted = ended_at === null ? t("reports.outages.open", { time }) : t("reports.outages.lasted", { time });
  const by = acknowledged?.by ?? acknowledged?.link?.channel_name;
  const further = [
    cause && causeText(cause).replace(SERVER, cause.name ?? ""),
    explains > 0 && t("reports.outages.explains", { count: explains, number: format.number(explains) }),
    by && t("reports.outages.acknowledged", { name: by }),
    note && t("reports.outages.note", { text: note.text }),
  ].filter(Boolean);
  return (
    <div>
      <p>
        {linked ? <Link href={paths.outage(id)}>{target_name}</Link> : <strong>{target_name}</strong>}
        {" · "}
        {[reason, lasted].filter(Boolean).join(" · ")}
      </p>
      {further.length > 0 && <p className="soft small">{further.join(" · ")}</p>}
    </div>
  );
}

/** What ends soon, the soonest first. */
export function Upcoming({ report, linked }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { upcoming, now } = report;
  return (
    <section className="card report-upcoming">
      <h2>{t("reports.upcoming.title")}</h2>
      {upcoming.length === 0 ? (
        <p className="soft">{t("reports.upcoming.none")}</p>
      ) : (
        <ol>
          {upcoming.map((entry) => {
            const { kind, target_type, target_id, target_name, at, percent, exhausted_at, price, currency, mount } =
              entry;
            const path = target_type === "monitor" ? paths.monitor(target_id) : paths.agent(target_id);
            const about = [
              mount,
              kind === "contract" &&
                price !== null &&
                new Intl.NumberFormat(undefined, { style: "currency", currency: currency ?? "EUR" }).format(price),
              kind === "traffic" && percent !== null && t("reports.upcoming.used", { figure: format.share(percent) }),
              exhausted_at && t("reports.upcoming.exhausted", { date: format.shortDay(exhausted_at) }),
            ].filter(Boolean);
            return (
              <li key={`${kind} ${target_type} ${target_id} ${mount}`}>
                <time dateTime={at} title={format.day(at)} className="soft">
                  {format.ago(at, Date.parse(now))}
                </time>
                <div>
                  <p>
                    {t(`reports.upcoming.${kind}`)}
                    {" · "}
                    {linked ? <Link href={path}>{target_name}</Link> : target_name}
                  </p>
                  <p className="soft small">{[format.day(at), ...about].join(" · ")}</p>
                </div>
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}
