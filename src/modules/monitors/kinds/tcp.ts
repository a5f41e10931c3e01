import { t } from "elysia";
import type { FieldError } from "../../../core/errors";
import { probeTcp } from "../../../probe/tcp/probe";
import * as answers from "../../../server/answers";
import { field, oneOf } from "../../../server/schema";
import { defaultDaysIf } from "../../../shared/certificate";
import { LIMITS } from "../../../shared/limits";
import { bytesOf } from "../../../shared/tcp/byte-text";
import { isLoginPreset, TCP_PRESETS, TCP_TLS, type TcpFields, type TcpTls, tlsOf } from "../../../shared/tcp/presets";
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
import { type Config, defineKind, MASK } from "./kind";

const SYNTAX = "UTF-8 text with the escapes \\r, \\n, \\t, \\0, \\\\ and \\xHH, or `hex:` and pairs of digits";

const byteText = (limit: number, description: string, example: string) =>
  t.Optional(
    field(
      // Four characters may stand for one byte.
      t.String({ maxLength: 5 * limit, error: `expected at most ${limit} bytes` }),
      `${description}: at most ${limit.toLocaleString("en-US")} bytes of ${SYNTAX}.`,
      example,
    ),
  );

/** What is wrong with a text that stands for bytes, or null. */
const byteProblem = (text: unknown, limit: number): string | null => {
  if (typeof text !== "string") return null;
  const bytes = bytesOf(text);
  if (bytes === null)
    return /^hex:/i.test(text)
      ? "expected pairs of hexadecimal digits after hex:"
      : "expected only the escapes \\r, \\n, \\t, \\0, \\\\ and \\xHH after a backslash";
  return bytes.length > limit ? `expected at most ${limit} bytes` : null;
};

/** Text of a login, without characters that end it in a protocol. */
const loginText = (limit: number, description: string, example: string) =>
  t.Optional(
    field(
      t.String({
        maxLength: limit,
        pattern: "^[^\\u0000-\\u001f\\u007f]*$",
        error: `expected at most ${limit} characters without control characters`,
      }),
      description,
      example,
    ),
  );

/** What is wrong with a login, with the name of the field. */
const loginProblem = ({ preset, user = "", password = "" }: Config): [path: string, message: string] | null => {
  if (user === "" && password === "") return null;
  if (!isLoginPreset(preset))
    return [user === "" ? "password" : "user", "expected only with the preset mysql, postgres or redis"];
  if (preset !== "redis" && user === "") return ["user", "expected the user of the password"];
  return preset === "redis" && password === "" ? ["password", "expected the password of the user"] : null;
};

const problems = (sent: Config): FieldError[] => {
  const errors = hostProblems(sent);
  const refuse = (path: string, message: string | null) => {
    if (message !== null) errors.push({ path, message: `${path}: ${message}` });
  };
  // A mask stands for the stored value.
  if (sent.send !== MASK) refuse("send", byteProblem(sent.send, LIMITS.sentBytes));
  refuse("expect", byteProblem(sent.expect, LIMITS.expectedBytes));
  const login = loginProblem(sent);
  if (login) refuse(...login);
  const preset = TCP_PRESETS.find((name) => name === sent.preset);
  const choices = tlsOf(preset);
  // An unknown preset is refused by the schema.
  if (sent.tls !== undefined && (preset || !sent.preset) && !choices.includes(sent.tls as TcpTls))
    refuse("tls", `expected ${choices.join(" or ")}${preset ? "" : " without a preset"}`);
  return errors;
};

/** Where a monitor connects to, and whether with TLS. */
const endpointOf = ({ host, port, tls = "no" }: TcpFields): string =>
  `${hostAndPort(host, port)}${tls === "no" ? "" : " TLS"}`;

/** Checks that a TCP port accepts connections, and that the service behind it answers as expected. */
export const tcp = defineKind<TcpFields>({
  kind: "tcp",
  config: answers.object({
    host: hostAnswer,
    port: portAnswer,
    tls: answers.optional(
      answers.oneOf("How the connection is encrypted: not at all, from the start, or after a command.", TCP_TLS),
    ),
    preset: answers.optional(
      answers.oneOf("The service whose answers are understood; empty for none.", ["", ...TCP_PRESETS]),
    ),
    user: answers.optional(
      answers.text("The user that a check signs in as; empty for the login of the preset.", "wakeful"),
    ),
    password: answers.optional(answers.text("The password of the login; empty for none.", "correct horse")),
    send: answers.optional(
      answers.text("What is sent on the connection; empty for what the preset says.", "PING\\r\\n"),
    ),
    expect: answers.optional(answers.text("How the answer must begin; empty for what the preset says.", "+PONG")),
  }),
  sent: t.Object({
    host: hostField,
    port: portField,
    tls: t.Optional(
      field(
        oneOf(TCP_TLS),
        "`no`, `direct` for TLS from the start, or `starttls` for a command of the preset; `no` by default.",
        "no",
      ),
    ),
    preset: t.Optional(
      field(
        oneOf(["", ...TCP_PRESETS]),
        "The service whose answers are understood. Without `user` and `password`, a service that asks for them counts as up.",
        "postgres",
      ),
    ),
    user: loginText(
      LIMITS.loginUser,
      "The user that a check signs in as, with `mysql`, `postgres` and `redis`. The login then has to succeed.",
      "wakeful",
    ),
    password: loginText(
      LIMITS.loginPassword,
      "The password of the login. Redis may have one without a user.",
      "correct horse",
    ),
    send: byteText(LIMITS.sentBytes, "What is sent instead of what the preset says", "PING\\r\\n"),
    expect: byteText(LIMITS.expectedBytes, "How the answer must begin, instead of what the preset says", "+PONG"),
  }),
  defaults: {},
  problems,
  parse: (valid) => {
    const { host, ...rest } = valid as TcpFields;
    return { ...rest, host: withoutBrackets(host) };
  },
  // What is sent may hold a password.
  secrets: {
    send: { hiddenFrom: "others", mask: (send) => send && MASK },
    password: { hiddenFrom: "others", mask: (password) => password && MASK },
  },
  destination: endpointOf,
  target: ({ host, port }) => hostAndPort(host, port),
  host: ({ host }) => hostnameOf(host) ?? host,
  certificateSource: endpointOf,
  certificateDays: ({ tls = "no" }) => defaultDaysIf(tls !== "no"),
  probe: (
    { host, port, tls = "no", preset, user = "", password = "", send = "", expect = "" },
    { outbound, ...context },
  ) =>
    probeTcp(
      {
        ...context,
        host: hostnameOf(host) ?? host,
        port,
        tls,
        preset: preset || undefined,
        login: user || password ? { user, password } : undefined,
        send: bytesOf(send) ?? new Uint8Array(),
        expect: bytesOf(expect) ?? new Uint8Array(),
      },
      outbound,
    ),
});
