/**
 * A session with MySQL or MariaDB as a user with a password, by the plugins `mysql_native_password` and
 * `caching_sha2_password`.
 * @see https://dev.mysql.com/doc/dev/mysql-server/latest/page_caching_sha2_authentication_exchanges.html
 */
import { constants, createHash, publicEncrypt } from "node:crypto";
import type { Login } from "../../shared/tcp/presets";
import type { Step, Verdict } from "../connection/dialogue";
import { CheckFailed } from "../outcome";
import { errorOf, GREETING, judgePacket, loginPacket, mismatch, OK, packet, refusal } from "./mysql";

/** First bytes of packets during the login: another plugin, and data of the plugin. */
const SWITCH = 0xfe;
const DATA = 1;

/** Data of `caching_sha2_password`: the proof was right, or the server needs the password itself. */
const PROVED = 3;
const NEEDS_PASSWORD = 4;
/** Requests the public key of the server. It encrypts the password. */
const PUBLIC_KEY = 2;

const hash = (algorithm: "sha1" | "sha256", ...parts: Uint8Array[]): Buffer => {
  const digest = createHash(algorithm);
  for (const part of parts) digest.update(part);
  return digest.digest();
};

const xor = (a: Buffer, b: Buffer): Buffer => Buffer.from(a.map((byte, at) => byte ^ (b[at % b.length] ?? 0)));

const PROOFS: Readonly<Record<string, (password: Buffer, challenge: Buffer) => Buffer>> = {
  mysql_native_password: (password, challenge) => {
    const once = hash("sha1", password);
    return xor(once, hash("sha1", challenge, hash("sha1", once)));
  },
  caching_sha2_password: (password, challenge) => {
    const once = hash("sha256", password);
    return xor(once, hash("sha256", hash("sha256", once), challenge));
  },
};

/** What shows a plugin that the password is known; null for a plugin that is not supported. */
const proofOf = (plugin: string, password: string, challenge: Buffer): Buffer | null => {
  const prove = Object.hasOwn(PROOFS, plugin) ? PROOFS[plugin] : undefined;
  if (!prove) return null;
  return password === "" ? Buffer.alloc(0) : prove(Buffer.from(password), challenge);
};

/** Bytes of a challenge. */
const CHALLENGE = 20;

type Challenge = { plugin: string; challenge: Buffer };

/** Reads the text at the start of bytes that ends with a zero byte or with them. */
const textOf = (bytes: Buffer): string => bytes.toString("latin1").split("\0", 1)[0] ?? "";

/** Reads the plugin and the challenge of a greeting: the version, 4 bytes, 8 of the challenge, 19 others, and the rest. */
const readGreeting = (content: Buffer): Challenge => {
  const start = content.indexOf(0, 1) + 5;
  const rest = start + 8 + 19;
  const length = Math.max(13, (content[start + 16] ?? 0) - 8);
  return {
    plugin: textOf(content.subarray(rest + length)),
    challenge: Buffer.concat([content.subarray(start, start + 8), content.subarray(rest, rest + CHALLENGE - 8)]),
  };
};

/** Reads the request to use another plugin. */
const readSwitch = (content: Buffer): Challenge => {
  const plugin = textOf(content.subarray(1));
  return { plugin, challenge: content.subarray(plugin.length + 2, plugin.length + 2 + CHALLENGE) };
};

const contentOf = (answer: Buffer): Buffer => answer.subarray(4, 4 + answer.readUIntLE(0, 3));

/** The number of the packet that follows an answer of one packet. */
const following = (answer: Buffer): number => ((answer[3] ?? 0) + 1) & 0xff;

/** The refusal of a server that signs users in by another plugin. */
const UNSUPPORTED = refusal("authentication");

/** Judges an answer to a proof. `PROVED` comes before the result. */
const judgeLogin = (answer: Buffer): Verdict =>
  judgePacket((content) => {
    const error = errorOf(content);
    if (error !== null) return refusal(error);
    if (content[0] === OK) return "ok";
    if (content[0] === SWITCH) return Object.hasOwn(PROOFS, readSwitch(content).plugin) ? "ok" : UNSUPPORTED;
    if (content[0] !== DATA) return mismatch;
    if (content[1] === PROVED) return judgeLogin(answer.subarray(4 + content.length));
    return content[1] === NEEDS_PASSWORD ? "ok" : mismatch;
  })(answer);

/** Sends the password, encrypted with the public key of the server. */
const sendPassword = (answer: Buffer, password: string, challenge: Buffer): Step => {
  const key = contentOf(answer).toString("latin1", 1);
  const secret = xor(Buffer.from(`${password}\0`), challenge);
  try {
    const encrypted = publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING }, secret);
    return { send: packet(following(answer), encrypted), undecided: mismatch, judge: judgeLogin };
  } catch {
    // The key is malformed, or too short for the password.
    throw new CheckFailed(UNSUPPORTED);
  }
};

/** Sends a proof, and does what its answer asks for. */
const prove = (send: Buffer, login: Login, { challenge }: Challenge): Step => ({
  send,
  undecided: mismatch,
  judge: judgeLogin,
  next: (answer) => {
    const content = contentOf(answer);
    if (content[0] === SWITCH) {
      const other = readSwitch(content);
      const proof = proofOf(other.plugin, login.password, other.challenge);
      return proof && prove(packet(following(answer), proof), login, other);
    }
    if (content[0] !== DATA || content[1] !== NEEDS_PASSWORD) return null;
    return {
      send: packet(following(answer), Uint8Array.of(PUBLIC_KEY)),
      undecided: mismatch,
      judge: judgePacket((key) => (key[0] === DATA && key.includes("-----BEGIN PUBLIC KEY") ? "ok" : mismatch)),
      next: (key) => sendPassword(key, login.password, challenge),
    };
  },
});

/** COM_QUIT. */
export const MYSQL_QUIT = packet(0, Uint8Array.of(1));

/** Signs in as a user. Any error of the server is a failure, such as a refused login. */
export const mysqlLogin = (login: Login): Step[] => [
  {
    undecided: mismatch,
    judge: judgePacket((content) => {
      if (content[0] === GREETING) return "ok";
      const error = errorOf(content);
      return error === null ? mismatch : refusal(error);
    }),
    next: (answer) => {
      const asked = readGreeting(contentOf(answer));
      // A server with another default plugin asks for the user's plugin if it differs from this.
      const plugin = Object.hasOwn(PROOFS, asked.plugin) ? asked.plugin : "mysql_native_password";
      const proof = proofOf(plugin, login.password, asked.challenge) ?? new Uint8Array();
      return prove(loginPacket(login.user, plugin, proof), login, asked);
    },
  },
];
