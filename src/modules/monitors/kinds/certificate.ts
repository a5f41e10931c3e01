/** The field of kinds whose certificate is watched: when the owner is notified before it expires. */
import { t } from "elysia";
import { integer, list } from "../../../server/answers";
import { field, whole } from "../../../server/schema";
import { CERTIFICATE_DAYS, DEFAULT_CERTIFICATE_DAYS } from "../../../shared/certificate";

const { most, longest } = CERTIFICATE_DAYS;

/** The thresholds as they are answered. */
export const daysAnswer = list(
  integer("Days before the certificate expires.", 21),
  "How many days before the certificate expires an alert is sent, the longest first; empty for never.",
  [...DEFAULT_CERTIFICATE_DAYS],
);

/** The thresholds as they are sent. */
export const daysField = field(
  t.Array(whole(1, longest, " days"), { maxItems: most, error: `expected a list of at most ${most} numbers of days` }),
  `How many days before the certificate expires an alert is sent: at most ${most} numbers from 1 to ${longest}; ${DEFAULT_CERTIFICATE_DAYS.join(", ")} by default, none for no alerts.`,
  DEFAULT_CERTIFICATE_DAYS,
);
