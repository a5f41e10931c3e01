import { useTranslation } from "react-i18next";
import { DAY } from "../../../../src/shared/limits";
import { tipPlace, useSlotPointer } from "../../../ui/charts/use-slot-pointer";
import { useFormat } from "../../../ui/hooks/use-format";
import { noonOf } from "./dates";

type Day = { date: string; rx: number; tx: number };
type Props = { days: readonly Day[]; since: string; until: string };

/** Every day of a month, also those without traffic. */
const allDays = ({ days, since, until }: Props): Day[] => {
  const dayByDate = new Map(days.map((day) => [day.date, day]));
  const count = Math.round((Date.parse(until) - Date.parse(since)) / DAY);
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(Date.parse(since) + index * DAY).toISOString().slice(0, 10);
    return dayByDate.get(date) ?? { date, rx: 0, tx: 0 };
  });
};

const HEIGHT = 100;
/** The height of a day without traffic. */
const MARK = 1.5;
/** The date of every fifth day is below it. */
const DAYS_A_TICK = 5;

/** The traffic of each day of a month: sent on top of received. */
export function DayBars(props: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const days = allDays(props);
  const { chosen, pointer, onKeyDown } = useSlotPointer(days.length);
  const most = Math.max(...days.map(({ rx, tx }) => rx + tx), 1);
  const day = chosen === undefined ? undefined : days[chosen];
  const heightOf = (bytes: number) => (bytes / most) * HEIGHT;
  const highest = days.reduce((best, one) => (one.rx + one.tx > best.rx + best.tx ? one : best));
  const summary = t("plan.daysSummary", {
    count: props.days.length,
    date: format.day(noonOf(highest.date)),
    most: format.size(most),
  });
  return (
    <div className="day-bars">
      <div className="day-bars-head small soft">
        <span className="legend rx">{t("plan.received")}</span>
        <span className="legend tx">{t("plan.sent")}</span>
        <span className="most">{t("plan.most", { size: format.size(most) })}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move from day to day */}
      <div className="day-slots" role="img" aria-label={summary} tabIndex={0} onKeyDown={onKeyDown} {...pointer}>
        <svg viewBox={`0 0 ${days.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {days.map(({ date, rx, tx }, place) => (
            <g key={date}>
              {place === chosen && <rect className="slot" x={place + 0.1} y="0" width="0.8" height={HEIGHT} />}
              {rx + tx === 0 && <rect className="none" x={place + 0.1} y={HEIGHT - MARK} width="0.8" height={MARK} />}
              <rect className="rx" x={place + 0.1} y={HEIGHT - heightOf(rx)} width="0.8" height={heightOf(rx)} />
              <rect className="tx" x={place + 0.1} y={HEIGHT - heightOf(rx + tx)} width="0.8" height={heightOf(tx)} />
            </g>
          ))}
        </svg>
      </div>
      {day && chosen !== undefined && (
        <span className="tip" role="status" style={{ left: tipPlace(chosen, days.length, "8rem") }}>
          {[
            format.day(noonOf(day.date)),
            t("agents.rates", { received: format.size(day.rx), sent: format.size(day.tx) }),
          ].join(" · ")}
        </span>
      )}
      <div className="day-ticks soft" aria-hidden="true">
        {days.map(({ date }, place) => (
          <span key={date}>{place % DAYS_A_TICK === 0 && <small>{format.shortDay(noonOf(date))}</small>}</span>
        ))}
      </div>
    </div>
  );
}
