import { expect, it } from "bun:test";
import { mails, users } from "../../../db/schema";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { until } from "../../../testing/clock";
import { PASSWORD, prove } from "../../../testing/fixtures/people";
import { serveSmtp } from "../../../testing/servers/smtp";
import { sendDueMails } from "../mail/send";

const NEW = "another good password";

/** A hub with a mail server, and users who have addresses. */
const start = async (options: Parameters<typeof serveSmtp>[0] = {}, env: Record<string, string> = {}) => {
  const { mails: sent, port } = await serveSmtp(options);
  const app = await createTestApp({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${port}?security=none`,
      MAIL_FROM: "Wakeful <wakeful@example.com>",
      PUBLIC_URL: "https://watch.example",
      ...env,
    },
  });
  const people = await app.people();
  for (const user of [people.alice, people.bob])
    await app.as(people.alice).put(`/api/users/${user.id}`, { email: `${user.username}@example.com` });
  // Without the links that verify these addresses.
  await app.db.delete(mails);
  await app.as(people.bob).put("/api/auth/language", { language: "en-US" });
  const client = app.as({ ...people.bob, token: "" });
  const waiting = () => app.db.$count(mails);
  /** The token of the latest link. */
  const tokenOf = async (count: number) => {
    const links = () => sent.filter(({ headers }) => headers.subject === "Set a new password");
    await until(async () => links().length === count && (await waiting()) === 0, "the mail to be sent");
    const text = Buffer.from(links().at(-1)?.body ?? "")
      .toString()
      .replace(/=\r\n/g, "")
      .replaceAll("=3D", "=");
    return /https:\/\/watch\.example\/reset#([\w.-]+)/.exec(text)?.[1] ?? "";
  };
  const ask = (email = "BOB@example.com") => client.post("/api/auth/forgot", { email });
  const reset = (token: string, password = NEW) => client.post("/api/auth/reset", { token, password });
  const signIn = (password: string) => client.post("/api/auth/login", { username: "bob", password });
  return { app, ...people, client, sent, waiting, tokenOf, ask, reset, signIn };
};

it("a link that is sent by mail sets a new password once, ends the sessions and is told by another mail", async () => {
  const { app, bob, sent, tokenOf, ask, reset, signIn } = await start();
  expect((await ask()).status).toBe(200);
  const token = await tokenOf(1);
  expect(sent[0]).toMatchObject({ to: ["bob@example.com"], headers: { subject: "Set a new password" } });
  expect((await app.as(bob).get("/api/auth/me")).status).toBe(200);
  expect((await reset(token)).status).toBe(200);
  expect((await app.as(bob).get("/api/auth/me")).status).toBe(401);
  expect([(await signIn(PASSWORD)).status, (await signIn(NEW)).status]).toEqual([401, 200]);
  const again = await reset(token, "a third good password");
  expect([again.status, again.body.code]).toEqual([403, "reset_link_invalid"]);
  await sendDueMails(app.deps);
  expect(sent.map(({ headers }) => headers.subject)).toEqual([
    "Set a new password",
    "Your password was changed",
    "New sign-in to your account",
  ]);
});

it("of two uses of a link at the same moment, one sets its password", async () => {
  const { tokenOf, ask, reset, signIn } = await start();
  await ask();
  const token = await tokenOf(1);
  const passwords = ["a first good password", "a second good password"];
  const answers = await Promise.all(passwords.map((password) => reset(token, password)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  const used = passwords[answers.findIndex(({ status }) => status === 200)] ?? "";
  expect((await signIn(used)).status).toBe(200);
});

it("a link ends after 30 minutes, and with a change of the password or the address", async () => {
  const { app, alice, bob, tokenOf, ask, reset } = await start();
  await ask();
  const first = await tokenOf(1);
  app.clock.set(app.clock.now() + 30 * MINUTE);
  expect((await reset(first)).body.code).toBe("reset_link_invalid");
  await ask();
  const second = await tokenOf(2);
  await prove(app, alice);
  await app.as(alice).put(`/api/users/${bob.id}`, { email: "robert@example.com" });
  expect((await reset(second)).body.code).toBe("reset_link_invalid");
  await ask("robert@example.com");
  const third = await tokenOf(3);
  await app.as(alice).post(`/api/users/${bob.id}/change-password`, { newPassword: NEW });
  expect((await reset(third)).body.code).toBe("reset_link_invalid");
});

it("a token of another user, another expiry or another form is refused, and many are limited", async () => {
  const { alice, bob, tokenOf, ask, reset } = await start();
  await ask();
  const token = await tokenOf(1);
  const [, expiry = "", nonce = "", signature = ""] = token.split(".");
  const forged = [
    `${alice.id}.${expiry}.${nonce}.${signature}`,
    `${bob.id}.${Number(expiry) + HOUR}.${nonce}.${signature}`,
    `${bob.id}.${expiry}.${nonce}.${signature.slice(1)}A`,
    `${bob.id}.${expiry}.${signature}`,
    `${bob.id}.${expiry}.${nonce}.`,
    `0.${expiry}.${nonce}.${signature}`,
    "",
  ];
  for (const other of forged) expect((await reset(other)).body.code).toBe("reset_link_invalid");
  for (let attempt = 0; attempt < 30; attempt++) await reset("x");
  expect((await reset("x")).body.code).toBe("rate_limited");
});

it("an address without an account gets the same answer and no mail", async () => {
  const { ask, sent, waiting } = await start();
  const [known, unknown] = [await ask(), await ask("stranger@example.com")];
  expect(unknown.text).toBe(known.text);
  await until(async () => sent.length === 1 && (await waiting()) === 0, "the only mail");
  expect(sent[0]?.to).toEqual(["bob@example.com"]);
});

it("three links an hour are sent to an address, whether it has an account or not", async () => {
  const { ask } = await start();
  for (const email of ["bob@example.com", "stranger@example.com"]) {
    for (let time = 0; time < 3; time++) expect((await ask(email)).status).toBe(200);
    expect((await ask(email)).body.code).toBe("rate_limited");
  }
});

it("a weak password leaves the link valid", async () => {
  const { tokenOf, ask, reset } = await start();
  await ask();
  const token = await tokenOf(1);
  expect((await reset(token, "password")).body.code).toBe("weak_password");
  expect((await reset(token)).status).toBe(200);
});

it("without a mail server or a public address no link can be requested, and the sign-in page knows that", async () => {
  for (const env of [{ SMTP_URL: "", MAIL_FROM: "" }, { PUBLIC_URL: "" }] as Record<string, string>[]) {
    const { ask, client } = await start({}, env);
    expect([(await ask()).status, (await ask()).body.code]).toEqual([409, "mail_not_set_up"]);
    expect((await client.get("/api/auth/registration")).body.reset).toBe(false);
  }
  const { client } = await start();
  expect((await client.get("/api/auth/registration")).body.reset).toBe(true);
});

it("a mail that fails is tried again, until it is of no more use", async () => {
  let reply = "451 4.3.0 try again";
  const { app, ask, sent, waiting } = await start({
    answer: (line) => (line.startsWith("MAIL") && reply ? reply : undefined),
  });
  await ask();
  await until(async () => app.logged.some((line) => line.includes("a mail was not sent")), "the first attempt");
  expect([sent.length, await waiting()]).toEqual([0, 1]);
  app.clock.set(app.clock.now() + 10 * MINUTE);
  reply = "";
  await sendDueMails(app.deps);
  expect([sent.length, await waiting()]).toEqual([1, 0]);
  reply = "451 4.3.0 try again";
  await ask();
  // Until it is claimed, a second sender would leave the mail to the first one.
  await until(async () => (await app.db.select().from(mails))[0]?.attempts === 1, "the first attempt");
  app.clock.set(app.clock.now() + DAY);
  await sendDueMails(app.deps);
  expect([sent.length, await waiting()]).toEqual([1, 0]);
});

it("a mail that the server refuses for good is dropped, and so are those of a deleted user", async () => {
  const { app, alice, bob, ask, waiting } = await start({
    answer: (line) => (line.startsWith("RCPT") ? "550 5.1.1 no such user" : undefined),
  });
  await ask();
  await until(async () => app.logged.some((line) => line.includes("a mail was not sent")), "the refusal");
  await until(async () => (await waiting()) === 0, "the mail to be dropped");
  await app.db.insert(mails).values({ userId: bob.id, kind: "password_changed", createdAt: 0, dueAt: 0 });
  await app.as(alice).delete(`/api/users/${bob.id}`);
  expect(await waiting()).toBe(0);
});

it("links are neither stored nor logged", async () => {
  const { app, ask, tokenOf } = await start();
  await ask();
  const token = await tokenOf(1);
  const stored = JSON.stringify([await app.db.select().from(users), await app.db.select().from(mails)]);
  for (const text of [stored, app.logged.join()]) expect(text).not.toContain(token.split(".").at(-1) ?? "");
});

it("an administrator sends a test mail to their own address, and sees what the mail server says", async () => {
  const { app, alice, bob, sent } = await start();
  const { status, body } = await app.as(alice).post("/api/system/mail/test");
  expect([status, body.message]).toEqual([200, "250 queued as 1"]);
  expect(sent[0]).toMatchObject({ from: "wakeful@example.com", to: ["alice@example.com"] });
  expect((await app.as(bob).post("/api/system/mail/test")).body.code).toBe("forbidden");
  await app.as(alice).put(`/api/users/${alice.id}`, { email: null, currentPassword: PASSWORD });
  expect((await app.as(alice).post("/api/system/mail/test")).body.code).toBe("no_email");
});
