import type { Assertion } from "../assertions";
import { IP_FAMILIES, METHODS } from "../monitor";
import { addressField, daysField } from "./common";
import { custom, describeKind } from "./field";

const STATUSES_LENGTH = 100;
export const STATUSES_EXPECTED = `codes and ranges from 100 to 599, such as 200-299,401, in at most ${STATUSES_LENGTH} characters`;

/** A web address. */
export const http = describeKind({
  kind: "http",
  flat: true,
  fields: [
    {
      ...addressField(["http", "https"]),
      pattern: "^\\s*[hH][tT][tT][pP][sS]?://[^\\s/?#]",
      secret: "readers",
      about: "The address that is requested.",
      example: "https://api.example.com/health",
      placeholder: "https://example.com/health",
      label: "monitors.form.url",
    },
    {
      name: "method",
      type: "choice",
      choices: METHODS,
      default: "GET",
      about: "The request's method.",
      accepts: `One of ${METHODS.join(", ")}; GET by default.`,
      example: "GET",
      label: "monitors.form.method",
    },
    {
      ...custom<number>(),
      name: "expected_status",
      default: 200,
      about: "The status code that counts as up; 1 to 5 mean a whole class.",
      example: 200,
      label: "monitors.form.expected",
    },
    {
      name: "expected_statuses",
      type: "text",
      maxLength: STATUSES_LENGTH,
      expected: STATUSES_EXPECTED,
      default: "",
      about: "Status codes and ranges that count as up, instead of `expected_status`; empty for none.",
      accepts: `Several status codes, ranges or classes that count as up, instead of expectedStatus; at most ${STATUSES_LENGTH} characters, empty for none. No redirect is followed if one of them is 3xx.`,
      example: "200-299,401",
      answered: "",
      label: "kinds.http.statuses",
    },
    {
      ...custom<Record<string, string>>(),
      name: "headers",
      default: {},
      secret: "others",
      large: true,
      about: "Headers of the request, by name.",
      accepts: "An object of names and values, or its JSON text; at most 50 headers of 16 KiB in total.",
      example: { Accept: "application/json" },
      label: "monitors.form.headers",
    },
    {
      ...custom<string>(),
      name: "body",
      default: "",
      secret: "readers",
      large: true,
      about: "The request's body, sent with POST, PUT and PATCH.",
      accepts: "The request's body, at most 64 KiB; sent only with POST, PUT and PATCH.",
      example: "",
      rare: true,
      label: "monitors.form.body",
    },
    {
      name: "accept_self_signed",
      type: "switch",
      default: false,
      about: "Whether a certificate of any issuer and for any name is accepted.",
      accepts:
        "True to accept a certificate of any issuer and for any name, as long as it has not expired; false by default.",
      example: false,
      rare: true,
      label: "kinds.http.selfSigned",
      hint: "kinds.http.selfSignedHint",
    },
    {
      name: "ip_family",
      type: "choice",
      choices: IP_FAMILIES,
      words: "kinds.http.families",
      usual: "any",
      default: "any",
      about: "The IP version that is used.",
      accepts: "4 or 6 to use only addresses of that IP version; any by default.",
      example: "any",
      label: "kinds.http.family",
    },
    {
      ...custom<Assertion[]>(),
      name: "assertions",
      default: [],
      large: true,
      about: "What the response must be like beside its status.",
      example: [],
      label: "kinds.http.assert.brief",
    },
    { ...daysField, name: "certificate_days" },
  ],
  form: {
    target: ["url"],
    settings: [
      ["method", "expected_status"],
      ...["expected_statuses", "assertions", "headers", "body", "ip_family", "accept_self_signed", "certificate_days"],
    ],
  },
  destination: ({ url }) => URL.parse(url)?.origin,
  target: ({ url }) => url,
  certificateDays: ({ certificate_days }) => certificate_days ?? [],
});
