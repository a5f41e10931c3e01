import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { mails, users } from "../../../db/schema";
import { DAY, HOUR } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { until } from "../../../testing/clock";
import { PASSWORD } from "../../../testing/fixtures/people";
import { serveSmtp } from "../../../testing/servers/smtp";
import { sendDueMails } from "../mail/send";

const start = async (env: Record<string, string> = {}) => {
  const { mails: sent, port } = await serveSmtp();
  const app = await createTestApp({
    env: {
      ...{ SMTP_URL: `smtp://127.0.0.1:${port}?security=none`, MAIL_FROM: "wakeful@example.com" },
      ...{ PUBLIC_URL: "https://watch.example", DEFAULT_LANGUAGE: "en-US", ...env },
    },
  });
  const { bob } = await app.people();
  const client = app.as(bob);
  const setEmail = (email: string) => client.put(`/api/users/${bob.id}`, { email, currentPassword: PASSWORD });
  const send = () => client.post("/api/auth/verify-email/send");
  /** The token of the latest link. */
  const tokenOf = async (count: number) => {
    await sendDueMails(app.deps);
    await until(async () => sent.length === count && (await app.db.$count(mails)) === 0, "the mail to be sent");
    const text = (sent.at(-1)?.body ?? "").replace(/=\r\n/g, "");
    return /https:\/\/watch\.example\/verify#([\w.-]+)/.exec(text)?.[1] ?? "";
  };
  const verify = async (token: string) =>
    (await app.anybody.post("/api/auth/verify-email", { token })).body.code ?? "ok";
  const isVerified = async () =>
    ((await client.get("/api/auth/me")).body as { email_verified?: boolean | null }).email_verified;
  return { app, bob, client, sent, setEmail, send, tokenOf, verify, isVerified };
};

it("an address is verified by a link that is mailed when it is entered, and another one has to be verified again", async () => {
  const { app, bob, sent, setEmail, tokenOf, verify, isVerified } = await start();
  expect(await isVerified()).toBeNull();
  await setEmail("bob@example.com");
  const token = await tokenOf(1);
  expect(sent[0]).toMatchObject({ to: ["bob@example.com"], headers: { subject: "Verify your email address" } });
  expect(await isVerified()).toBe(false);
  expect([await verify(token), await isVerified()]).toEqual(["ok", true]);
  // A second use, as by a program that reads mails, changes nothing.
  expect(await verify(token)).toBe("ok");
  await setEmail("Bob@example.com");
  expect(await isVerified()).toBe(true);
  await setEmail("robert@example.com");
  expect([await isVerified(), await verify(token)]).toEqual([false, "reset_link_invalid"]);
  await app.as(bob).put(`/api/users/${bob.id}`, { username: "robert", currentPassword: PASSWORD });
  expect(await verify(await tokenOf(2))).toBe("ok");
});

it("a link works for a day, for its user and its purpose", async () => {
  const { app, setEmail, tokenOf, verify, isVerified } = await start();
  await setEmail("bob@example.com");
  const token = await tokenOf(1);
  for (const wrong of ["", "x", `${token}x`, token.replace(/^\d+/, "1"), token.slice(0, -3)])
    expect(await verify(wrong)).toBe("reset_link_invalid");
  expect((await app.anybody.post("/api/auth/reset", { token, password: "another good password" })).body.code).toBe(
    "reset_link_invalid",
  );
  app.clock.set(app.clock.now() + DAY);
  expect([await verify(token), await isVerified()]).toEqual(["reset_link_invalid", false]);
});

it("the link is mailed again at most three times an hour, and not to an address that is verified", async () => {
  const { app, bob, send, setEmail, tokenOf } = await start();
  expect((await send()).body.code).toBe("no_email");
  await setEmail("bob@example.com");
  const codes = [];
  for (let count = 0; count < 4; count++) codes.push((await send()).body.code ?? "sent");
  expect(codes).toEqual(["sent", "sent", "rate_limited", "rate_limited"]);
  await tokenOf(3);
  app.clock.set(app.clock.now() + HOUR);
  expect((await send()).status).toBe(200);
  await tokenOf(4);
  await app.db.update(users).set({ emailVerifiedAt: 1 }).where(eq(users.id, bob.id));
  app.clock.set(app.clock.now() + HOUR);
  expect((await send()).status).toBe(200);
  expect(await app.db.$count(mails)).toBe(0);
});

it("without a mail server no address can be verified", async () => {
  const { send, setEmail, isVerified, app } = await start({ SMTP_URL: "", MAIL_FROM: "" });
  await setEmail("bob@example.com");
  expect([(await send()).body.code, await isVerified(), await app.db.$count(mails)]).toEqual([
    "mail_not_set_up",
    null,
    0,
  ]);
});
