import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { useFormat } from "../../../ui/hooks/use-format";
import type { Summary } from "./api";

/** The totals of the range. */
export function Totals({ summary }: { summary: Summary }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { outages, open, seconds, longest, mean_time_to_repair, watched } = summary;
  return (
    <dl className="stats">
      <div>
        <dt>{t("outages.list.totals.outages")}</dt>
        <dd>
          {format.number(outages)}
          {open > 0 && <small>{t("outages.list.totals.open", { count: open, number: format.number(open) })}</small>}
        </dd>
      </div>
      <div>
        <dt>{t("outages.list.totals.total")}</dt>
        <dd>{seconds === 0 ? "–" : format.elapsed(seconds)}</dd>
      </div>
      <div>
        <dt>{t("outages.list.totals.longest")}</dt>
        <dd>{longest ? <Link href={paths.outage(longest.id)}>{format.elapsed(longest.seconds)}</Link> : "–"}</dd>
      </div>
      <div>
        <dt>{t("outages.list.totals.repair")}</dt>
        <dd>{mean_time_to_repair === null ? "–" : format.elapsed(mean_time_to_repair)}</dd>
      </div>
      <div>
        <dt>{t("outages.list.totals.watched")}</dt>
        <dd>{watched === null ? "–" : format.percent(watched)}</dd>
      </div>
    </dl>
  );
}

type Day = Summary["days"][number];
/** Days in the strip that are labelled. */
const LABELS = 5;
/** The height of the shortest bar, so that a short outage is seen. */
const LEAST = 8;

type StripProps = { days: readonly Day[]; chosen: string | undefined; onChoose: (date: string) => void };

/** How long outages lasted on each day, as bars; a click shows one day. */
export function DayStrip({ days, chosen, onChoose }: StripProps) {
  const { t } = useTranslation();
  const format = useFormat();
  if (days.length < 2 && chosen === undefined) return null;
  const worst = days.reduce((one, other) => (other.seconds > one.seconds ? other : one));
  const most = Math.max(1, worst.seconds);
  const step = Math.ceil(days.length / LABELS);
  const textOf = ({ date, outages, seconds }: Day) =>
    t(outages === 0 ? "outages.list.dayWithout" : "outages.list.day", {
      date: format.day(`${date}T12:00:00`),
      count: outages,
      time: format.elapsed(seconds),
    });
  return (
    <section className="outages-days" aria-label={t("outages.list.days")}>
      <header>
        <h2 className="soft small">{t("outages.list.days")}</h2>
        {worst.seconds > 0 && (
          <span className="soft small">
            {t("outages.list.worst", {
              date: format.shortDay(`${worst.date}T12:00:00`),
              time: format.elapsed(worst.seconds),
            })}
          </span>
        )}
      </header>
      <ol>
        {days.map((day, index) => (
          <li key={day.date}>
            <button
              type="button"
              aria-label={textOf(day)}
              title={textOf(day)}
              aria-pressed={day.date === chosen}
              onClick={() => onChoose(day.date)}
            >
              <span
                className={day.outages === 0 ? "none" : undefined}
                style={{ height: day.outages === 0 ? undefined : `${Math.max(LEAST, (day.seconds / most) * 100)}%` }}
              />
            </button>
            {index % step === 0 && <small aria-hidden="true">{format.shortDay(`${day.date}T12:00:00`)}</small>}
          </li>
        ))}
      </ol>
    </section>
  );
}
