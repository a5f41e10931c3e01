import { t } from "elysia";
import type { FieldError } from "../../../core/errors";
import { probeWebSocket } from "../../../probe/websocket/probe";
import { object, optional, text } from "../../../server/answers";
import { field } from "../../../server/schema";
import { defaultDaysIf } from "../../../shared/certificate";
import { LIMITS } from "../../../shared/limits";
import { addressField, addressProblems, hostOfAddress } from "./address";
import { type Config, defineKind, MASK, maskUrl } from "./kind";

type WebSocketFields = {
  url: string;
  /** Empty, as when missing, for none. */
  subprotocol?: string;
  send?: string;
  expect?: string;
};

const messageField = (limit: number, description: string, example: string) =>
  t.Optional(
    field(
      t.String({ maxLength: limit, error: `expected a text of at most ${limit} bytes` }),
      `${description}: at most ${limit.toLocaleString("en-US")} bytes of UTF-8.`,
      example,
    ),
  );

const problems = (sent: Config): FieldError[] => {
  const errors = addressProblems(sent, "ws", "wss", ({ hash }) => (hash === "" ? null : "expected no fragment"));
  for (const [path, limit] of [
    ["send", LIMITS.sentBytes],
    ["expect", LIMITS.expectedBytes],
  ] as const) {
    const value = sent[path];
    if (typeof value === "string" && Buffer.byteLength(value) > limit)
      errors.push({ path, message: `${path}: expected a text of at most ${limit} bytes` });
  }
  return errors;
};

/** Checks that a server accepts WebSocket connections, and that it sends a message as expected. */
export const websocket = defineKind<WebSocketFields>({
  kind: "websocket",
  config: object({
    url: text("The address that is connected to.", "wss://example.com/live"),
    subprotocol: optional(text("The subprotocol that is offered, and must be accepted; empty for none.", "graphql-ws")),
    send: optional(text("The message that is sent; empty for none.", '{"type":"ping"}')),
    expect: optional(text("A text that one message must contain; empty to wait for none.", "pong")),
  }),
  sent: t.Object({
    url: addressField("ws", "wss", "wss://example.com/live"),
    subprotocol: t.Optional(
      field(
        t.String({
          maxLength: 100,
          pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]*$",
          error: "expected the name of one subprotocol, of at most 100 characters",
        }),
        "The subprotocol that is offered, and must be accepted.",
        "graphql-ws",
      ),
    ),
    send: messageField(LIMITS.sentBytes, "A message that is sent as text", '{"type":"ping"}'),
    expect: messageField(LIMITS.expectedBytes, "A text that one message of the server must contain", "pong"),
  }),
  defaults: {},
  problems,
  parse: (valid) => {
    const { url, ...rest } = valid as WebSocketFields;
    return { ...rest, url: url.trim() };
  },
  // A message may hold a token.
  secrets: {
    send: { hiddenFrom: "others", mask: (send) => send && MASK },
    url: { hiddenFrom: "readers", mask: maskUrl },
  },
  destination: ({ url }) => URL.parse(url)?.origin,
  target: ({ url }) => url,
  host: ({ url }) => hostOfAddress(url),
  certificateDays: ({ url }) => defaultDaysIf(URL.parse(url)?.protocol === "wss:"),
  probe: ({ subprotocol = "", send = "", expect = "", url }, { outbound, ...context }) =>
    probeWebSocket({ ...context, url, subprotocol, send, expect }, outbound),
});
