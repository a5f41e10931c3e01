export const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** A share in percent with two digits, between 0 and 100. */
export const percentOf = (part: number, whole: number): number =>
  round(Math.min(100, Math.max(0, (100 * part) / whole)), 2);

/** An amount by second, with three digits. */
export const rateOf = (amount: number, seconds: number): number => round(amount / seconds, 3);
