import { checkError } from "../../shared/check-error";
import { type ConnectionTarget, type Conversation, type Found, probeConnection } from "../connection/connection";
import { type Step, takeSteps, type Verdict } from "../connection/dialogue";
import type { Outbound } from "../outbound";
import { CheckFailed, type Outcome } from "../outcome";
import { endpointOf } from "../url";
import { closeFrame, createMessageReader, textFrame } from "./frames";
import { afterHead, handshake } from "./handshake";

/** The parameters of one WebSocket connection. */
export type WebSocketTarget = Omit<ConnectionTarget, "host" | "port"> & {
  /** A ws or wss address. */
  url: string;
  /** The offered subprotocol, which must be accepted; empty to offer none. */
  subprotocol: string;
  /** A text that is sent as a message; empty for none. */
  send: string;
  /** A text that one message must contain; empty to wait for none. */
  expect: string;
};

/**
 * Waits for a message that has the expected text; null when it is among the bytes that came with the handshake.
 * @throws {CheckFailed} when they show that it will not come
 */
const listenFor = (expected: string, early: Buffer, onOther: () => void): Step | null => {
  const mismatch = checkError("websocket_mismatch");
  const read = createMessageReader();
  const judge = (answer: Buffer): Verdict => {
    const { messages, isClosed, isValid } = read(Buffer.concat([early, answer]));
    if (messages.some((message) => message.includes(expected))) return "ok";
    if (!isValid) return checkError("websocket_invalid");
    if (messages.length > 0) onOther();
    return isClosed ? mismatch : "more";
  };
  const verdict = judge(Buffer.alloc(0));
  if (typeof verdict === "object") throw new CheckFailed(verdict);
  return verdict === "more" ? { undecided: mismatch, judge } : null;
};

/**
 * Opens a WebSocket connection, sends a message and waits for one, if asked for, and closes it.
 * @throws {LocalFailure} when the hub itself could not connect, which says nothing about the target
 */
export const probeWebSocket = (target: WebSocketTarget, outbound: Outbound): Promise<Outcome> => {
  const { subprotocol, send, expect } = target;
  const url = new URL(target.url);
  const { host, port, isSecure } = endpointOf(url);
  const details: Found = { statusCode: null, certExpiresAt: null };
  const conversation: Conversation = {
    tls: isSecure ? { alpnProtocols: ["http/1.1"] } : null,
    talk: async (socket, signal) => {
      const onStatus = (status: number) => {
        details.statusCode = status;
      };
      const answer = await takeSteps(socket, [handshake(url, subprotocol, onStatus)], signal);
      if (send) await takeSteps(socket, [{ send: textFrame(send) }], signal);
      let hasOther = false;
      const step = expect
        ? listenFor(expect, afterHead(answer), () => {
            hasOther = true;
          })
        : null;
      if (step)
        await takeSteps(socket, [step], signal).catch((error) => {
          throw hasOther && signal.aborted ? new CheckFailed(checkError("websocket_mismatch")) : error;
        });
      return { farewell: closeFrame() };
    },
  };
  return probeConnection({ ...target, host, port }, conversation, outbound, details);
};
