import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "./state";

/**
 * The secret by which this machine proves to a hub that it is the one that enrolled before: 256 random bits, made at the
 * first call and kept in the agent's folder, where only its user can read it.
 */
export const machineSecret = (folder: string): string => {
  const path = join(folder, "secret");
  try {
    const secret = readFileSync(path, "utf8").trim();
    if (/^[\w-]{43}$/.test(secret)) return secret;
  } catch {}
  const secret = randomBytes(32).toString("base64url");
  writeWhole(path, `${secret}\n`);
  return secret;
};
