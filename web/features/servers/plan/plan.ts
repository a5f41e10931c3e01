import { PLAN_LIMITS } from "../../../../src/shared/agents/server-plan";
import { isTimeZone } from "../../../../src/shared/time-zone";
import { text } from "../../../lib/form";
import { browserTimeZone } from "../../../lib/format";
import type { Server, updateServer } from "../api";

export type Plan = NonNullable<Server["plan"]>;
type TrafficPlan = NonNullable<Plan["traffic"]>;
export type Contract = NonNullable<Plan["contract"]>;
type PlanBody = NonNullable<Parameters<typeof updateServer>[1]["plan"]>;

/** Units of a typed quota, as in all sizes on the page. */
export const UNITS = { GB: 2 ** 30, TB: 2 ** 40 } as const;
type Unit = keyof typeof UNITS;
const isUnit = (name: string): name is Unit => name in UNITS;

/** Bytes as a number with at most three decimals in a unit. */
export const inUnit = (bytes: number, unit: Unit): string => String(Math.round((bytes / UNITS[unit]) * 1000) / 1000);

/** The largest unit that is not above a quota. */
export const unitOf = (bytes: number | null): Unit => (bytes !== null && bytes < UNITS.TB ? "GB" : "TB");

/** The typed number of a field; null while it is empty, NaN while it is no number. */
const numberIn = (fields: FormData, name: string): number | null => {
  const typed = text(fields, name);
  return typed === "" ? null : Number(typed.replace(",", "."));
};

const bytesIn = (fields: FormData, name: string, unit: Unit): number | null => {
  const typed = numberIn(fields, name);
  return typed === null ? null : Math.round(typed * UNITS[unit]);
};

/** The values in the fields of a plan. An unchanged amount keeps its exact bytes. */
const readTraffic = (fields: FormData, stored: TrafficPlan | null, month: string | null): PlanBody["traffic"] => {
  const unitText = text(fields, "plan_unit");
  const unit = isUnit(unitText) ? unitText : "GB";
  const exact = (typed: number | null, before: number | undefined | null, of: Unit) =>
    typed !== null && before != null && inUnit(before, of) === inUnit(typed, of) ? before : typed;
  const quota = exact(bytesIn(fields, "plan_quota", unit), stored?.quota, unit);
  const reset_day = numberIn(fields, "plan_reset_day") ?? 1;
  const mode = text(fields, "plan_mode") as TrafficPlan["mode"];
  const zone = text(fields, "plan_zone");
  // A correction of an earlier month is not shown, and replaced by one of this month.
  const before = stored?.correction?.month === month ? stored?.correction?.bytes : undefined;
  const bytes = exact(bytesIn(fields, "plan_correction", "GB"), before, "GB") ?? 0;
  const isDefault = quota === null && reset_day === 1 && mode === "sum" && bytes === 0;
  if (isDefault && !stored && zone === browserTimeZone()) return null;
  const today = new Date().toISOString().slice(0, 10);
  const correction = bytes === 0 ? null : { bytes, month: before === undefined ? today : (month ?? today) };
  return { quota, reset_day, zone, mode, correction };
};

const readContract = (fields: FormData): PlanBody["contract"] => {
  const ends_on = text(fields, "plan_ends_on");
  if (ends_on === "") return null;
  return {
    ends_on,
    price: numberIn(fields, "plan_price"),
    currency: text(fields, "plan_currency").toUpperCase(),
    months: numberIn(fields, "plan_months") ?? 12,
    note: text(fields, "plan_note"),
  };
};

/** The plan in the fields of a form. `month` is the first day of the current month, as the stored plan counts it. */
export const planIn = (fields: FormData, stored: Plan | null, month: string | null): PlanBody => ({
  traffic: readTraffic(fields, stored?.traffic ?? null, month),
  contract: readContract(fields),
});

/** The wrong fields of a plan beyond the attributes of their controls. */
export const planProblems = (fields: FormData): Record<string, true | undefined> => {
  const typed = (name: string) => text(fields, name) !== "";
  const unit = text(fields, "plan_unit");
  const quota = bytesIn(fields, "plan_quota", isUnit(unit) ? unit : "GB");
  const correction = bytesIn(fields, "plan_correction", "GB");
  const price = numberIn(fields, "plan_price");
  const wrong = (isWrong: boolean) => (isWrong ? true : undefined);
  return {
    plan_quota: wrong(quota !== null && !(quota >= 1 && quota <= PLAN_LIMITS.quota)),
    plan_zone: wrong(!isTimeZone(text(fields, "plan_zone"))),
    plan_correction: wrong(correction !== null && !(Math.abs(correction) <= PLAN_LIMITS.quota)),
    plan_ends_on: wrong(!typed("plan_ends_on") && (typed("plan_price") || typed("plan_note"))),
    plan_price: wrong(price !== null && !(price >= 0 && price <= PLAN_LIMITS.price)),
    plan_currency: wrong(
      !/^([A-Za-z]{3})?$/.test(text(fields, "plan_currency")) || (price !== null && !typed("plan_currency")),
    ),
  };
};
