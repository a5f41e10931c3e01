/** The login at MySQL 8 with `caching_sha2_password`, against a server that follows its documentation. */
import { expect, it } from "bun:test";
import { constants, createHash, generateKeyPairSync, privateDecrypt } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { checkErrorMessage } from "../../shared/check-error";
import { takeSteps } from "../connection/dialogue";
import { CheckFailed } from "../outcome";
import { packet } from "./mysql";
import { mysqlLogin } from "./mysql-login";

const PASSWORD = "sécret";
const FIRST = Buffer.from("abcdefghijklmnopqrst");
const SECOND = Buffer.from("tsrqponmlkjihgfedcba");
const OK = Buffer.from("\0\0\0\x02\0\0\0", "latin1");
const DENIED = Buffer.from("\xff\x15\x04#28000Access denied", "latin1");

const greeting = (plugin: string) =>
  Buffer.concat([
    Buffer.from("\n8.4.3\0\x08\0\0\0", "latin1"),
    FIRST.subarray(0, 8),
    Buffer.from("\0\xff\xff\xff\x02\0\xff\xdf\x15\0\0\0\0\0\0\0\0\0\0", "latin1"),
    FIRST.subarray(8),
    Buffer.from(`\0${plugin}\0`),
  ]);

const sha256 = (...parts: Buffer[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
const xor = (a: Buffer, b: Buffer) => Buffer.from(a.map((byte, at) => byte ^ (b[at % b.length] ?? 0)));
const proofFor = (challenge: Buffer) => {
  const once = sha256(Buffer.from(PASSWORD));
  return xor(once, sha256(sha256(once), challenge));
};

/** Answers of a server to successive packets, given their contents. */
type Answers = ((content: Buffer) => Buffer[])[];

/** Signs in to a server with a greeting and its answers, and returns the message of the error, or `up`. */
const signIn = async (plugin: string, answers: Answers, password = PASSWORD): Promise<string> => {
  const serve = async (socket: Socket) => {
    socket.on("error", () => {}).write(packet(0, greeting(plugin)));
    for (const answer of answers) {
      const [received] = (await once(socket, "data")) as [Buffer];
      const number = (received[3] ?? 0) + 1;
      socket.write(Buffer.concat(answer(received.subarray(4)).map((content, at) => packet(number + at, content))));
    }
  };
  const server = createServer((socket) => void serve(socket).catch(() => {}));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  try {
    await takeSteps(socket, mysqlLogin({ user: "alice", password }), AbortSignal.timeout(20_000));
    return "up";
  } catch (error) {
    if (error instanceof CheckFailed) return checkErrorMessage(error.reason);
    throw error;
  } finally {
    socket.destroy();
    server.close();
  }
};

const SHA2 = "caching_sha2_password";
const REFUSED = "protocol: the MySQL server refuses the login (1045)";

/** The answer to a login by its proof. */
const judgeFirst = (content: Buffer) => (content.includes(proofFor(FIRST)) ? [Buffer.of(1, 3), OK] : [DENIED]);

it("a login that the server remembers is proved without sending the password", async () => {
  expect(await signIn(SHA2, [judgeFirst])).toBe("up");
  expect(await signIn(SHA2, [judgeFirst], "wrong")).toBe(REFUSED);
});

it("a server that asks for another plugin gets the proof of that", async () => {
  const other = Buffer.concat([Buffer.from(`\xfe${SHA2}\0`, "latin1"), SECOND, Buffer.of(0)]);
  const judgeSecond = (content: Buffer) => (content.equals(proofFor(SECOND)) ? [Buffer.of(1, 3), OK] : [DENIED]);
  expect(await signIn("mysql_native_password", [() => [other], judgeSecond])).toBe("up");
  expect(await signIn("sha256_password", [() => [other], judgeSecond], "wrong")).toBe(REFUSED);
});

it("a server that does not remember the login gets the password encrypted with its key", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = publicKey.export({ type: "spki", format: "pem" }).toString();
  const decrypt = (content: Buffer) =>
    xor(privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING }, content), FIRST);
  const answers: Answers = [
    () => [Buffer.of(1, 4)],
    (content) => [content.equals(Buffer.of(2)) ? Buffer.from(`\x01${key}`) : DENIED],
    (content) => [decrypt(content).toString() === `${PASSWORD}\0` ? OK : DENIED],
  ];
  expect(await signIn(SHA2, answers)).toBe("up");
  expect(await signIn(SHA2, answers, "wrong")).toBe(REFUSED);
  expect(await signIn(SHA2, [() => [Buffer.of(1, 4)], () => [Buffer.from("\x01-----BEGIN PUBLIC KEY-----\nx")]])).toBe(
    "protocol: the MySQL server asks for a way of signing in that is not supported",
  );
});

it("the password itself is never sent to a server that asks for it in plain text", async () => {
  const plain = Buffer.from("\xfemysql_clear_password\0", "latin1");
  expect(await signIn("mysql_native_password", [() => [plain]])).toBe(
    "protocol: the MySQL server asks for a way of signing in that is not supported",
  );
});

it("a full server says so after the login", async () => {
  const full = Buffer.from("\xff\x10\x04#08004Too many connections", "latin1");
  expect(await signIn(SHA2, [() => [full]])).toBe("protocol: the MySQL server has too many connections (1040)");
});
