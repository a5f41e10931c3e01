/**
 * The start of a session with PostgreSQL, without a login of the user's own.
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
import { checkError } from "../../shared/check-error";
import { TCP_SERVICES } from "../../shared/tcp/presets";
import type { Step, Verdict } from "../connection/dialogue";

export const mismatch = checkError("protocol_mismatch", { protocol: TCP_SERVICES.postgres.name });

/** Longest message at the start of a session. */
export const MAX_MESSAGE = 8192;

/** StartupMessage: length, version 3.0, parameters. The database has the name of the user. */
export const startup = (user: string): Buffer => {
  const parameters = Buffer.from(`user\0${user}\0database\0${user}\0\0`);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + parameters.length, 0);
  head.writeUInt32BE(3 << 16, 4);
  return Buffer.concat([head, parameters]);
};

/** Classes of SQLSTATE that come from a server that works: a refused login, and a database that does not exist. */
const WORKING = /^(?:28...|3D000)$/;

export const refusal = (code: string) => checkError("protocol_error", { protocol: TCP_SERVICES.postgres.name, code });

/** Judges the fields of an ErrorResponse, each a letter and a text, by the code in `C`. */
export const judgeError = (fields: Buffer, working = WORKING): Verdict => {
  const code = fields
    .toString("latin1")
    .split("\0")
    .find((field) => /^C[0-9A-Z]{5}$/.test(field))
    ?.slice(1);
  if (!code) return mismatch;
  return working.test(code) ? "ok" : refusal(code);
};

const judge = (answer: Buffer): Verdict => {
  const type = String.fromCharCode(answer[0] ?? 0);
  if (!/[RE]/.test(type)) return mismatch;
  if (answer.length < 5) return "more";
  const length = answer.readUInt32BE(1);
  if (length < 8 || length > MAX_MESSAGE) return mismatch;
  if (type === "R") return "ok";
  return answer.length < 1 + length ? "more" : judgeError(answer.subarray(5, 1 + length));
};

/** Begins a session. A server that asks for a password works. */
export const POSTGRES_STEPS: Step[] = [{ send: startup("wakeful"), judge, undecided: mismatch }];
