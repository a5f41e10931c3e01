import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { OwnerTag } from "../../ui/feedback/badge";
import { useFormat } from "../../ui/hooks/use-format";
import { datesIn, noon } from "../../ui/hooks/use-period-text";
import type { Report } from "./api";

type Row = Report["rows"][number];
type Props = { report: Report; linked: boolean };

/** Days that need less room than the names. */
const FEW = 10;

/** The targets of a report, those with the lowest uptime first. */
export function ReportTable({ report, linked }: Props) {
  const { t } = useTranslation();
  const without = [
    !report.rows.some(({ down_seconds }) => down_seconds > 0) && "without-fifth",
    !report.rows.some(({ p95 }) => p95 !== null) && "without-sixth",
    report.days.length <= FEW && "few-days",
  ];
  return (
    <div className={["card table-card report-table", ...without].filter(Boolean).join(" ")}>
      <Legend />
      <table>
        <thead>
          <tr>
            <th scope="col">{t("reports.columns.name")}</th>
            <th scope="col" className="number">
              {t("reports.columns.uptime")}
            </th>
            <th scope="col" className="report-days">
              <span className="visually-hidden">{t("reports.columns.days")}</span>
              <Dates days={report.days} />
            </th>
            {(["outages", "down", "p95"] as const).map((name) => (
              <th key={name} scope="col" className="number">
                {t(`reports.columns.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {report.rows.map((row) => (
            <TargetRow key={`${row.target_type} ${row.target_id}`} row={row} report={report} linked={linked} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The dates that fit above the strips. */
const MOST_DATES = 6;

/** Dates above the days that they begin at. */
function Dates({ days }: Pick<Report, "days">) {
  const format = useFormat();
  const step = Math.ceil(days.length / MOST_DATES);
  return (
    <div className="report-dates" aria-hidden="true">
      {days.map(({ date }, place) => (
        <span key={date}>
          {place % step === 0 && days.length - place >= step / 2 && (
            <small className="report-date">{format.shortDay(noon(date))}</small>
          )}
        </span>
      ))}
    </div>
  );
}

function TargetRow({ row, report, linked }: Props & { row: Row }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { target_type, target_id, target_name, uptime, target, outages, down_seconds, p95 } = row;
  const path = target_type === "monitor" ? paths.monitor(target_id) : paths.agent(target_id);
  const figures = useServerFigures()(row);
  const { from, to } = datesIn(report.zone, report);
  const isKnown = row.days.some((day) => day.uptime !== null);
  const ofTarget = new URLSearchParams({ from, to, target: `${target_type}:${target_id}` });
  return (
    <tr>
      <th scope="row">
        <Icon name={target_type === "monitor" ? "pulse" : "server"} className="soft" />
        {linked ? <Link href={path}>{target_name}</Link> : target_name} <OwnerTag of={row} />
        {figures && <small className="soft">{figures}</small>}
      </th>
      <td
        className={
          target && !target.met && uptime !== null ? "number report-uptime report-missed" : "number report-uptime"
        }
      >
        {format.percent(uptime)}
      </td>
      <td className={isKnown ? "report-days" : "report-days none"}>
        {isKnown ? <Strip row={row} days={report.days} /> : "–"}
      </td>
      <td className={outages > 0 ? "number" : "number none"} data-label={t("reports.columns.outages")}>
        {linked && outages > 0 ? (
          <Link href={`${paths.outages}?${ofTarget}`}>{format.number(outages)}</Link>
        ) : (
          format.number(outages)
        )}
      </td>
      <td className={down_seconds > 0 ? "number" : "number none"} data-label={t("reports.columns.down")}>
        {down_seconds > 0 ? format.elapsed(down_seconds) : "–"}
      </td>
      <td data-label={t("reports.columns.p95")} className={p95 === null ? "number none" : "number"}>
        {format.milliseconds(p95)}
      </td>
    </tr>
  );
}

/** The peaks and the traffic of a server in one line; empty for a monitor. */
const useServerFigures = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ peaks, traffic }: Pick<Row, "peaks" | "traffic">): string => {
    const parts = (["cpu", "memory", "disk"] as const).flatMap((name) => {
      const figure = peaks?.[name] ?? null;
      return figure === null ? [] : [t(`reports.peaks.${name}`, { figure: format.share(figure) })];
    });
    if (traffic && traffic.rx + traffic.tx > 0) parts.push(`↓ ${format.size(traffic.rx)} ↑ ${format.size(traffic.tx)}`);
    return parts.join(" · ");
  };
};

/** The least time down of a stronger colour, within a day or a week of a long period, in seconds. */
const [DOWN, LONG] = [15 * 60, 3 * 3600];

const TONES = ["up", "short", "down", "long", "none"] as const;

const toneOf = ({ uptime, down_seconds }: Row["days"][number]): (typeof TONES)[number] => {
  if (uptime === null) return "none";
  if (down_seconds === 0) return "up";
  return down_seconds < DOWN ? "short" : down_seconds < LONG ? "down" : "long";
};

/** The colours of the days in words. */
function Legend() {
  const { t } = useTranslation();
  return (
    <ul className="report-legend soft small">
      {TONES.map((tone) => (
        <li key={tone}>
          <span className={`report-tone ${tone}`} />
          {t(`reports.strip.tones.${tone}`)}
        </li>
      ))}
    </ul>
  );
}

/** The days of a target, or the weeks of a long period. */
function Strip({ row, days }: { row: Row; days: Report["days"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const down = row.days.filter(({ down_seconds }) => down_seconds > 0).length;
  const unknown = row.days.filter(({ uptime }) => uptime === null).length;
  const textOf = ({ uptime, down_seconds }: Row["days"][number], date: string) =>
    t(uptime === null ? "reports.strip.none" : down_seconds > 0 ? "reports.strip.down" : "reports.strip.up", {
      date: format.shortDay(noon(date)),
      time: format.elapsed(down_seconds),
    });
  return (
    <div
      className="report-strip"
      role="img"
      aria-label={t("reports.strip.label", { count: row.days.length, down, unknown })}
    >
      {row.days.map((day, index) => {
        const date = days[index]?.date ?? "";
        return <span key={date} className={`report-tone ${toneOf(day)}`} title={textOf(day, date)} />;
      })}
    </div>
  );
}
