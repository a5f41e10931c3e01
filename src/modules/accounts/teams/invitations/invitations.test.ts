import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { invitations, mails, members, users } from "../../../../db/schema";
import { HOUR, MINUTE } from "../../../../shared/limits";
import { createTestApp } from "../../../../testing/app";
import { until } from "../../../../testing/clock";
import { serveSmtp } from "../../../../testing/servers/smtp";
import { sendDueMails } from "../../mail/send";
import { purgeInvitations } from "./service";

const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code] as const;
const INVALID = [403, "invitation_invalid"] as const;

const start = async (env: Record<string, string> = {}) => {
  const app = await createTestApp({ env });
  const people = await app.people();
  const bob = app.as(people.bob);
  const { team } = (await bob.post("/api/teams", { name: "Shop" })).body;
  const invite = async (body: object = { role: "editor" }) => {
    const { status, body: made } = await bob.post(`/api/teams/${team.id}/invitations`, body);
    expect(status).toBe(201);
    return made;
  };
  const accept = (user: typeof people.bob, token: string) => app.as(user).post(`/api/invitations/${token}/accept`);
  const preview = (token: string) => app.anybody.post("/api/invitations/preview", { token });
  const listed = async () => (await bob.get(`/api/teams/${team.id}/invitations`)).body.invitations;
  return { app, ...people, shop: team.id, invite, accept, preview, listed };
};

it("a link shows who invites to which team, and makes its reader a member once", async () => {
  const { app, charlie, alice, shop, invite, accept, preview, listed } = await start();
  const { token, invitation, mailed } = await invite();
  expect([mailed, invitation.email, invitation.invited_by]).toEqual([false, null, "bob"]);
  expect((await listed()).length).toBe(1);
  for (let times = 0; times < 2; times++)
    expect((await preview(token)).body).toMatchObject({ team: "Shop", role: "editor", invited_by: "bob" });
  expect((await accept(charlie, token)).body.team).toMatchObject({
    id: shop,
    name: "Shop",
    role: "editor",
    members: 2,
  });
  expect(codeOf(await accept(alice, token))).toEqual(INVALID);
  expect(codeOf(await preview(token))).toEqual(INVALID);
  expect(await listed()).toEqual([]);
  expect((await app.as(charlie).get("/api/teams")).body.teams.map(({ name }) => name)).toEqual(["charlie", "Shop"]);
});

it("of two users who accept a link at once, one becomes a member", async () => {
  const { app, alice, charlie, shop, invite, accept } = await start();
  const { token } = await invite();
  const answers = await Promise.all([accept(alice, token), accept(charlie, token)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  expect(await app.db.$count(members, eq(members.teamId, shop))).toBe(2);
});

it("a link works for 72 hours, until it is revoked or its team is deleted", async () => {
  const { app, bob, charlie, shop, invite, accept, listed } = await start();
  const expiring = await invite();
  app.clock.set(app.clock.now() + 72 * HOUR);
  expect(codeOf(await accept(charlie, expiring.token))).toEqual(INVALID);
  expect(await listed()).toEqual([]);
  await purgeInvitations(app.deps);
  expect(await app.db.$count(invitations)).toBe(0);
  const revoked = await invite();
  const path = `/api/teams/${shop}/invitations/${revoked.invitation.id}`;
  expect([(await app.as(bob).delete(path)).status, (await app.as(bob).delete(path)).status]).toEqual([200, 404]);
  expect(codeOf(await accept(charlie, revoked.token))).toEqual(INVALID);
  const orphaned = await invite();
  await app.as(bob).delete(`/api/teams/${shop}`);
  expect(codeOf(await accept(charlie, orphaned.token))).toEqual(INVALID);
});

it("tokens of another form, invitation or signature are refused, and many are limited", async () => {
  const { invite, preview } = await start();
  const [first, second] = [await invite(), await invite()];
  const [id, signature = ""] = first.token.split(".");
  const forged = [
    "x",
    `${id}.`,
    `${id}.${signature.slice(1)}A`,
    `${second.invitation.id}.${signature}`,
    `999.${signature}`,
  ];
  for (const token of forged) expect(codeOf(await preview(token))).toEqual(INVALID);
  for (let attempt = forged.length; attempt < 30; attempt++) await preview("x");
  expect((await preview("x")).body.code).toBe("rate_limited");
});

it("a member who opens a link stays what they are, and the link stays valid", async () => {
  const { alice, bob, charlie, invite, accept } = await start();
  const first = await invite({ role: "editor" });
  await accept(charlie, first.token);
  const second = await invite({ role: "viewer" });
  for (const member of [charlie, bob])
    expect(codeOf(await accept(member, second.token))).toEqual([409, "already_member"]);
  expect((await accept(alice, second.token)).status).toBe(200);
});

it("a second invitation to an address replaces the first, and a team has at most 50", async () => {
  const { app, bob, charlie, shop, invite, accept, listed } = await start();
  const first = await invite({ role: "viewer", email: "carol@example.com" });
  await invite({ role: "editor", email: "Carol@Example.com" });
  expect((await listed()).map(({ email, role }) => [email, role])).toEqual([["Carol@Example.com", "editor"]]);
  expect(codeOf(await accept(charlie, first.token))).toEqual(INVALID);
  for (let more = 1; more < 50; more++) await invite();
  const refused = await app.as(bob).post(`/api/teams/${shop}/invitations`, { role: "viewer" });
  expect(codeOf(refused)).toEqual([409, "too_many_invitations"]);
  await invite({ role: "viewer", email: "carol@example.com" });
  expect((await listed()).length).toBe(50);
});

it("roles and addresses that do not exist are refused", async () => {
  const { app, bob, shop } = await start();
  for (const body of [{ role: "admin" }, {}, { role: "viewer", email: "carol" }, { role: "viewer", email: "a@b.c\nx" }])
    expect(codeOf(await app.as(bob).post(`/api/teams/${shop}/invitations`, body))).toEqual([422, "validation"]);
});

it("an API key neither invites nor accepts", async () => {
  const { app, bob, shop, invite } = await start();
  const { key } = (await app.as(bob).post("/api/keys", { name: "x", scope: "full" })).body;
  const client = app.as({ ...bob, token: key });
  const { token } = await invite();
  expect(codeOf(await client.post(`/api/teams/${shop}/invitations`, { role: "owner" }))).toEqual([
    403,
    "session_required",
  ]);
  expect(codeOf(await client.post(`/api/invitations/${token}/accept`))).toEqual([403, "session_required"]);
});

it("the link is sent by mail, and another account than its address may accept it, which is logged", async () => {
  const { mails: sent, port } = await serveSmtp();
  const { app, alice, charlie, invite, accept } = await start({
    SMTP_URL: `smtp://127.0.0.1:${port}?security=none`,
    MAIL_FROM: "Wakeful <wakeful@example.com>",
    PUBLIC_URL: "https://watch.example",
  });
  await app.db.update(users).set({ language: "en-US" });
  const { token, mailed } = await invite({ role: "viewer", email: "carol@example.com" });
  expect(mailed).toBe(true);
  await until(async () => sent.length === 1 && (await app.db.$count(mails)) === 0, "the mail to be sent");
  expect(sent[0]).toMatchObject({ to: ["carol@example.com"], headers: { subject: "bob invites you to Shop" } });
  const text = Buffer.from(sent[0]?.body ?? "")
    .toString()
    .replace(/=\r\n/g, "")
    .replaceAll("=3D", "=");
  expect(text).toContain(`https://watch.example/invitation#${token}`);
  expect((await accept(charlie, token)).status).toBe(200);
  const [entry] = (await app.as(alice).get("/api/security-log")).body.entries;
  expect([entry?.username, entry?.kind, entry?.detail]).toEqual([
    "charlie",
    "invitation_accepted",
    "Shop, carol@example.com (viewer)",
  ]);
  expect(app.logged.join()).not.toContain(token.split(".")[1] ?? "");
});

it("the mail of a revoked invitation is not sent, and a user sends at most 30 an hour", async () => {
  const { mails: sent, port } = await serveSmtp({ answer: () => "451 4.3.0 try again" });
  const { app, bob, shop, invite } = await start({
    SMTP_URL: `smtp://127.0.0.1:${port}?security=none`,
    MAIL_FROM: "Wakeful <wakeful@example.com>",
    PUBLIC_URL: "https://watch.example",
  });
  const revoke = async (id: number) => app.as(bob).delete(`/api/teams/${shop}/invitations/${id}`);
  for (let count = 0; count < 30; count++)
    await revoke((await invite({ role: "viewer", email: `${count}@example.com` })).invitation.id);
  app.clock.set(app.clock.now() + MINUTE);
  for (let batch = 0; batch < 2; batch++) await sendDueMails(app.deps);
  expect([sent.length, await app.db.$count(mails)]).toEqual([0, 0]);
  const refused = await app.as(bob).post(`/api/teams/${shop}/invitations`, { role: "viewer", email: "x@example.com" });
  expect(refused.body.code).toBe("rate_limited");
});
