import { DEFAULT_DOMAIN_DAYS } from "../certificate";
import { domainNameOf, plainDomain } from "../domains/domain-name";
import { LIMITS } from "../limits";
import { daysField } from "./common";
import { describeKind } from "./field";

/** The registration of a domain. */
export const domain = describeKind({
  kind: "domain",
  fields: [
    {
      name: "domain",
      type: "text",
      maxLength: LIMITS.url,
      isValid: (text: string) => domainNameOf(text) !== null,
      plain: plainDomain,
      expected: "a domain name such as example.com",
      required: true,
      about: "The domain. Of a name below a domain, such as www.example.com, the registered domain is watched.",
      example: "example.com",
      placeholder: "example.com",
      label: "kinds.domain.domain",
      wrong: "kinds.domain.wrong",
      inputMode: "url",
      fact: { place: "target" },
    },
    {
      ...daysField,
      name: "days",
      default: DEFAULT_DOMAIN_DAYS,
      about: "How many days before the domain expires an alert is sent, the longest first; empty for never.",
      accepts: daysField.accepts
        .replace("certificate", "domain")
        .replace(daysField.default.join(", "), DEFAULT_DOMAIN_DAYS.join(", ")),
      example: DEFAULT_DOMAIN_DAYS,
      label: "kinds.domain.days",
      hint: "kinds.domain.daysHint",
    },
  ],
  form: { target: ["domain"], settings: ["days"] },
  up: "kinds.domain.up",
  leastInterval: 3600,
  expires: "domain",
  isCertificate: true,
  target: ({ domain }) => domain,
  certificateDays: ({ days }) => days ?? [],
});
