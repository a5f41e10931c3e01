import { type Static, t } from "elysia";
import {
  boolean,
  component,
  id,
  integer,
  nullable,
  number,
  object,
  oneOf as oneOfText,
  text,
} from "../../../server/answers";
import { field, oneOf } from "../../../server/schema";
import { OBJECTIVE_BOUNDS, OBJECTIVE_PERIODS } from "../../../shared/outages/objectives";
import { TAG_COLOURS } from "../../../shared/tags";

const { lowest, highest } = OBJECTIVE_BOUNDS;

/** An objective, in calls and in exported files. */
export const objectiveFields = {
  target: field(
    t.Number({
      minimum: lowest,
      maximum: highest,
      error: `expected an uptime from ${lowest} to ${highest} percent; 100 would allow no downtime at all`,
    }),
    `The uptime in percent, from ${lowest} to ${highest}, with at most three decimals.`,
    99.9,
  ),
  period: field(
    oneOf(OBJECTIVE_PERIODS),
    "The time that it is about: the last days up to now, or the present month or quarter in the owner's time zone.",
    "30d",
  ),
  alerts: t.Optional(
    field(t.Boolean(), "Whether `budget_burning` and `budget_spent` events are sent; true unless given.", true),
  ),
};
export const objectiveModel = t.Object(objectiveFields);
export type ObjectiveBody = Static<typeof objectiveModel>;

const answered = {
  target: number("The uptime in percent.", 99.9),
  period: oneOfText("The time that it is about.", OBJECTIVE_PERIODS, "30d"),
  alerts: boolean("Whether events about it are sent.", true),
};

const tag = object({
  id: id("The tag's id.", 2),
  name: text("Its name.", "production"),
  color: oneOfText("Its colour.", TAG_COLOURS, "blue"),
});

export const Objective = component("Objective", {
  id: id("The objective's id.", 4),
  monitor: nullable(object({ id: id("The monitor's id.", 5), name: text("Its name.", "Shop") })),
  tag: nullable(tag, null),
  ...answered,
});

export const Budget = component("ErrorBudget", {
  ...answered,
  tag: nullable(tag, null),
  zone: text("The time zone of a month or quarter.", "Europe/Berlin"),
  budget_seconds: integer("The downtime that the objective allows in its period.", 2592),
  down_seconds: integer("The downtime of the period so far.", 1860),
  left_seconds: integer("The downtime that is left; negative once the objective is missed.", 732),
  burn_rate_1h: number("How many times faster than evenly the last hour has used the budget.", 0),
  burn_rate_6h: number("The same of the last six hours.", 2.4),
  state: oneOfText("`burning`: at this rate it will be missed long before the end of the period.", [
    "met",
    "burning",
    "missed",
  ]),
});
