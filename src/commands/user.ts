import { readConfig } from "../core/config";
import type { Deps } from "../core/deps";
import { createLog } from "../core/log";
import { openDatabase } from "../db/open";
import { systemClock } from "../lib/time";
import { findUserByName, setPassword, type User } from "../modules/accounts/account/service";
import { resetFactors } from "../modules/accounts/factors/service";
import { queueMail } from "../modules/accounts/mail/send";
import { recordSecurityEvent } from "../modules/accounts/security-log";
import { LIMITS } from "../shared/limits";
import type { SecurityEventKind } from "../shared/security-events";

export const help = `usage: wakeful user reset-password NAME
       wakeful user reset-2fa NAME

reset-password sets a new password for a user and ends their sessions. The password is read from standard input when something is
piped in, and otherwise made up and printed.

reset-2fa removes a user's second factors and recovery codes, so that the password is enough to sign in, and ends their sessions.
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

type Store = Pick<Deps, "db" | "clock" | "config">;

/** Each action changes a user, and returns what is printed. */
const actions: Record<string, { kind: SecurityEventKind; change: (store: Store, user: User) => Promise<string> }> = {
  "reset-password": {
    kind: "password_reset",
    change: async (store, { id, username }) => {
      const { password, madeUp } = await newPassword();
      await setPassword(store, id, password);
      return madeUp ? `The new password of ${username} is ${password}` : `The password of ${username} is changed.`;
    },
  },
  "reset-2fa": {
    kind: "second_factors_reset",
    change: async (store, user) => {
      await resetFactors(store, user);
      await queueMail(store, user, "factors_reset");
      return `The second factors of ${user.username} are removed.`;
    },
  },
};

export const run = async ([word = "", name, ...rest]: string[]): Promise<void> => {
  const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
  if (!action || !name || rest.length > 0) throw new Error("usage: wakeful user reset-password|reset-2fa NAME");
  const config = readConfig(process.env);
  const db = await openDatabase(config);
  try {
    const user = await findUserByName({ db }, name);
    if (!user) throw new Error(`there is no user ${name}`);
    const said = await action.change({ db, clock: systemClock, config }, user);
    await recordSecurityEvent(
      // The command prints the result itself.
      { db, clock: systemClock, log: createLog("error", false, (line) => process.stderr.write(line)) },
      { kind: action.kind, username: "", address: "command line", detail: user.username },
    );
    process.stdout.write(`${said}\n`);
  } finally {
    await db.close();
  }
};
