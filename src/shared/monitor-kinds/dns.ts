import { LIMITS } from "../limits";
import { invertedField } from "./common";
import { type Expectation, MAX_EXPECTED, MAX_EXPECTED_LENGTH, RECORD_TYPES } from "./dns-record";
import { type Config, custom, describeKind } from "./field";

export const NAME_EXPECTED = "a host name, or with PTR also an IP address";
export const SERVER_EXPECTED = "an IP address, or one with a port such as 192.0.2.1:53 or [2001:db8::1]:53";

const isReverse = ({ type }: Config) => type === "PTR";

/** The records of a name. */
export const dns = describeKind({
  kind: "dns",
  fields: [
    {
      name: "name",
      type: "text",
      required: true,
      maxLength: LIMITS.host,
      pattern: "\\S",
      expected: NAME_EXPECTED,
      about: "The name that is asked for; with PTR also an IP address.",
      accepts: "A name of at most 253 characters; with PTR an IP address, too.",
      example: "example.com",
      placeholder: (config: Config) => (isReverse(config) ? "192.0.2.1" : "example.com"),
      label: (config: Config) => (isReverse(config) ? "kinds.dns.address" : "kinds.dns.name"),
      inputMode: "url",
    },
    {
      name: "type",
      type: "choice",
      choices: RECORD_TYPES,
      required: true,
      words: "kinds.dns.types",
      about: "The type of the records.",
      accepts: `The type of the records: ${RECORD_TYPES.join(", ")}.`,
      example: "A",
      label: "kinds.dns.type",
    },
    {
      name: "server",
      type: "text",
      maxLength: 64,
      expected: SERVER_EXPECTED,
      nullable: true,
      default: null,
      about: "The name server that is asked; null for the machine's own.",
      accepts:
        "The name server to ask: an IP address with or without a port; null, the default, for those of the machine that Wakeful runs on. For users who may not check private addresses, these answer for public names only.",
      example: "192.0.2.53",
      placeholder: "192.0.2.53",
      label: "kinds.dns.server",
      hint: "kinds.dns.serverHint",
      none: "kinds.dns.ownServers",
      fact: { place: "target" },
    },
    {
      ...custom<Expectation>(),
      name: "expect",
      nullable: true,
      default: null,
      about: `What the records have to be; null, the default, if any will do. \`equals\`: these and no others, in any order; \`contains\`: all of these, beside others; \`any\`: at least one of these. At most ${MAX_EXPECTED} values of ${MAX_EXPECTED_LENGTH} characters. Names are compared without case and last dot; the strings of a TXT record are joined.`,
      example: { op: "contains", values: ["192.0.2.1"] },
      label: "kinds.dns.expect",
      fact: { place: "rules", wide: true },
    },
    invertedField,
  ],
  form: { target: [["name", "type"], "expect"], settings: ["server", "inverted"] },
  up: "kinds.dns.up",
  target: ({ name, type, server }) => `${name} ${type}${server === null ? "" : ` @${server}`}`,
});
