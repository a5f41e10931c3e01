import { useTranslation } from "react-i18next";
import { DAY, HOUR } from "../../../src/shared/limits";
import { hubNow } from "../../lib/now";
import { useFormat } from "../../ui/hooks/use-format";
import type { ServerDetail } from "./api";

export type DiskForecast = ServerDetail["disk_forecasts"][number];

/** A day of an average month. */
const MONTH = 30.44 * DAY;

type Rounded = { unit: "soon" | "hours" | "days" | "weeks" | "months"; count: number };

/** The time until a disk is full in a unit that claims no more than is known: hours for three days, days for two weeks. */
export const roundLeft = (left: number): Rounded => {
  if (left < HOUR) return { unit: "soon", count: 0 };
  if (left < 3 * DAY) return { unit: "hours", count: Math.round(left / HOUR) };
  if (left < 14 * DAY) return { unit: "days", count: Math.round(left / DAY) };
  if (left < 84 * DAY) return { unit: "weeks", count: Math.round(left / (7 * DAY)) };
  return { unit: "months", count: Math.round(left / MONTH) };
};

/** Forecasts of disks in words, and whether one is near. `date` is as exact as the forecast. */
export const useForecastWords = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const of = ({ outlook, full_at }: DiskForecast, form: "long" | "short") => {
    if (outlook !== "filling" || full_at === null)
      return {
        text: t(`servers.forecast.${form}.${outlook === "filling" ? "unknown" : outlook}`),
        isSoon: false,
        date: undefined,
      };
    const left = Date.parse(full_at) - hubNow();
    const { unit, count } = roundLeft(left);
    const date = unit === "hours" ? format.moment(full_at) : unit === "days" ? format.shortDay(full_at) : undefined;
    const text = t(`servers.forecast.${form}.${unit}`, { number: format.number(count) });
    return { text, date, isSoon: left < 3 * DAY };
  };
  return {
    long: (forecast: DiskForecast) => of(forecast, "long"),
    short: (forecast: DiskForecast) => of(forecast, "short"),
  };
};
