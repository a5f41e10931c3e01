/** Fields that several kinds have. */
import { CERTIFICATE_DAYS, DEFAULT_CERTIFICATE_DAYS } from "../certificate";
import { LIMITS } from "../limits";

export const hostField = {
  name: "host",
  type: "host",
  required: true,
  about: "The host's name or IP address.",
  accepts: "A host name or an IP address of at most 253 characters.",
  example: "db.example.com",
  placeholder: "db.example.com",
  label: "monitors.form.host",
} as const;

export const portField = {
  name: "port",
  type: "number",
  required: true,
  min: 1,
  max: 65_535,
  about: "The TCP port.",
  accepts: "1 to 65,535.",
  example: 5432,
  placeholder: "5432",
  label: "monitors.form.port",
} as const;

/** An address with one of two schemes; the second is the TLS one. */
export const addressField = <const Schemes extends readonly [string, string]>(schemes: Schemes) =>
  ({
    name: "url",
    type: "address",
    schemes,
    required: true,
    accepts: `${schemes[0] === "http" ? "An" : "A"} ${schemes.join(":// or ")}:// address of at most ${LIMITS.url.toLocaleString("en-US")} characters.`,
  }) as const;

/** When the owner is notified before a certificate expires. */
export const daysField = {
  type: "days",
  default: DEFAULT_CERTIFICATE_DAYS,
  about: "How many days before the certificate expires an alert is sent, the longest first; empty for never.",
  accepts: `How many days before the certificate expires an alert is sent: at most ${CERTIFICATE_DAYS.most} numbers from 1 to ${CERTIFICATE_DAYS.longest}; ${DEFAULT_CERTIFICATE_DAYS.join(", ")} by default, none for no alerts.`,
  example: DEFAULT_CERTIFICATE_DAYS,
  label: "kinds.certificate.days",
  hint: "kinds.certificate.daysHint",
} as const;

/** A monitor is up while its check fails. */
export const invertedField = {
  name: "inverted",
  type: "switch",
  about: "Whether it is up while its check fails, and down when it succeeds; absent for false.",
  accepts:
    "True to count a check that fails, after its retries, as up, and one that succeeds as down with the error `unexpected_success`: for targets that must not be reachable; false by default.",
  example: false,
  rare: true,
  label: "kinds.inverted.label",
  hint: "kinds.inverted.hint",
  fact: { place: "rules", on: "kinds.inverted.meaning" },
} as const;
