import { isIPv4, type Socket } from "node:net";
import { checkError } from "../../shared/check-error";
import type { StarttlsProtocol } from "../../shared/monitor";
import { CheckFailed } from "../outcome";

/** Bytes that a server may send before TLS begins. */
const MAX_ANSWER = 16_384;

/** How an answer is recognized: by its start, and by its last part, such as a line that starts with `220 `. */
type Form = { first: RegExp; last: RegExp };

/** One command, or none for the greeting, and the answers to it. */
type Step = {
  send?: string | Uint8Array;
  form: Form;
  /** What the whole answer must match. */
  expect: RegExp;
  /** The error of another answer. */
  otherwise: "tls_no_starttls" | "protocol_mismatch";
};

const greeting = (form: Form, expect: RegExp): Step => ({ form, expect, otherwise: "protocol_mismatch" });
const command = (send: string | Uint8Array, form: Form, expect: RegExp): Step => ({
  send,
  form,
  expect,
  otherwise: "tls_no_starttls",
});

/** Lines with a number of three digits, as SMTP and FTP have them; the last one has no hyphen after it. */
const NUMBERED: Form = { first: /^\d{3}/, last: /^\d{3}(?: .*)?\r?\n/m };
const TAGGED: Form = { first: /^(?:a1|\*) /i, last: /^(?:a1|\* BYE).*\r?\n/im };
const LINE: Form = { first: /^/, last: /\n/ };
const BYTE: Form = { first: /^/, last: /^[\s\S]/ };

/** SSLRequest: the length, and 1234 and 5679 in place of a version. */
const SSL_REQUEST = Uint8Array.of(0, 0, 0, 8, 4, 210, 22, 47);

/** The name that an SMTP client without a domain gives itself. */
const clientName = ({ localAddress = "127.0.0.1" }: Socket) =>
  isIPv4(localAddress) ? `[${localAddress}]` : `[IPv6:${localAddress}]`;

/** `bye` is the command that ends a session. */
type Dialogue = { name: string; steps: (socket: Socket) => Step[]; bye: string };

const DIALOGUES: Record<StarttlsProtocol, Dialogue> = {
  smtp: {
    name: "SMTP",
    steps: (socket) => [
      greeting(NUMBERED, /^220/),
      command(`EHLO ${clientName(socket)}\r\n`, NUMBERED, /^250[ -]STARTTLS\r?$/im),
      command("STARTTLS\r\n", NUMBERED, /^220/),
    ],
    bye: "QUIT\r\n",
  },
  imap: {
    name: "IMAP",
    steps: () => [greeting(LINE, /^\* OK/i), command("a1 STARTTLS\r\n", TAGGED, /^a1 OK/im)],
    bye: "a2 LOGOUT\r\n",
  },
  pop3: {
    name: "POP3",
    steps: () => [greeting(LINE, /^\+OK/), command("STLS\r\n", LINE, /^\+OK/)],
    bye: "QUIT\r\n",
  },
  ftp: {
    name: "FTP",
    steps: () => [greeting(NUMBERED, /^220/), command("AUTH TLS\r\n", NUMBERED, /^234/)],
    bye: "QUIT\r\n",
  },
  postgres: { name: "PostgreSQL", steps: () => [command(SSL_REQUEST, BYTE, /^S/)], bye: "" },
};

/** Sends a command and reads until the answer is complete, which is Latin-1 text. */
const exchange = (socket: Socket, { send, form }: Step, signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = "";
    const settle = () => {
      signal.removeEventListener("abort", onAbort);
      socket.off("data", onData).off("error", onError).off("close", onClose).pause();
    };
    const onError = (reason: unknown) => {
      settle();
      reject(reason);
    };
    const onAbort = () => onError(signal.reason);
    const onClose = () => onError(Object.assign(new Error("closed"), { code: "ECONNRESET" }));
    const onData = (chunk: Buffer) => {
      answer += chunk.toString("latin1");
      // Of a server of another protocol, no last line is awaited.
      const isForeign = answer.includes("\n") && !form.first.test(answer);
      if (!form.last.test(answer) && !isForeign && answer.length < MAX_ANSWER) return;
      settle();
      resolve(answer);
    };
    socket.on("data", onData).on("error", onError).on("close", onClose).resume();
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    else if (socket.destroyed) onClose();
    else if (send !== undefined) socket.write(send);
  });

/** The command that ends a session, empty if there is none. */
export const farewellOf = (protocol: StarttlsProtocol): string => DIALOGUES[protocol].bye;

/** Whether nothing follows the last part of an answer. */
const isComplete = (answer: string, { last }: Form): boolean => {
  const match = last.exec(answer);
  return match !== null && match.index + match[0].length === answer.length;
};

/**
 * Asks a server to begin TLS on a new connection, which `upgrade` then does. The caller closes the socket after an error.
 * @throws {CheckFailed}, the error of the connection, or the signal's reason
 */
export const startTls = async (socket: Socket, protocol: StarttlsProtocol, signal: AbortSignal): Promise<void> => {
  const { name, steps } = DIALOGUES[protocol];
  socket.on("error", () => {});
  for (const step of steps(socket)) {
    const answer = await exchange(socket, step, signal);
    const mismatch = checkError("protocol_mismatch", { protocol: name });
    // Text after the answer would be read as if it had come over TLS.
    if (!isComplete(answer, step.form)) throw new CheckFailed(mismatch);
    if (step.expect.test(answer)) continue;
    if (step.otherwise === "tls_no_starttls") throw new CheckFailed(checkError("tls_no_starttls"));
    const refused = /^[45]\d\d/.exec(answer)?.[0];
    throw new CheckFailed(refused ? checkError("protocol_error", { protocol: name, code: refused }) : mismatch);
  }
};
