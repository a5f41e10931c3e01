/**
 * The start of a session with MySQL or MariaDB, without a login of the user's own.
 * @see https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase.html
 */
import { checkError } from "../../shared/check-error";
import { TCP_SERVICES } from "../../shared/tcp/presets";
import type { Step, Verdict } from "../connection/dialogue";

export const mismatch = checkError("protocol_mismatch", { protocol: TCP_SERVICES.mysql.name });

/** First bytes of packets of the server. */
export const GREETING = 10;
export const OK = 0;
const ERROR = 0xff;

/** ER_HOST_NOT_PRIVILEGED: no user may sign in from here, so that there is no greeting. The server works. */
const NO_USER_FOR_HOST = 1130;
/** ER_CON_COUNT_ERROR and ER_SERVER_SHUTDOWN, as the answer to a login. Other errors are a refused login. */
const UNAVAILABLE = [1040, 1053];

/** Longest packet at the start of a session. */
const MAX_PACKET = 4096;

/** A packet: the length in three bytes, its number in the exchange, and the content. */
export const packet = (number: number, content: Uint8Array): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUIntLE(content.length, 0, 3);
  head[3] = number;
  return Buffer.concat([head, content]);
};

/** Judges a packet of the server by its content when all of it has arrived. */
export const judgePacket =
  (judge: (content: Buffer) => Verdict) =>
  (answer: Buffer): Verdict => {
    if (answer.length < 4) return "more";
    const length = answer.readUIntLE(0, 3);
    if (length === 0 || length > MAX_PACKET) return mismatch;
    return answer.length < 4 + length ? "more" : judge(answer.subarray(4, 4 + length));
  };

/** The number of an error, or null for another packet. */
export const errorOf = (content: Buffer): number | null =>
  content[0] === ERROR && content.length >= 3 ? content.readUInt16LE(1) : null;

export const refusal = (code: number | string) =>
  checkError("protocol_error", { protocol: TCP_SERVICES.mysql.name, code });

/** The capabilities LONG_PASSWORD, PROTOCOL_41, SECURE_CONNECTION and PLUGIN_AUTH. */
const CAPABILITIES = 0x8_8201;

/** The packet that signs in as a user, with the proof of the password that an authentication plugin asks for. */
export const loginPacket = (user: string, plugin: string, proof: Uint8Array): Buffer => {
  const head = Buffer.alloc(32);
  head.writeUInt32LE(CAPABILITIES, 0);
  head.writeUInt32LE(1 << 24, 4);
  // utf8_general_ci
  head[8] = 33;
  const name = Buffer.from(`${user}\0`);
  return packet(1, Buffer.concat([head, name, Uint8Array.of(proof.length), proof, Buffer.from(`${plugin}\0`)]));
};

/**
 * Reads the greeting and tries to sign in: a server blocks the address of a client that leaves after the greeting too
 * often (`max_connect_errors`), and does not count a refused login.
 */
export const MYSQL_STEPS: Step[] = [
  {
    undecided: mismatch,
    judge: judgePacket((content) => {
      if (content[0] === GREETING) return "ok";
      const error = errorOf(content);
      if (error === NO_USER_FOR_HOST) return "done";
      return error === null ? mismatch : refusal(error);
    }),
  },
  {
    send: loginPacket("wakeful", "mysql_native_password", new Uint8Array()),
    undecided: mismatch,
    judge: judgePacket((content) => {
      const error = errorOf(content);
      return error !== null && UNAVAILABLE.includes(error) ? refusal(error) : "ok";
    }),
  },
];

/** Ends the session: COM_QUIT when signed in, or an empty password when the server asks in another way. */
export const mysqlFarewell = (answer: Buffer): Uint8Array | undefined => {
  if (answer[4] === ERROR) return undefined;
  return answer[4] === OK ? packet(0, Uint8Array.of(1)) : packet((answer[3] ?? 0) + 1, Uint8Array.of(0));
};
