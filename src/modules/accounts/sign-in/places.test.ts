import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { mails, users } from "../../../db/schema";
import { DAY } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { until } from "../../../testing/clock";
import { PASSWORD } from "../../../testing/fixtures/people";
import { serveSmtp } from "../../../testing/servers/smtp";
import { sendDueMails } from "../mail/send";

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

const start = async () => {
  const { mails: sent, port } = await serveSmtp();
  const app = await createTestApp({
    env: {
      ...{ SMTP_URL: `smtp://127.0.0.1:${port}?security=none`, MAIL_FROM: "wakeful@example.com" },
      ...{ PUBLIC_URL: "https://watch.example", TRUST_PROXY: "1" },
    },
  });
  const { bob } = await app.people();
  await app.db
    .update(users)
    .set({ email: "bob@example.com", emailKey: "bob@example.com", language: "en-US", timeZone: "Europe/Berlin" })
    .where(eq(users.id, bob.id));
  /** Signs in, and returns how many mails wait. */
  const signIn = async (address: string, userAgent = FIREFOX) => {
    const headers = { "x-forwarded-for": address, "user-agent": userAgent };
    const { status } = await app.anybody.post("/api/auth/login", { username: "bob", password: PASSWORD }, headers);
    expect(status).toBe(200);
    return app.db.$count(mails);
  };
  return { app, sent, signIn };
};

it("a sign-in from a network with a browser that are new together is mailed, and one from a known place is not", async () => {
  const { app, sent, signIn } = await start();
  expect(await signIn("192.0.2.1")).toBe(1);
  // Providers assign other addresses of the same network.
  expect([await signIn("192.0.2.77"), await signIn("192.0.2.1")]).toEqual([1, 1]);
  expect([await signIn("192.0.2.1", CHROME), await signIn("198.51.100.1")]).toEqual([2, 3]);
  expect([await signIn("2001:db8::1"), await signIn("2001:db8:0:5::1")]).toEqual([4, 4]);
  await sendDueMails(app.deps);
  await until(() => sent.length === 4, "the mails to be sent");
  const text = (sent[1]?.body ?? "").replace(/=\r\n/g, "");
  expect(sent[1]).toMatchObject({ to: ["bob@example.com"], headers: { subject: "New sign-in to your account" } });
  expect(text).toInclude("Chrome =C2=B7 Linux, 192.0.2.1, Jan 15, 2026, 13:20");
  expect(text).toInclude("https://watch.example/profile/sessions");
});

it("a place is known for 90 days after its last use", async () => {
  const { app, signIn } = await start();
  await signIn("192.0.2.1");
  app.clock.set(app.clock.now() + 60 * DAY);
  expect(await signIn("192.0.2.1")).toBe(1);
  app.clock.set(app.clock.now() + 60 * DAY);
  expect(await signIn("192.0.2.1")).toBe(1);
  app.clock.set(app.clock.now() + 90 * DAY);
  expect(await signIn("192.0.2.1")).toBe(2);
});

it("a user gets at most five such mails a day, and none without an address", async () => {
  const { app, signIn } = await start();
  for (let network = 1; network <= 8; network++) await signIn(`10.0.${network}.1`);
  expect(await app.db.$count(mails)).toBe(5);
  app.clock.set(app.clock.now() + DAY);
  expect(await signIn("10.9.9.1")).toBe(6);
  await app.db.update(users).set({ email: null, emailKey: null });
  expect(await signIn("10.9.10.1")).toBe(6);
});

it("the first sign-in from where the account was registered is not mailed", async () => {
  const { app } = await start();
  const headers = { "x-forwarded-for": "203.0.113.1", "user-agent": FIREFOX };
  const account = { username: "dora", password: "long enough", email: "dora@example.com" };
  expect((await app.anybody.post("/api/auth/register", account, headers)).status).toBe(201);
  await app.anybody.post("/api/auth/login", account, headers);
  expect((await app.db.select().from(mails)).map(({ kind }) => kind)).toEqual(["email_verification"]);
});
