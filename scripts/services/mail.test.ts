/** Mail of the hub itself through Debian's Postfix, which puts it into a mailbox. */
import { afterAll, expect, it } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../smoke/lib/free-port";
import { installConsole, joinAs, PASSWORD, signIn, startConsole } from "../smoke/lib/hub";
import { until } from "../smoke/lib/until";
import { createAuthority } from "./lib/authority";
import { postfix } from "./lib/daemons";
import { startService } from "./lib/service";

const authority = createAuthority();
const installation = installConsole();
const mailPort = freePort();
const hub = await startConsole(installation, {
  ...{ SMTP_URL: `smtp://localhost:${mailPort}`, MAIL_FROM: "Wakeful <wakeful@shop.example>" },
  ...{ PUBLIC_URL: "https://watch.shop.example", NODE_EXTRA_CA_CERTS: authority.cert },
});
afterAll(async () => {
  await hub.stop();
  installation.remove();
});

/** The text of a part of a mail, whose lines Postfix keeps as the hub wrote them. */
const decoded = (mail: string) => mail.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "=");

/** Starts Postfix. Returns a function that reads the mails in its mailbox. */
const startMailbox = async () => {
  const server = await startService({
    ...postfix({ certificate: authority.issue(), delivers: "shop.example" }),
    port: mailPort,
  });
  const inbox = join(server.folder, "mail/new");
  return () => (existsSync(inbox) ? readdirSync(inbox) : []).map((name) => readFileSync(join(inbox, name), "utf8"));
};

it("a link to reset a password waits for the mail server, arrives over TLS, and works once; a subscriber confirms, gets an incident and leaves", async () => {
  const client = await joinAs(hub, "alice");
  const { id } = client.signedIn.user as { id: number };
  const email = "alice@shop.example";
  expect((await client.put(`/api/users/${id}`, { email, currentPassword: PASSWORD })).status).toBe(200);
  // Nothing listens at the port yet.
  expect((await hub.as().post("/api/auth/forgot", { email })).status).toBe(200);
  await until("a first attempt has failed", async () => hub.log.some((line) => line.includes("a mail was not sent")));

  const read = await startMailbox();
  const mail = await until("the link has arrived", async () =>
    read().find((text) => decoded(text).includes("/reset#")),
  );
  expect(mail).toMatch(/^From: Wakeful <wakeful@shop\.example>$/m);
  expect(mail).toMatch(/^To: .*alice@shop\.example/m);
  expect(mail).toContain("(Postfix) with ESMTPS id");
  const [, token = ""] = /https:\/\/watch\.shop\.example\/reset#([\w.-]+)/.exec(decoded(mail)) ?? [];
  const password = "another horse battery";
  expect((await hub.as().post("/api/auth/reset", { token, password })).status).toBe(200);
  expect((await signIn(hub, "alice", password)).signedIn.token).not.toBe("");
  const again = await hub.as().post("/api/auth/reset", { token, password: PASSWORD });
  expect([again.status, again.body.code]).toEqual([403, "reset_link_invalid"]);
  // A mail whose delivery was cut off is sent again, so there may be more than one with the link.
  await until("the notice of the change has arrived", async () =>
    read().some((text) => !decoded(text).includes("/reset#")),
  );

  const owner = await joinAs(hub, "bob");
  expect((await owner.post("/api/status/config", { title: "Acme" })).status).toBe(200);
  const [page] = (await owner.get("/api/pages")).body.pages;
  const post = (path: string, body: BodyInit, type: string) =>
    fetch(hub.origin + path, { method: "POST", body, headers: { "content-type": type }, redirect: "manual" });
  const subscription = JSON.stringify({ email: "dora@shop.example", language: "en-US" });
  expect((await post("/status/bob/subscribe", subscription, "application/json")).status).toBe(202);
  const find = (subject: string) => async () => read().find((text) => text.includes(`Subject: ${subject}`));
  const first = await until("the mail that confirms has arrived", find("Confirm your subscription to Acme"));
  const link =
    /https:\/\/watch\.shop\.example(\/status\/bob\/subscription\/[0-9a-z-]+)/.exec(decoded(first))?.[1] ?? "";
  const form = "application/x-www-form-urlencoded";
  expect((await post(link, "action=confirm", form)).status).toBe(303);
  await owner.post("/api/incidents", { title: "Payments fail", body: "We look into it." });
  const update = await until("the incident has arrived", find("[Acme] Investigating: Payments fail"));
  expect(update).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  const header = update.replaceAll(/\r?\n[ \t]+/g, "");
  const leave = /^List-Unsubscribe: ?<https:\/\/watch\.shop\.example([^>]+)>$/m.exec(header)?.[1] ?? "";
  expect((await post(leave, "List-Unsubscribe=One-Click", form)).status).toBe(200);
  expect((await owner.get(`/api/pages/${page?.id}/subscribers`)).body.total).toBe(0);
}, 300_000);
