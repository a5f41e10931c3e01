/** The exchange with each known service. */
import { type CheckError, checkError } from "../../shared/check-error";
import { type Login, type LoginPreset, TCP_SERVICES, type TcpPreset } from "../../shared/tcp/presets";
import type { Step, Verdict } from "../connection/dialogue";
import { MYSQL_STEPS, mysqlFarewell } from "./mysql";
import { MYSQL_QUIT, mysqlLogin } from "./mysql-login";
import { POSTGRES_STEPS } from "./postgres";
import { POSTGRES_TERMINATE, postgresLogin } from "./postgres-login";

type Preset = {
  /** The steps of a check on a new connection. */
  steps: Step[];
  /** Ends the session, after the last answer. */
  farewell?: (answer: Buffer) => Uint8Array | string | undefined;
  /** Whether the server speaks first, so that STARTTLS has read its greeting. */
  greets?: true;
  /** The protocol that a TLS connection is for, by its name in ALPN. */
  alpn?: string;
};

/** The error of an answer that does not fit the service. */
const mismatch = (preset: TcpPreset): CheckError =>
  checkError("protocol_mismatch", { protocol: TCP_SERVICES[preset].name });

/** The error of an answer that names an error of the service by its code. */
const refusal = (preset: TcpPreset, code: string | number): CheckError =>
  checkError("protocol_error", { protocol: TCP_SERVICES[preset].name, code });

/** Bytes of a line that are waited for before it is judged. */
const MAX_LINE = 512;

/** A first line: how it begins at all, when it is good, and the code of an error, which is a group of the pattern. */
type Line = { first: RegExp; good: RegExp; bad: RegExp };

const line = (preset: TcpPreset, { first, good, bad }: Line, send?: string): Step => ({
  ...(send !== undefined && { send: Buffer.from(send) }),
  undecided: mismatch(preset),
  judge: (answer): Verdict => {
    const text = answer.toString("latin1", 0, MAX_LINE);
    if (good.test(text)) return "ok";
    if (first.test(text) && !text.includes("\n") && text.length < MAX_LINE) return "more";
    const [, code] = bad.exec(text)?.filter((part) => part !== undefined) ?? [];
    return code ? refusal(preset, code) : mismatch(preset);
  },
});

/** A line that starts with a number of three digits. */
const NUMBERED: Line = { first: /^[245]/, good: /^220[ \-\r\n]/, bad: /^([45]\d\d)[ \-\r\n]/ };

/** CONNECT without a name and a login, for a clean session of MQTT 3.1.1. */
const MQTT_CONNECT = Uint8Array.of(0x10, 12, 0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 0);
const MQTT_DISCONNECT = Uint8Array.of(0xe0, 0);
/** Return codes of a broker that works: accepted, a refused client identifier, a wrong login, and a missing one. */
const MQTT_WORKING = [0, 2, 4, 5];

const judgeConnack = (answer: Buffer): Verdict => {
  const isConnack = [0x20, 2].every((byte, at) => answer.length <= at || answer[at] === byte);
  if (!isConnack) return mismatch("mqtt");
  const code = answer[3];
  if (code === undefined) return "more";
  return MQTT_WORKING.includes(code) ? "ok" : refusal("mqtt", code);
};

const redis = (good: RegExp, send: string): Step => {
  const errors = "(WRONGPASS|NOAUTH|LOADING|DENIED|MASTERDOWN|MISCONF|BUSY|ERR)";
  const bad = new RegExp(`^-(?:ERR (max number of clients) reached|${errors}\\b)`);
  return line("redis", { first: /^[+-]/, good, bad }, send);
};

/** AUTH with a password, or with a user and a password, each with its length in bytes. */
const redisLogin = ({ user, password }: Login): Step[] => {
  const words = ["AUTH", ...(user === "" ? [] : [user]), password];
  const auth = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("");
  // A user without rights may not even send PING.
  return [redis(/^\+OK\b/, `*${words.length}\r\n${auth}`), redis(/^(?:\+PONG|-NOPERM)\b/, "PING\r\n")];
};

/** A good answer needs no login: a service that asks for one works. */
export const PRESETS: Readonly<Record<TcpPreset, Preset>> = {
  smtp: { steps: [line("smtp", NUMBERED)], farewell: () => "QUIT\r\n", greets: true },
  imap: {
    steps: [line("imap", { first: /^\*/, good: /^\* (?:OK|PREAUTH)\b/i, bad: /^\* (BYE)\b/i })],
    farewell: () => "a1 LOGOUT\r\n",
    greets: true,
  },
  pop3: {
    steps: [line("pop3", { first: /^[+-]/, good: /^\+OK\b/, bad: /^-(ERR)\b/ })],
    farewell: () => "QUIT\r\n",
    greets: true,
  },
  // OpenSSH names its limit of connections that have not signed in yet.
  ssh: { steps: [line("ssh", { first: /^[SE]/, good: /^SSH-(?:2\.0|1\.99)-/, bad: /^Exceeded (MaxStartups)/ })] },
  ftp: { steps: [line("ftp", NUMBERED)], farewell: () => "QUIT\r\n", greets: true },
  mysql: { steps: MYSQL_STEPS, farewell: mysqlFarewell },
  postgres: { steps: POSTGRES_STEPS, alpn: "postgresql" },
  redis: { steps: [redis(/^(?:\+PONG|-NOAUTH|-NOPERM)\b/, "PING\r\n")], farewell: () => "QUIT\r\n" },
  mqtt: {
    steps: [{ send: MQTT_CONNECT, judge: judgeConnack, undecided: mismatch("mqtt") }],
    farewell: (answer) => (answer[3] === 0 ? MQTT_DISCONNECT : undefined),
  },
};

/** The steps to sign in to each service, and to end the session. */
export const LOGINS: Readonly<Record<LoginPreset, { steps: (login: Login) => Step[]; farewell: Uint8Array | string }>> =
  {
    mysql: { steps: mysqlLogin, farewell: MYSQL_QUIT },
    postgres: { steps: postgresLogin, farewell: POSTGRES_TERMINATE },
    redis: { steps: redisLogin, farewell: "QUIT\r\n" },
  };
