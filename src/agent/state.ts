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

/** An error that a restart cannot fix: a wrong setting, a refused token or a deleted server. */
export class FatalError extends Error {}

/** Exit code after a FatalError; service managers are configured not to restart the agent on it. */
export const EX_CONFIG = 78;

/**
 * The secret that identifies this machine when it enrolls again: 256 random bits, created at the
 * first call and stored in the agent's directory, readable by its user only.
 */
export const machineSecret = (folder: string): string => {
  const path = join(folder, "secret");
  try {
    const secret = readFileSync(path, "utf8").trim();
    if (/^[\w-]{43}$/.test(secret)) return secret;
  } catch {}
  // Not node:crypto, which holds a megabyte of memory for as long as the agent runs.
  const secret = crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true });
  writeWhole(path, `${secret}\n`);
  return secret;
};

/** The stored enrollment. It holds the report key, so only the agent's user can read the file. */
export type Enrollment = {
  server: string;
  agent: number;
  key: string;
  /** SHA-256 of the token that was used, to detect a new one. */
  token: string;
};

/** The state shown by `wakeful agent status`; written only when it changes. */
type RunState = {
  process: number;
  since: string;
  text: string;
  healthy: boolean;
  /** Why a new token was refused while the earlier enrollment stays in use. */
  refused?: string;
};

const PRIVATE = 0o600;
const ENROLLMENT = "agent.json";
const RUN_STATE = "status.json";

/** Writes a file atomically and durably, readable by its user only. */
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

/**
 * Creates the directory.
 * @throws {FatalError} when it cannot be written
 */
export const openState = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWhole(join(folder, "writable"), "");
    rmSync(join(folder, "writable"));
  } catch (error) {
    throw new FatalError(`${folder} cannot be written (${reason(error)}); choose another directory with --state`);
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

/** Reads the stored enrollment, or null. */
export const readEnrollment = (folder: string): Enrollment | null => {
  const enrollment = readJson<Partial<Enrollment>>(join(folder, ENROLLMENT));
  const whole =
    typeof enrollment?.server === "string" &&
    typeof enrollment.key === "string" &&
    Number.isSafeInteger(enrollment.agent);
  return whole ? (enrollment as Enrollment) : null;
};

export const writeEnrollment = (folder: string, enrollment: Enrollment): void => {
  const path = join(folder, ENROLLMENT);
  writeWhole(path, `${JSON.stringify(enrollment)}\n`);
  chmodSync(path, PRIVATE);
};

export const readRunState = (folder: string): RunState | null => readJson<RunState>(join(folder, RUN_STATE));

/** Informational only, so write errors are ignored. */
export const writeRunState = (folder: string, runState: RunState): void => {
  try {
    writeWhole(join(folder, RUN_STATE), `${JSON.stringify(runState)}\n`);
  } catch {}
};
