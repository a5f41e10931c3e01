import type { Static } from "@sinclair/typebox";
import { t } from "elysia";
import { type FieldError, validation } from "../../../core/errors";
import { integer, nullable, number, object, text, oneOf as word } from "../../../server/answers";
import { errorsWithin, field, oneOf, whole } from "../../../server/schema";
import { PLAN_LIMITS as LIMITS, type ServerPlan, TRAFFIC_MODES } from "../../../shared/agents/server-plan";
import { isTimeZone } from "../../../shared/time-zone";
import { dateOf, dayOf, monthOf } from "./months";

const dateOfPlan = (description: string, example: string) =>
  field(t.String({ maxLength: 10, error: "expected a date as YYYY-MM-DD" }), description, example);
/** Elysia's integer also accepts texts. */
const bytes = (minimum: number) =>
  t.Number({
    minimum,
    maximum: LIMITS.quota,
    multipleOf: 1,
    error: `expected a whole number of bytes from ${minimum} to ${LIMITS.quota}`,
  });

const RESET_DAY =
  "The day of the month on which the provider counts from zero, 1 to 31; in shorter months it is the last day.";
const ZONE = "The IANA name of the time zone whose midnight begins that day.";
const MODE =
  "What counts against the quota: `sum` of both directions, `tx` (sent), `rx` (received), or `max`, the greater one.";
const CORRECTED = "Bytes to add to that month, such as those before the agent was installed; may be negative.";
const QUOTA = "Bytes a month; null: traffic is counted without a quota.";
const ENDS_ON = "The date on which it ends unless it is paid for again, YYYY-MM-DD.";
const PRICE = "The price of one period; null: not given.";
const CURRENCY = "The currency of the price as three letters of ISO 4217; empty without a price.";
const MONTHS = "The months of one period, 1 to 120.";

const trafficModel = t.Object({
  quota: field(t.Union([bytes(1), t.Null()], { error: "expected a whole number of bytes, or null" }), QUOTA, 1e12),
  reset_day: field(whole(1, 31), RESET_DAY, 1),
  zone: field(
    t.String({ maxLength: 64, error: "expected the IANA name of a time zone, such as Europe/Berlin" }),
    ZONE,
    "Asia/Shanghai",
  ),
  mode: field(oneOf(TRAFFIC_MODES), MODE, "sum"),
  correction: t.Optional(
    field(
      t.Union(
        [
          t.Object({
            bytes: field(bytes(-LIMITS.quota), CORRECTED),
            month: dateOfPlan("A date in that month.", "2026-01-01"),
          }),
          t.Null(),
        ],
        { error: "expected bytes and a month, or null" },
      ),
      "Corrects one month; null: none.",
      null,
    ),
  ),
});

const contractModel = t.Object({
  ends_on: dateOfPlan(ENDS_ON, "2026-12-31"),
  price: t.Optional(
    field(
      t.Union([t.Number({ minimum: 0, maximum: LIMITS.price }), t.Null()], {
        error: `expected a number from 0 to ${LIMITS.price}, or null`,
      }),
      PRICE,
      30,
    ),
  ),
  currency: t.Optional(
    field(
      t.String({ maxLength: 3, pattern: "^([A-Z]{3})?$", error: "expected three capital letters, such as EUR" }),
      CURRENCY,
      "EUR",
    ),
  ),
  months: t.Optional(field(whole(1, LIMITS.months), `${MONTHS} 12 by default.`, 12)),
  note: t.Optional(
    field(
      t.String({ maxLength: LIMITS.note, error: `expected a text of at most ${LIMITS.note} characters` }),
      "A note, at most 500 characters.",
      "Bought in the sale",
    ),
  ),
});

const orNull = <Schema extends typeof trafficModel | typeof contractModel>(schema: Schema) =>
  t.Union([schema, t.Null()], { error: "expected an object, or null" });

/**
 * The plan of a server in a request. Anything but an object is an empty one here, because unknown fields are dropped before
 * validation: an empty one is refused, so that none of these removes a plan.
 */
export const planModel = t.Object(
  {
    traffic: t.Optional(
      field(orNull(trafficModel), "How its provider counts traffic; null: as months of the calendar, without a quota."),
    ),
    contract: t.Optional(field(orNull(contractModel), "When its contract ends; null: not known.")),
  },
  { minProperties: 1, error: "expected an object with traffic, contract or both" },
);
type PlanBody = Static<typeof planModel>;

/** The plan of a server in an answer. */
export const Plan = object({
  traffic: nullable(
    object({
      quota: nullable(integer(QUOTA, 1e12)),
      reset_day: integer(RESET_DAY, 1),
      zone: text(ZONE, "Asia/Shanghai"),
      mode: word(MODE, TRAFFIC_MODES),
      correction: nullable(
        object({
          bytes: integer(CORRECTED, 50e9),
          month: text("The first day of that month, YYYY-MM-DD.", "2026-01-01"),
        }),
        null,
      ),
    }),
  ),
  contract: nullable(
    object({
      ends_on: text(ENDS_ON, "2026-12-31"),
      price: nullable(number(PRICE, 30)),
      currency: text(CURRENCY, "EUR"),
      months: integer(MONTHS, 12),
      note: text("A note.", "Bought in the sale"),
    }),
  ),
});

/** Dates of contracts. */
const [EARLIEST, LATEST] = [dayOf("2000-01-01"), dayOf("2099-12-31")];
const isDate = (date: unknown): boolean => typeof date === "string" && dayOf(date) >= EARLIEST && dayOf(date) <= LATEST;

/**
 * The bad fields of a plan in a body, at `path`: also those that a schema can't express, and those within unions with null,
 * where validation names only the union.
 */
export const planErrors = (sent: unknown, path = "plan"): FieldError[] => {
  const plan: unknown = Object(sent).plan;
  const { traffic, contract } = Object(plan) as Record<string, Record<string, unknown> | null>;
  const errors: FieldError[] = [];
  const check = (isRight: boolean, field: string, message: string) => {
    if (!isRight) errors.push({ path: `${path}.${field}`, message: `${path}.${field}: ${message}` });
  };
  if (plan !== null && typeof plan === "object") {
    if (traffic) {
      errors.push(...errorsWithin(`${path}.traffic`, trafficModel, traffic));
      check(isTimeZone(String(traffic.zone)), "traffic.zone", "this time zone is not known");
      const { correction } = traffic;
      if (correction)
        check(isDate(Object(correction).month), "traffic.correction.month", "expected a date as YYYY-MM-DD");
    }
    if (contract) {
      errors.push(...errorsWithin(`${path}.contract`, contractModel, contract));
      check(isDate(contract.ends_on), "contract.ends_on", "expected a date from 2000 to 2099 as YYYY-MM-DD");
      const isPriced = contract.price !== undefined && contract.price !== null;
      check(!isPriced || !!contract.currency, "contract.currency", "a price needs a currency, such as EUR");
    }
  }
  const paths = new Set<string>();
  return errors.filter((error) => !paths.has(error.path) && paths.add(error.path));
};

/**
 * The plan to store for a request's, at `path` of it; null for an empty plan.
 * @throws {AppError} validation
 */
export const parsePlan = (plan: PlanBody, path?: string): ServerPlan | null => {
  const { traffic, contract } = plan;
  const errors = planErrors({ plan }, path);
  if (errors.length > 0) throw validation(errors);
  if (!traffic && !contract) return null;
  return {
    traffic: traffic
      ? {
          quota: traffic.quota,
          resetDay: traffic.reset_day,
          zone: traffic.zone,
          mode: traffic.mode,
          correction: traffic.correction
            ? {
                bytes: traffic.correction.bytes,
                month: dateOf(monthOf(dayOf(traffic.correction.month), traffic.reset_day).first),
              }
            : null,
        }
      : null,
    contract: contract
      ? {
          endsOn: contract.ends_on,
          price: contract.price ?? null,
          currency: (contract.price ?? null) === null ? "" : (contract.currency ?? ""),
          months: contract.months ?? 12,
          note: (contract.note ?? "").trim(),
        }
      : null,
  };
};

/** Presents a plan. */
export const presentPlan = (plan: ServerPlan | null): Static<typeof Plan> | null =>
  plan && {
    traffic: plan.traffic && {
      quota: plan.traffic.quota,
      reset_day: plan.traffic.resetDay,
      zone: plan.traffic.zone,
      mode: plan.traffic.mode,
      correction: plan.traffic.correction,
    },
    contract: plan.contract && {
      ends_on: plan.contract.endsOn,
      price: plan.contract.price,
      currency: plan.contract.currency,
      months: plan.contract.months,
      note: plan.contract.note,
    },
  };
