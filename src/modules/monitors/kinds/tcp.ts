import { t } from "elysia";
import type { FieldError } from "../../../core/errors";
import { probeTcp } from "../../../probe/tcp/probe";
import * as answers from "../../../server/answers";
import { field, oneOf } from "../../../server/schema";
import { defaultDaysIf } from "../../../shared/certificate";
import { LIMITS } from "../../../shared/limits";
import { bytesOf } from "../../../shared/tcp/byte-text";
import { TCP_PRESETS, TCP_TLS, type TcpPreset, type TcpTls, tlsOf } from "../../../shared/tcp/presets";
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

type TcpFields = {
  host: string;
  port: number;
  /** `no` when missing. */
  tls?: TcpTls;
  /** Empty, as when missing, for none. */
  preset?: TcpPreset | "";
  /** Bytes as users write them; empty, as when missing, for none. */
  send?: string;
  expect?: string;
};

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

const problems = (sent: Config): FieldError[] => {
  const errors = hostProblems(sent);
  const refuse = (path: string, message: string | null) => {
    if (message !== null) errors.push({ path, message: `${path}: ${message}` });
  };
  // A mask stands for the stored value.
  if (sent.send !== MASK) refuse("send", byteProblem(sent.send, LIMITS.sentBytes));
  refuse("expect", byteProblem(sent.expect, LIMITS.expectedBytes));
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
        "The service whose answers are understood, without a password. A service that asks for one counts as up.",
        "postgres",
      ),
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
  secrets: { send: { hiddenFrom: "others", mask: (send) => send && MASK } },
  destination: endpointOf,
  target: ({ host, port }) => hostAndPort(host, port),
  host: ({ host }) => hostnameOf(host) ?? host,
  certificateSource: endpointOf,
  certificateDays: ({ tls = "no" }) => defaultDaysIf(tls !== "no"),
  probe: ({ host, port, tls = "no", preset, send = "", expect = "" }, { outbound, ...context }) =>
    probeTcp(
      {
        ...context,
        host: hostnameOf(host) ?? host,
        port,
        tls,
        preset: preset || undefined,
        send: bytesOf(send) ?? new Uint8Array(),
        expect: bytesOf(expect) ?? new Uint8Array(),
      },
      outbound,
    ),
});
