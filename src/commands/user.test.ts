import { expect, it } from "bun:test";
import { dirname, join } from "node:path";
import { ne } from "drizzle-orm";
import { readConfig } from "../core/config";
import { openDatabase } from "../db/open";
import { securityLog, users } from "../db/schema";
import { systemClock } from "../lib/time";
import { createAccount } from "../modules/accounts/account/service";
import { isPassword } from "../modules/accounts/sign-in/password-queue";
import { newAddress } from "../testing/db/move";

const MAIN = join(import.meta.dir, "../main.ts");

it("records a password reset on the command line in the security log", async () => {
  const address = await newAddress();
  const file = /^sqlite:(.*)/.exec(address)?.[1];
  const settings = file ? { DATA_DIR: dirname(file) } : { DATABASE_URL: address };
  const config = readConfig(settings);
  const db = await openDatabase(config);
  try {
    await createAccount({ db, clock: systemClock, config } as never, {
      username: "alice",
      password: "a staple and more",
    });
    const command = Bun.spawn([process.execPath, MAIN, "user", "reset-password", "alice"], {
      env: { ...process.env, NODE_ENV: "production", ...settings },
      stdin: new Blob(["another staple\n"]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, error] = await Promise.all(
      [command.stdout, command.stderr].map((stream) => new Response(stream).text()),
    );
    expect([await command.exited, out, error]).toEqual([0, "The password of alice is changed.\n", ""]);
    const [alice] = await db.select().from(users);
    expect(await isPassword("another staple", alice?.passwordHash)).toBe(true);
    const rows = await db.select().from(securityLog).where(ne(securityLog.kind, "change"));
    expect(rows).toMatchObject([
      { kind: "password_reset", userId: null, username: "", address: "command line", detail: "alice" },
    ]);
    expect(JSON.stringify(rows)).not.toInclude("another staple");
  } finally {
    await db.close();
  }
});
