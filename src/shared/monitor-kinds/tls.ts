import { plainFingerprint } from "../certificate";
import { LIMITS } from "../limits";
import { STARTTLS_PROTOCOLS } from "../monitor";
import { daysField, hostField, portField } from "./common";
import { describeKind } from "./field";
import { hostAndPort, hostnameOf } from "./host";

/** The usual port of each protocol, and of TLS from the start. */
const PORTS: Readonly<Record<string, number>> = { "": 443, smtp: 587, imap: 143, pop3: 110, ftp: 21, postgres: 5432 };

/** The certificate of a port with any protocol. */
export const tls = describeKind({
  kind: "tls",
  fields: [
    hostField,
    { ...portField, usual: { of: ({ starttls }) => PORTS[String(starttls)], all: Object.values(PORTS) } },
    {
      name: "starttls",
      type: "choice",
      choices: STARTTLS_PROTOCOLS,
      words: "kinds.tls.after",
      nullable: true,
      default: null,
      about: "The protocol whose command begins TLS; null for TLS from the start.",
      accepts: `The protocol whose command begins TLS: ${STARTTLS_PROTOCOLS.join(", ")}; null, as by default, for TLS from the start.`,
      example: "smtp",
      answered: null,
      label: "kinds.tls.begin",
      none: "kinds.tls.direct",
    },
    {
      name: "server_name",
      type: "text",
      maxLength: LIMITS.host,
      isValid: (name: string) => hostnameOf(name) !== null,
      expected: "a host name",
      nullable: true,
      default: null,
      about: "The name that the certificate must have; null for that of the host.",
      accepts:
        "The name that the server is asked for and that its certificate must have, if it is not that of the host.",
      example: "mail.example.com",
      answered: null,
      rare: true,
      placeholder: "mail.example.com",
      label: "kinds.tls.serverName",
      hint: "kinds.tls.serverNameHint",
    },
    {
      name: "fingerprint",
      type: "text",
      maxLength: 200,
      isValid: (text: string) => /^[\da-f]{64}$/.test(plainFingerprint(text.trim())),
      plain: plainFingerprint,
      expected: "the SHA-256 fingerprint of a certificate: 64 hexadecimal digits, with or without colons",
      nullable: true,
      default: null,
      about:
        "SHA-256 of the certificate that is accepted without a trusted issuer or a name, in hexadecimal digits; null to verify both.",
      accepts:
        "SHA-256 of the certificate, in 64 hexadecimal digits with or without colons: it is then accepted without a trusted issuer or a name, until it expires.",
      example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      answered: null,
      rare: true,
      label: "kinds.tls.fingerprint",
      hint: "kinds.tls.fingerprintHint",
      fact: { as: "code", wide: true },
    },
    { ...daysField, name: "days" },
  ],
  form: { target: [["host", "port"], "starttls"], settings: ["days", "server_name", "fingerprint"] },
  isCertificate: true,
  target: ({ host, port, server_name }) => `${hostAndPort(host, port)}${server_name ? ` (${server_name})` : ""}`,
  certificateDays: ({ days }) => days ?? [],
});
