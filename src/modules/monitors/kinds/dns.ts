import { t } from "elysia";
import type { FieldError } from "../../../core/errors";
import { parseNameServer, probeDns } from "../../../probe/dns-record/dns-record";
import { expectedText, queryName } from "../../../probe/dns-record/expectation";
import * as answers from "../../../server/answers";
import { field, oneOf } from "../../../server/schema";
import { dns as description, NAME_EXPECTED, SERVER_EXPECTED } from "../../../shared/monitor-kinds/dns";
import {
  EXPECT_OPS,
  type Expectation,
  MAX_EXPECTED,
  MAX_EXPECTED_LENGTH,
  RECORD_TYPES,
  type RecordType,
} from "../../../shared/monitor-kinds/dns-record";
import type { Config } from "../../../shared/monitor-kinds/field";
import { defineKind } from "./kind";

/** The expectable values of each record type. */
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

const expectSent = t.Union(
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
);

const problems = ({ name, type, server, expect }: Config): FieldError[] => {
  const errors: FieldError[] = [];
  const refuse = (path: string, message: string) => errors.push({ path, message: `${path}: ${message}` });
  const recordType = RECORD_TYPES.find((known) => known === type);
  if (typeof name === "string" && recordType && queryName(name, recordType) === null)
    refuse("name", `expected ${NAME_EXPECTED}`);
  if (typeof server === "string" && server.trim() !== "" && parseNameServer(server) === null)
    refuse("server", `expected ${SERVER_EXPECTED}`);
  const values: unknown = Object(expect).values;
  if (!recordType || !Array.isArray(values)) return errors;
  const bad = values.findIndex((value) => typeof value === "string" && expectedText(value, recordType) === null);
  if (bad >= 0) refuse("expect", `value ${bad + 1}: expected ${VALUES[recordType]}`);
  return errors;
};

/** Checks that a name has DNS records of a type, and that they are the expected ones. */
export const dns = defineKind(description, {
  schemas: { expect: { sent: expectSent, answered: answers.nullable(expectAnswer) } },
  problems,
  parse: (read) => {
    const expect = read.expect as Expectation | null | undefined;
    return { ...read, expect: expect && { op: expect.op, values: expect.values.map((value) => value.trim()) } };
  },
  host: ({ name, type, server }) =>
    server === null ? (queryName(name, type) ?? name) : (parseNameServer(server)?.address ?? server),
  probe: (fields, { outbound, ...context }) => probeDns({ ...fields, ...context }, outbound),
});
