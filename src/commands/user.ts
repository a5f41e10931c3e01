import { readConfig } from "../core/config";
import { createLog } from "../core/log";
import { openDatabase } from "../db/open";
import { systemClock } from "../lib/time";
import { findUserByName, setPassword } from "../modules/accounts/account/service";
import { recordSecurityEvent } from "../modules/accounts/security-log";
import { LIMITS } from "../shared/limits";

export const help = `usage: wakeful user reset-password NAME

Sets a new password for a user and ends their sessions. The password is read from standard input when something is
piped in, and otherwise made up and printed.
`;

const newPassword = async (): Promise<{ password: string; madeUp: boolean }> => {
  const typed = process.stdin.isTTY ? "" : (await Bun.stdin.text()).replace(/\r?\n$/, "");
  if (typed === "")
    return { password: Buffer.from(crypto.getRandomValues(new Uint8Array(12))).toString("base64url"), madeUp: true };
  if (typed.length < LIMITS.passwordMin || typed.length > LIMITS.passwordMax) {
    throw new Error(`a password has ${LIMITS.passwordMin} to ${LIMITS.passwordMax} characters`);
  }
  return { password: typed, madeUp: false };
};

export const run = async ([action, name, ...rest]: string[]): Promise<void> => {
  if (action !== "reset-password" || !name || rest.length > 0)
    throw new Error("usage: wakeful user reset-password NAME");
  const config = readConfig(process.env);
  const db = await openDatabase(config);
  try {
    const user = await findUserByName({ db }, name);
    if (!user) throw new Error(`there is no user ${name}`);
    const { password, madeUp } = await newPassword();
    await setPassword({ db, clock: systemClock, config }, user.id, password);
    await recordSecurityEvent(
      // The command prints the result itself.
      { db, clock: systemClock, log: createLog("error", false, (line) => process.stderr.write(line)) },
      { kind: "password_reset", username: "", address: "command line", detail: user.username },
    );
    process.stdout.write(
      madeUp
        ? `The new password of ${user.username} is ${password}\n`
        : `The password of ${user.username} is changed.\n`,
    );
  } finally {
    await db.close();
  }
};
