import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { FatalError } from "./fatal-error";

/** What the agent keeps from its enrolment on. The key speaks for this machine: only its user can read the file. */
export type Enrollment = {
  server: string;
  agent: number;
  key: string;
  /** SHA-256 of the token that was used, so that a new one is noticed. */
  token: string;
};

/** How it stands, for `wakeful agent status`; written only when it changes. */
export type RunState = {
  process: number;
  since: string;
  text: string;
  well: boolean;
  /** Why a new token was refused, while an earlier enrolment goes on. */
  refused?: string;
};

const PRIVATE = 0o600;
const ENROLMENT = "agent.json";
const STANDING = "status.json";

/** Writes a file that only its user can read, and that is there whole or not at all, whenever the power goes. */
export const writeWhole = (path: string, content: string): void => {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  const file = openSync(draft, "wx", PRIVATE);
  try {
    const bytes = Buffer.from(content);
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
};

const reason = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

/** Makes the folder, or throws a Refusal if nothing can be kept in it. */
export const openState = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWhole(join(folder, "writable"), "");
    rmSync(join(folder, "writable"));
  } catch (error) {
    throw new FatalError(`nothing can be kept in ${folder} (${reason(error)}); --state names another folder`);
  }
};

const readJson = <T>(path: string): T | null => {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as T;
  } catch (error) {
    if (error instanceof SyntaxError || reason(error) === "ENOENT") return null;
    throw new FatalError(`cannot read ${path} (${reason(error)}): only root and the agent's own user may`);
  }
};

/** What an earlier start was given, or null if there was none. */
export const readEnrollment = (folder: string): Enrollment | null => {
  const found = readJson<Partial<Enrollment>>(join(folder, ENROLMENT));
  const whole = typeof found?.server === "string" && typeof found.key === "string" && Number.isSafeInteger(found.agent);
  return whole ? (found as Enrollment) : null;
};

export const writeEnrollment = (folder: string, enrolment: Enrollment): void => {
  const path = join(folder, ENROLMENT);
  writeWhole(path, `${JSON.stringify(enrolment)}\n`);
  chmodSync(path, PRIVATE);
};

export const readRunState = (folder: string): RunState | null => readJson<RunState>(join(folder, STANDING));

/** It is only for people to look at, so a full disk stops nothing. */
export const writeRunState = (folder: string, standing: RunState): void => {
  try {
    writeWhole(join(folder, STANDING), `${JSON.stringify(standing)}\n`);
  } catch {}
};
