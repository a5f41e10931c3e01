import { type Static, t } from "elysia";
import type { FieldError } from "../../../core/errors";
import { component, id, integer, nullable, number, object, oneOf as oneOfText, text } from "../../../server/answers";
import { field, oneOf, whole } from "../../../server/schema";
import { REPORT_LIMITS } from "../../../shared/agents/report";
import {
  defaultClear,
  isAllowedThreshold,
  THRESHOLD_BOUNDS,
  THRESHOLD_METRICS,
  THRESHOLD_MINUTES,
  THRESHOLD_SCOPES,
  type ThresholdMetric,
  type ThresholdSetting,
} from "../../../shared/agents/thresholds";
import { TAG_COLOURS } from "../../../shared/tags";

/** Above every bound; the code validates the bounds of each metric. */
const figure = t.Number({ minimum: 0, maximum: 1000, error: "expected a number from 0 to 1000" });
const subject = t.String({
  maxLength: REPORT_LIMITS.mount,
  pattern: "^[^\\u0000-\\u001f\\u007f]*$",
  error: `expected at most ${REPORT_LIMITS.mount} characters without control characters`,
});

/** The figures of a threshold, in calls and in exported files. */
export const settingFields = {
  metric: field(
    oneOf(THRESHOLD_METRICS),
    "The figure. `load` is over one minute and for each core; `temperature` is in °C, the others are in percent.",
    "disk",
  ),
  subject: t.Optional(
    field(subject, "The mount point of `disk`, or the sensor of `temperature`; empty: each of them.", "/var"),
  ),
  threshold: field(figure, "From which figure on there is an alert.", 95),
  clear: t.Optional(
    field(figure, "Below which figure it is normal again: a little below the threshold unless given.", 90),
  ),
  minutes: field(
    whole(0, THRESHOLD_MINUTES, " minutes"),
    "For how many minutes without interruption it has to be above, or below. 0: a single sample suffices.",
    10,
  ),
};

const reference = t.Union([whole(1, Number.MAX_SAFE_INTEGER), t.Null()], { error: "expected an id, or null" });

export const thresholdModel = t.Object({
  scope: field(
    oneOf(THRESHOLD_SCOPES),
    "`all`: each of your servers; `tag`: those with `tag_id`; `agent`: the one of `agent_id`.",
    "all",
  ),
  tag_id: t.Optional(field(reference, "A tag of yours.", null)),
  agent_id: t.Optional(field(reference, "A server of yours.", null)),
  ...settingFields,
});
export type ThresholdBody = Static<typeof thresholdModel>;

export const listQuery = t.Object({
  agent: t.Optional(
    field(
      whole(1, Number.MAX_SAFE_INTEGER),
      "Only those that count for this server: a more specific one hides others of the same figure.",
      5,
    ),
  ),
});

export const Threshold = component("Threshold", {
  id: id("The threshold's id.", 6),
  scope: oneOfText("To which servers it applies.", THRESHOLD_SCOPES),
  tag: nullable(
    object({
      id: id("The tag's id.", 2),
      name: text("Its name.", "production"),
      color: oneOfText("Its colour.", TAG_COLOURS, "blue"),
    }),
    null,
  ),
  agent: nullable(object({ id: id("The server's id.", 5), name: text("Its name.", "web-1") }), null),
  metric: oneOfText("The figure.", THRESHOLD_METRICS, "disk"),
  subject: nullable(text("The mount point or the sensor; null for each of them.", "/var"), null),
  threshold: number("From which figure on there is an alert.", 95),
  clear: number("Below which figure it is normal again.", 90),
  minutes: integer("For how many minutes without interruption.", 10),
});

type Sent = {
  metric: ThresholdMetric;
  subject?: string | undefined;
  threshold: number;
  clear?: number | undefined;
  minutes: number;
};

/** A threshold with what is left out of it. */
export const completed = ({ metric, subject = "", threshold, clear, minutes }: Sent): ThresholdSetting => ({
  metric,
  subject,
  threshold,
  clear: clear ?? defaultClear(metric, threshold),
  minutes,
});

/** Errors of a threshold beyond its schema, by field. */
export const settingErrors = (setting: ThresholdSetting): FieldError[] => {
  const { metric, subject, threshold, clear } = setting;
  const [low, high] = THRESHOLD_BOUNDS[metric];
  const hasSubject = metric === "disk" || metric === "temperature";
  return [
    ...(isAllowedThreshold(metric, threshold)
      ? []
      : [{ path: "threshold", message: `threshold: expected a number from ${low} to ${high}` }]),
    ...(clear <= threshold ? [] : [{ path: "clear", message: "clear: expected at most the threshold" }]),
    ...(subject === "" || hasSubject
      ? []
      : [{ path: "subject", message: "subject: only disks and temperatures have one" }]),
  ];
};
