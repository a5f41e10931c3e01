import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "./state";

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
  const secret = randomBytes(32).toString("base64url");
  writeWhole(path, `${secret}\n`);
  return secret;
};
