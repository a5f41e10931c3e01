/** Rounds a figure to a tenth. */
export const tenth = (figure: number | null): number | null => (figure === null ? null : Math.round(figure * 10) / 10);

/** An average, rounded to a tenth; null of no figures. */
export const average = (total: number, count: number): number | null => (count === 0 ? null : tenth(total / count));
