import { defaultDaysIf } from "../certificate";
import { LIMITS } from "../limits";
import { addressField, invertedField } from "./common";
import { describeKind } from "./field";

const bytes = (most: number, meaning: string) => `${meaning}: at most ${most.toLocaleString("en-US")} bytes of UTF-8.`;

/** A server that accepts WebSocket connections, and sends a message as expected. */
export const websocket = describeKind({
  kind: "websocket",
  fields: [
    {
      ...addressField(["ws", "wss"]),
      alias: "http",
      refused: ({ hash }: URL) => (hash === "" ? null : "expected no fragment"),
      secret: "readers",
      about: "The address that is connected to.",
      example: "wss://example.com/live",
      placeholder: "wss://example.com/live",
      label: "kinds.websocket.address",
      wrong: "kinds.websocket.wrong",
    },
    {
      name: "subprotocol",
      type: "text",
      maxLength: 100,
      pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]*$",
      expected: "the name of one subprotocol, of at most 100 characters",
      about: "The subprotocol that is offered, and must be accepted; empty for none.",
      accepts: "The subprotocol that is offered, and must be accepted.",
      example: "graphql-ws",
      placeholder: "graphql-transport-ws",
      label: "kinds.websocket.subprotocol",
      hint: "kinds.websocket.subprotocolHint",
      wrong: "kinds.websocket.oneName",
      fact: { place: "target" },
    },
    {
      name: "send",
      type: "bytes",
      most: LIMITS.sentBytes,
      rows: 2,
      // A message may hold a token.
      secret: "others",
      hasEffects: true,
      about: "The message that is sent; empty for none.",
      accepts: bytes(LIMITS.sentBytes, "A message that is sent as text"),
      example: '{"type":"ping"}',
      placeholder: '{"type":"ping"}',
      label: "kinds.websocket.send",
      wrong: "kinds.websocket.tooLong",
      fact: { place: "content", as: "body", wide: true },
    },
    {
      name: "expect",
      type: "bytes",
      most: LIMITS.expectedBytes,
      about: "A text that one message must contain; empty to wait for none.",
      accepts: bytes(LIMITS.expectedBytes, "A text that one message of the server must contain"),
      example: "pong",
      placeholder: "pong",
      label: "kinds.websocket.expect",
      hint: "kinds.websocket.expectHint",
      wrong: "kinds.websocket.tooLong",
      fact: { as: "code" },
    },
    invertedField,
  ],
  form: { target: ["url"], settings: ["send", "expect", "subprotocol", "inverted"] },
  destination: ({ url }) => URL.parse(url)?.origin,
  target: ({ url }) => url,
  certificateDays: ({ url }) => defaultDaysIf(URL.parse(url)?.protocol === "wss:"),
});
