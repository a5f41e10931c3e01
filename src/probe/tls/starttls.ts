import { isIPv4, type Socket } from "node:net";
import { checkError } from "../../shared/check-error";
import type { StarttlsProtocol } from "../../shared/monitor";
import { type Step, takeSteps } from "../connection/dialogue";

/** Bytes that a server may send before TLS begins. */
const MAX_ANSWER = 16_384;

/** How an answer is recognized: by its start, and by its last part, such as a line that starts with `220 `. */
type Form = { first: RegExp; last: RegExp };

/** One command, or none for the greeting, and the answers to it. */
type Exchange = {
  send?: string | Uint8Array;
  form: Form;
  /** The pattern of the whole answer. */
  expect: RegExp;
  /** The error of another answer. */
  otherwise: "tls_no_starttls" | "protocol_mismatch";
};

const greeting = (form: Form, expect: RegExp): Exchange => ({ form, expect, otherwise: "protocol_mismatch" });
const command = (send: string | Uint8Array, form: Form, expect: RegExp): Exchange => ({
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
type Dialogue = { name: string; exchanges: (socket: Socket) => Exchange[]; bye: string };

const DIALOGUES: Record<StarttlsProtocol, Dialogue> = {
  smtp: {
    name: "SMTP",
    exchanges: (socket) => [
      greeting(NUMBERED, /^220/),
      command(`EHLO ${clientName(socket)}\r\n`, NUMBERED, /^250[ -]STARTTLS\r?$/im),
      command("STARTTLS\r\n", NUMBERED, /^220/),
    ],
    bye: "QUIT\r\n",
  },
  imap: {
    name: "IMAP",
    exchanges: () => [greeting(LINE, /^\* OK/i), command("a1 STARTTLS\r\n", TAGGED, /^a1 OK/im)],
    bye: "a2 LOGOUT\r\n",
  },
  pop3: {
    name: "POP3",
    exchanges: () => [greeting(LINE, /^\+OK/), command("STLS\r\n", LINE, /^\+OK/)],
    bye: "QUIT\r\n",
  },
  ftp: {
    name: "FTP",
    exchanges: () => [greeting(NUMBERED, /^220/), command("AUTH TLS\r\n", NUMBERED, /^234/)],
    bye: "QUIT\r\n",
  },
  postgres: { name: "PostgreSQL", exchanges: () => [command(SSL_REQUEST, BYTE, /^S/)], bye: "" },
};

/** The command that ends a session, or an empty text. */
export const farewellOf = (protocol: StarttlsProtocol): string => DIALOGUES[protocol].bye;

/** Whether nothing follows the last part of an answer. */
const isComplete = (answer: string, { last }: Form): boolean => {
  const match = last.exec(answer);
  return match !== null && match.index + match[0].length === answer.length;
};

/** The step of an exchange. Answers are Latin-1 text. */
const stepOf = ({ send, form, expect, otherwise }: Exchange, protocol: string): Step => {
  const mismatch = checkError("protocol_mismatch", { protocol });
  return {
    ...(send !== undefined && { send: Buffer.from(send) }),
    judge: (bytes) => {
      const answer = bytes.toString("latin1");
      // Of a server of another protocol, no last line is awaited.
      const isForeign = answer.includes("\n") && !form.first.test(answer);
      if (!form.last.test(answer) && !isForeign && answer.length < MAX_ANSWER) return "more";
      // Text after the answer would be read as if it had come over TLS.
      if (!isComplete(answer, form)) return mismatch;
      if (expect.test(answer)) return "ok";
      if (otherwise === "tls_no_starttls") return checkError("tls_no_starttls");
      const refused = /^[45]\d\d/.exec(answer)?.[0];
      return refused ? checkError("protocol_error", { protocol, code: refused }) : mismatch;
    },
  };
};

/**
 * Asks a server to begin TLS on a new connection, which `upgrade` then does. The caller closes the socket after an error.
 * @throws {CheckFailed}, the error of the connection, or the signal's reason
 */
export const startTls = async (socket: Socket, protocol: StarttlsProtocol, signal: AbortSignal): Promise<void> => {
  const { name, exchanges } = DIALOGUES[protocol];
  socket.on("error", () => {});
  const steps = exchanges(socket).map((exchange) => stepOf(exchange, name));
  await takeSteps(socket, steps, signal);
};
