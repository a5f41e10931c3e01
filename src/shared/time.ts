import { DAY, HOUR, MINUTE, SECOND } from "./limits";

let day = Number.NaN;
let date = "";

/**
 * A time as ISO 8601 in UTC with milliseconds, as Date's toISOString writes it, at a tenth of the cost: a list of
 * monitors holds tens of thousands, nearly all of the same day.
 */
export const isoTime = (time: number): string => {
  const today = Math.floor(time / DAY);
  if (today !== day) {
    date = new Date(time).toISOString().slice(0, 11);
    day = today;
  }
  const rest = time - today * DAY;
  const hours = Math.floor(rest / HOUR);
  const minutes = Math.floor((rest % HOUR) / MINUTE);
  const seconds = Math.floor((rest % MINUTE) / SECOND);
  return `${date}${TWO[hours]}:${TWO[minutes]}:${TWO[seconds]}.${THREE[rest % SECOND]}Z`;
};

const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
const THREE = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"));
