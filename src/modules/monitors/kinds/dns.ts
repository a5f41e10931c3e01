import { t } from "elysia";
import type { FieldError } from "../../../core/errors";
import { parseNameServer, probeDns } from "../../../probe/dns-record/dns-record";
import { expectedText, queryName } from "../../../probe/dns-record/expectation";
import * as answers from "../../../server/answers";
import { field, oneOf } from "../../../server/schema";
import {
  EXPECT_OPS,
  type Expectation,
  MAX_EXPECTED,
  MAX_EXPECTED_LENGTH,
  RECORD_TYPES,
  type RecordType,
} from "../../../shared/dns-record";
import { LIMITS } from "../../../shared/limits";
import { type Config, defineKind } from "./kind";

type DnsFields = { name: string; type: RecordType; server: string | null; expect: Expectation | null };

const NAME = "expected a host name, or with PTR also an IP address";
const SERVER = "expected an IP address, or one with a port such as 192.0.2.1:53 or [2001:db8::1]:53";

/** What the records of each type may be expected to be. */
const VALUES: Record<RecordType, string> = {
  A: "an IPv4 address",
  AAAA: "an IPv6 address",
  CNAME: "a host name",
  MX: "a host name, or a priority and a host name",
  NS: "a host name",
  TXT: "a text",
  SRV: "a host name, a host name with a port, or priority, weight, port and host name",
  SOA: "the primary name server, or all seven fields",
  CAA: "a value such as letsencrypt.org, or flags, tag and value",
  PTR: "a host name",
};

const expectAnswer = answers.object({
  op: answers.oneOf("How the records are compared with the values.", EXPECT_OPS),
  values: answers.list(answers.text("An expected record.", "192.0.2.1"), "The expected records."),
});

const sent = t.Object({
  name: field(
    t.String({ maxLength: LIMITS.host, pattern: "\\S", error: NAME }),
    "A name of at most 253 characters; with PTR an IP address, too.",
    "example.com",
  ),
  type: field(oneOf(RECORD_TYPES), `The type of the records: ${RECORD_TYPES.join(", ")}.`, "A"),
  server: t.Optional(
    field(
      t.Union([t.String({ maxLength: 64 }), t.Null()], { error: SERVER }),
      "The name server to ask: an IP address with or without a port; null, the default, for those of the machine that Wakeful runs on. For users who may not check private addresses, these answer for public names only.",
      "192.0.2.53",
    ),
  ),
  expect: t.Optional(
    field(
      t.Union(
        [
          t.Object({
            op: field(oneOf(EXPECT_OPS), "How the records are compared with the values."),
            values: t.Array(t.String({ maxLength: MAX_EXPECTED_LENGTH }), { minItems: 1, maxItems: MAX_EXPECTED }),
          }),
          t.Null(),
        ],
        {
          error: `expected an op (${EXPECT_OPS.join(", ")}) and 1 to ${MAX_EXPECTED} values of at most ${MAX_EXPECTED_LENGTH} characters`,
        },
      ),
      `What the records have to be; null, the default, if any will do. \`equals\`: these and no others, in any order; \`contains\`: all of these, beside others; \`any\`: at least one of these. At most ${MAX_EXPECTED} values of ${MAX_EXPECTED_LENGTH} characters. Names are compared without case and last dot; the strings of a TXT record are joined.`,
      { op: "contains", values: ["192.0.2.1"] },
    ),
  ),
});

const problems = ({ name, type, server, expect }: Config): FieldError[] => {
  const errors: FieldError[] = [];
  const refuse = (path: string, message: string) => errors.push({ path, message: `${path}: ${message}` });
  const recordType = RECORD_TYPES.find((known) => known === type);
  if (typeof name === "string" && recordType && queryName(name, recordType) === null) refuse("name", NAME);
  if (typeof server === "string" && server.trim() !== "" && parseNameServer(server) === null) refuse("server", SERVER);
  const values: unknown = Object(expect).values;
  if (!recordType || !Array.isArray(values)) return errors;
  const bad = values.findIndex((value) => typeof value === "string" && expectedText(value, recordType) === null);
  if (bad >= 0) refuse("expect", `value ${bad + 1}: expected ${VALUES[recordType]}`);
  return errors;
};

/** Checks that a name has DNS records of a type, and that they are the expected ones. */
export const dns = defineKind<DnsFields>({
  kind: "dns",
  config: answers.object({
    name: answers.text("The name that is asked for; with PTR also an IP address.", "example.com"),
    type: answers.oneOf("The type of the records.", RECORD_TYPES),
    server: answers.nullable(answers.text("The name server that is asked; null for the machine's own.", "192.0.2.53")),
    expect: answers.nullable(expectAnswer),
  }),
  sent,
  defaults: { server: null, expect: null },
  problems,
  parse: (valid) => {
    const { name, type, server, expect } = valid as Partial<DnsFields>;
    return {
      name: name?.trim(),
      type,
      server: server === undefined ? undefined : server?.trim() || null,
      expect: expect && { op: expect.op, values: expect.values.map((value) => value.trim()) },
    };
  },
  target: ({ name, type, server }) => `${name} ${type}${server === null ? "" : ` @${server}`}`,
  host: ({ name, type, server }) =>
    server === null ? (queryName(name, type) ?? name) : (parseNameServer(server)?.address ?? server),
  probe: (fields, { outbound, ...context }) => probeDns({ ...fields, ...context }, outbound),
});
