/**
 * A session with PostgreSQL as a user with a password, which is proved with SCRAM-SHA-256 or MD5.
 * @see https://www.postgresql.org/docs/current/sasl-authentication.html
 */
import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Login } from "../../shared/tcp/presets";
import type { Step, Verdict } from "../connection/dialogue";
import { CheckFailed } from "../outcome";
import { judgeError, MAX_MESSAGE, mismatch, refusal, startup } from "./postgres";

const derive = promisify(pbkdf2);

/** Kinds of AuthenticationRequest. */
const SIGNED_IN = 0;
const MD5 = 5;
const SCRAM = 10;
const SCRAM_CONTINUE = 11;
const SCRAM_FINAL = 12;

/** Messages before the session is ready that mean nothing to a check: a notice, a parameter, and the key to cancel. */
const IGNORED = "NSK";
const READY = "Z";

/** The database does not exist, which is looked up after the login and the limit of connections. */
const SIGNED_IN_WITHOUT_DATABASE = /^3D000$/;

/** Rounds of PBKDF2 that a server may ask for. */
const MAX_ROUNDS = 1_000_000;

type Message = { type: string; body: Buffer };

/** Reads the complete messages; null if one of them does not follow PostgreSQL's protocol. */
const messagesOf = (answer: Buffer): Message[] | null => {
  const messages: Message[] = [];
  let at = 0;
  for (; at + 5 <= answer.length; ) {
    const length = answer.readUInt32BE(at + 1);
    if (length < 4 || length > MAX_MESSAGE) return null;
    const end = at + 1 + length;
    if (end > answer.length) break;
    messages.push({ type: String.fromCharCode(answer[at] ?? 0), body: answer.subarray(at + 5, end) });
    at = end;
  }
  return at < answer.length && !`RE${READY}${IGNORED}`.includes(String.fromCharCode(answer[at] ?? 0)) ? null : messages;
};

const kindOf = ({ type, body }: Message): number | null =>
  type === "R" && body.length >= 4 ? body.readUInt32BE(0) : null;

/** The data of an AuthenticationRequest of this kind, or null. */
const dataOf = (answer: Buffer, kind: number): Buffer | null =>
  messagesOf(answer)
    ?.find((message) => kindOf(message) === kind)
    ?.body.subarray(4) ?? null;

/** Judges messages up to one of the kinds that call for an answer, or to the end of the login. */
const judgeUpTo =
  (...kinds: number[]) =>
  (answer: Buffer): Verdict => {
    const messages = messagesOf(answer);
    if (!messages) return mismatch;
    for (const message of messages) {
      if (message.type === "E") return judgeError(message.body, SIGNED_IN_WITHOUT_DATABASE);
      if (message.type === READY) return "done";
      const kind = kindOf(message);
      if (kind === null || kind === SIGNED_IN || kind === SCRAM_FINAL) continue;
      return kinds.includes(kind) ? "ok" : refusal("authentication");
    }
    return "more";
  };

/** A message with a password or with data of SCRAM. */
const reply = (data: Uint8Array | string): Buffer => {
  const head = Buffer.alloc(5);
  head.write("p");
  head.writeUInt32BE(4 + Buffer.byteLength(data), 1);
  return Buffer.concat([head, Buffer.from(data as string)]);
};

const md5 = (...parts: (Uint8Array | string)[]): string => {
  const digest = createHash("md5");
  for (const part of parts) digest.update(part);
  return digest.digest("hex");
};

const sendMd5 = ({ user, password }: Login, salt: Buffer): Step => ({
  send: reply(`md5${md5(md5(password, user), salt)}\0`),
  undecided: mismatch,
  judge: judgeUpTo(),
});

const hmac = (key: Uint8Array, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** The last message of SCRAM, and the signature that the server must answer. */
const proveScram = async (password: string, first: string, challenge: string) => {
  const [, nonce = "", salt = "", rounds = ""] = /^r=([^,]+),s=([^,]+),i=(\d+)/.exec(challenge) ?? [];
  if (!nonce.startsWith(first.slice("n=,r=".length)) || nonce === "") throw new CheckFailed(mismatch);
  if (Number(rounds) < 1 || Number(rounds) > MAX_ROUNDS) throw new CheckFailed(refusal("authentication"));
  const secret = password.normalize("NFKC");
  const salted = await derive(secret, Buffer.from(salt, "base64"), Number(rounds), 32, "sha256");
  const clientKey = hmac(salted, "Client Key");
  const withoutProof = `c=biws,r=${nonce}`;
  const everything = `${first},${challenge},${withoutProof}`;
  const signature = hmac(createHash("sha256").update(clientKey).digest(), everything);
  const proof = Buffer.from(clientKey.map((byte, at) => byte ^ (signature[at] ?? 0)));
  return {
    last: `${withoutProof},p=${proof.toString("base64")}`,
    expected: Buffer.from(`v=${hmac(hmac(salted, "Server Key"), everything).toString("base64")}`),
  };
};

const finishScram = async (password: string, first: string, challenge: string): Promise<Step> => {
  const { last, expected } = await proveScram(password, first, challenge);
  const judge = judgeUpTo();
  return {
    send: reply(last),
    undecided: mismatch,
    judge: (answer) => {
      const verdict = judge(answer);
      if (verdict !== "done" && verdict !== "ok") return verdict;
      const signed = dataOf(answer, SCRAM_FINAL);
      return signed?.length === expected.length && timingSafeEqual(signed, expected) ? verdict : mismatch;
    },
  };
};

const startScram = ({ password }: Login): Step => {
  const first = `n=,r=${randomBytes(18).toString("base64")}`;
  const data = Buffer.from(`n,,${first}`);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length, 0);
  return {
    send: reply(Buffer.concat([Buffer.from("SCRAM-SHA-256\0"), length, data])),
    undecided: mismatch,
    judge: judgeUpTo(SCRAM_CONTINUE),
    next: (answer) => {
      const challenge = dataOf(answer, SCRAM_CONTINUE);
      return challenge && finishScram(password, first, challenge.toString("latin1"));
    },
  };
};

/** Terminate. */
export const POSTGRES_TERMINATE = Uint8Array.of(0x58, 0, 0, 0, 4);

/** Signs in as a user, to the database with that name if there is one. Any other error is a failure, such as a refused login. */
export const postgresLogin = (login: Login): Step[] => [
  {
    send: startup(login.user),
    undecided: mismatch,
    judge: judgeUpTo(MD5, SCRAM),
    next: (answer) => {
      const salt = dataOf(answer, MD5);
      if (salt) return sendMd5(login, salt);
      return dataOf(answer, SCRAM) && startScram(login);
    },
  },
];
