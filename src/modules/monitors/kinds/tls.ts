import { t } from "elysia";
import type { FieldError } from "../../../core/errors";
import { plainFingerprint } from "../../../probe/tls/certificate";
import { probeTls } from "../../../probe/tls/probe";
import { nullable, object, oneOf, text } from "../../../server/answers";
import { field } from "../../../server/schema";
import { DEFAULT_CERTIFICATE_DAYS, sortedDays } from "../../../shared/certificate";
import { LIMITS } from "../../../shared/limits";
import { STARTTLS_PROTOCOLS, type StarttlsProtocol } from "../../../shared/monitor";
import { daysAnswer, daysField } from "./certificate";
import {
  hostAndPort,
  hostAnswer,
  hostField,
  hostnameOf,
  hostProblems,
  portAnswer,
  portField,
  withoutBrackets,
} from "./host";
import { type Config, defineKind } from "./kind";

type TlsFields = {
  host: string;
  port: number;
  starttls: StarttlsProtocol | null;
  server_name: string | null;
  fingerprint: string | null;
  days: number[];
};

const FINGERPRINT = "expected the SHA-256 fingerprint of a certificate: 64 hexadecimal digits, with or without colons";
const SERVER_NAME = "expected a host name";

const config = object({
  host: hostAnswer,
  port: portAnswer,
  starttls: nullable(
    oneOf("The protocol whose command begins TLS; null for TLS from the start.", STARTTLS_PROTOCOLS),
    null,
  ),
  server_name: nullable(
    text("The name that the certificate must have; null for that of the host.", "mail.example.com"),
    null,
  ),
  fingerprint: nullable(
    text(
      "SHA-256 of the certificate that is accepted without a trusted issuer or a name, in hexadecimal digits; null to verify both.",
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ),
    null,
  ),
  days: daysAnswer,
});

const sent = t.Object({
  host: hostField,
  port: portField,
  starttls: t.Optional(
    field(
      t.Union([...STARTTLS_PROTOCOLS.map((name) => t.Literal(name)), t.Null()], {
        error: `expected one of ${STARTTLS_PROTOCOLS.join(", ")}, or null`,
      }),
      `The protocol whose command begins TLS: ${STARTTLS_PROTOCOLS.join(", ")}; null, as by default, for TLS from the start.`,
      "smtp",
    ),
  ),
  server_name: t.Optional(
    field(
      t.Union([t.String({ maxLength: LIMITS.host }), t.Null()], { error: SERVER_NAME }),
      "The name that the server is asked for and that its certificate must have, if it is not that of the host.",
    ),
  ),
  fingerprint: t.Optional(
    field(
      t.Union([t.String({ maxLength: 200 }), t.Null()], { error: FINGERPRINT }),
      "SHA-256 of the certificate, in 64 hexadecimal digits with or without colons: it is then accepted without a trusted issuer or a name, until it expires.",
    ),
  ),
  days: t.Optional(daysField),
});

const isGiven = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

const problems = (given: Config): FieldError[] => {
  const { server_name, fingerprint } = given;
  const problem = (path: string, message: string) => [{ path, message: `${path}: ${message}` }];
  return [
    ...hostProblems(given),
    ...(isGiven(server_name) && hostnameOf(server_name) === null ? problem("server_name", SERVER_NAME) : []),
    ...(isGiven(fingerprint) && !/^[\da-f]{64}$/.test(plainFingerprint(fingerprint.trim()))
      ? problem("fingerprint", FINGERPRINT)
      : []),
  ];
};

/** Trims a text; null for an empty one, undefined for a field that was left out. */
const textOrNull = (value: string | null | undefined) => (value === undefined ? undefined : value?.trim() || null);

const parse = (valid: Config): Partial<TlsFields> => {
  const { host = "", days, ...rest } = valid as Partial<TlsFields>;
  const fingerprint = textOrNull(rest.fingerprint);
  return {
    ...rest,
    host: withoutBrackets(host),
    server_name: textOrNull(rest.server_name),
    fingerprint: fingerprint && plainFingerprint(fingerprint),
    days: days && sortedDays(days),
  };
};

/** Checks the certificate of a port, whatever is spoken there. */
export const tls = defineKind<TlsFields>({
  kind: "tls",
  config,
  sent,
  defaults: { starttls: null, server_name: null, fingerprint: null, days: [...DEFAULT_CERTIFICATE_DAYS] },
  problems,
  parse,
  target: ({ host, port, server_name }) => `${hostAndPort(host, port)}${server_name ? ` (${server_name})` : ""}`,
  host: ({ host }) => hostnameOf(host) ?? host,
  certificateDays: ({ days }) => days,
  probe: ({ host, port, starttls, server_name, fingerprint }, { outbound, ...context }) =>
    probeTls(
      {
        ...context,
        host: hostnameOf(host) ?? host,
        port,
        starttls,
        serverName: server_name && hostnameOf(server_name),
        fingerprint,
      },
      outbound,
    ),
});
