import { type Static, t } from "elysia";
import type { FieldError } from "../../../core/errors";
import { errorsWithin, field, oneOf, whole } from "../../../server/schema";
import { POLICY_LIMITS, policyProblemText, QUIET_MODES } from "../../../shared/alert-policy";
import { versionOf } from "../version";

const { nameLength, steps, channelsPerStep, afterMinutes, repeatMinutes, repeatMax, groupSeconds } = POLICY_LIMITS;

const timeOfDay = t.String({
  pattern: "^([01]\\d|2[0-3]):[0-5]\\d$",
  maxLength: 5,
  error: policyProblemText("time_invalid"),
});

const stepModel = t.Object({
  after_minutes: field(
    whole(0, afterMinutes, " minutes"),
    "How long the outage has lasted, in minutes. The first step has 0, and each other one more than the one before it.",
    0,
  ),
  channels: field(
    t.Array(whole(0, Number.MAX_SAFE_INTEGER), {
      minItems: 1,
      maxItems: channelsPerStep,
      error: `expected a list of 1 to ${channelsPerStep} channel ids`,
    }),
    "Ids of your channels that are notified.",
    [2],
  ),
});

const quietModel = t.Object({
  days: field(
    t.Array(whole(1, 7), { minItems: 1, maxItems: 7, error: policyProblemText("days_invalid") }),
    "The days on which they start, from 1 for Monday to 7 for Sunday.",
    [1, 2, 3, 4, 5],
  ),
  from: field(timeOfDay, "When they start, as HH:mm.", "22:00"),
  to: field(timeOfDay, "When they end, as HH:mm. Not later than `from`: on the following day.", "07:00"),
  time_zone: field(
    t.String({ maxLength: 64, error: policyProblemText("time_zone_invalid") }),
    "The IANA name of the time zone of both.",
    "Europe/Berlin",
  ),
  mode: field(
    oneOf(QUIET_MODES),
    "`hold` sends what is still true when they end, `drop` sends nothing. Critical targets are notified all the same.",
    "hold",
  ),
});

/** The bad fields of quiet hours: of a union with null, validation names the whole only. */
const quietErrors = (sent: unknown): FieldError[] => {
  const quiet: unknown = Object(sent).quiet;
  if (typeof quiet !== "object" || quiet === null) return [];
  return errorsWithin("quiet", quietModel, quiet);
};

/** A policy as it is sent to be saved. */
export const policyModel = t.Object(
  {
    name: field(
      t.String({ maxLength: nameLength }),
      `1 to ${nameLength} characters, unique among your policies.`,
      "Night",
    ),
    steps: field(
      t.Array(stepModel, { minItems: 1, maxItems: steps, error: `expected a list of 1 to ${steps} steps` }),
      "Who is notified, and when. Channels that were deleted are skipped.",
    ),
    repeat_minutes: t.Optional(
      field(
        whole(0, repeatMinutes.max, " minutes"),
        `Minutes between reminders while an outage is open: 0 for none, which is the default, or at least ${repeatMinutes.min}.`,
        30,
      ),
    ),
    repeat_max: t.Optional(
      field(whole(0, repeatMax), `Reminders for one outage at most; 0, the default, allows ${repeatMax}.`, 5),
    ),
    quiet: t.Optional(field(t.Union([quietModel, t.Null()]), "Hours in which messages are held back; null for none.")),
    version: t.Optional(versionOf("policy")),
    group_seconds: t.Optional(
      field(
        whole(0, groupSeconds, " seconds"),
        "Seconds that a message waits for others, to be sent as one; 10 by default, 0 sends each at once.",
        10,
      ),
    ),
  },
  { further: quietErrors },
);
export type PolicyBody = Static<typeof policyModel>;
