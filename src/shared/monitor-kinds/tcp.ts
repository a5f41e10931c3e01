import { defaultDaysIf } from "../certificate";
import { LIMITS } from "../limits";
import { isLoginPreset, TCP_PRESETS, TCP_SERVICES, TCP_TLS, type TcpTls, tlsOf } from "../tcp/presets";
import { hostField, invertedField, portField } from "./common";
import { type Config, describeKind } from "./field";
import { hostAndPort } from "./host";

const SYNTAX = "UTF-8 text with the escapes \\r, \\n, \\t, \\0, \\\\ and \\xHH, or `hex:` and pairs of digits";
const bytes = (most: number, meaning: string) =>
  `${meaning}: at most ${most.toLocaleString("en-US")} bytes of ${SYNTAX}.`;

const presetOf = ({ preset }: Config) => TCP_PRESETS.find((name) => name === preset);

/** A note about checks of a service. */
const noteOf = ({ preset }: Config) =>
  preset === "ssh" || preset === "mysql" ? (`kinds.tcp.note.${preset}` as const) : undefined;

const usualPort = (config: Config) => {
  const preset = presetOf(config);
  return preset && TCP_SERVICES[preset].ports[config.tls as TcpTls];
};

/** Text of a login, without characters that end it in a protocol. */
const loginText = <const Most extends number>(maxLength: Most) =>
  ({
    maxLength,
    pattern: "^[^\\u0000-\\u001f\\u007f]*$",
    expected: `at most ${maxLength} characters without control characters`,
    when: ({ preset }: Config) => isLoginPreset(preset),
  }) as const;

const endpointOf = ({ host, port, tls = "no" }: { host: string; port: number; tls?: TcpTls }): string =>
  `${hostAndPort(host, port)}${tls === "no" ? "" : " TLS"}`;

/** A TCP port, and the service behind it. */
export const tcp = describeKind({
  kind: "tcp",
  fields: [
    hostField,
    {
      ...portField,
      usual: { of: usualPort, all: TCP_PRESETS.flatMap((preset) => Object.values(TCP_SERVICES[preset].ports)) },
    },
    {
      name: "tls",
      type: "choice",
      choices: TCP_TLS,
      offered: (config: Config) => tlsOf(presetOf(config)),
      words: "kinds.tcp.tls",
      usual: "no",
      about: "How the connection is encrypted: not at all, from the start, or after a command.",
      accepts: "`no`, `direct` for TLS from the start, or `starttls` for a command of the preset; `no` by default.",
      example: "no",
      label: "kinds.tcp.encryption",
      hint: (config: Config, isNew: boolean) => (isNew ? noteOf(config) : undefined),
    },
    {
      name: "preset",
      type: "choice",
      choices: ["", ...TCP_PRESETS],
      names: Object.fromEntries(
        TCP_PRESETS.map((preset) => [preset, TCP_SERVICES[preset].label ?? TCP_SERVICES[preset].name]),
      ),
      isPreset: true,
      usual: "",
      about: "The service whose answers are understood; empty for none.",
      accepts:
        "The service whose answers are understood. Without `user` and `password`, a service that asks for them counts as up.",
      example: "postgres",
      label: "kinds.preset",
      hint: noteOf,
      none: "kinds.tcp.any",
    },
    {
      ...loginText(LIMITS.loginUser),
      name: "user",
      type: "text",
      about: "The user that a check signs in as; empty for the login of the preset.",
      accepts:
        "The user that a check signs in as, with `mysql`, `postgres` and `redis`. The login then has to succeed.",
      example: "wakeful",
      label: "kinds.tcp.user",
      hint: "kinds.tcp.userHint",
    },
    {
      ...loginText(LIMITS.loginPassword),
      name: "password",
      type: "password",
      secret: "others",
      about: "The password of the login; empty for none.",
      accepts: "The password of the login. Redis may have one without a user.",
      example: "correct horse",
      label: "kinds.tcp.password",
      fact: false,
    },
    {
      name: "send",
      type: "bytes",
      most: LIMITS.sentBytes,
      escaped: true,
      // The bytes to send may include a password.
      secret: "others",
      hasEffects: true,
      about: "What is sent on the connection; empty for what the preset says.",
      accepts: bytes(LIMITS.sentBytes, "What is sent instead of what the preset says"),
      example: "PING\\r\\n",
      placeholder: "PING\\r\\n",
      label: "kinds.tcp.send",
      hint: ({ preset }: Config) => (preset ? "kinds.tcp.instead" : "kinds.tcp.bytes"),
      wrong: "kinds.tcp.wrong",
      fact: { place: "content", as: "code", wide: true },
    },
    {
      name: "expect",
      type: "bytes",
      most: LIMITS.expectedBytes,
      escaped: true,
      about: "How the answer must begin; empty for what the preset says.",
      accepts: bytes(LIMITS.expectedBytes, "How the answer must begin, instead of what the preset says"),
      example: "+PONG",
      placeholder: "+PONG",
      label: "kinds.tcp.expect",
      hint: "kinds.tcp.expectHint",
      wrong: "kinds.tcp.wrong",
      fact: { as: "code" },
    },
    invertedField,
  ],
  form: { target: ["preset", ["host", "port"], "tls", "user", "password"], settings: ["send", "expect", "inverted"] },
  facts: ["host", "port", "preset", "user", "tls", "expect", "send", "inverted"],
  presets: ["", "ssh", "ftp", "mqtt"],
  tiles: [
    { name: "mail", presets: ["smtp", "imap", "pop3"] },
    { name: "database", presets: ["postgres", "mysql", "redis"] },
  ],
  destination: endpointOf,
  target: ({ host, port }) => hostAndPort(host, port),
  certificateSource: endpointOf,
  certificateDays: ({ tls = "no" }) => defaultDaysIf(tls !== "no"),
});
