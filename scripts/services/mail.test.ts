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

it("a link to reset a password waits for the mail server, arrives over TLS, and works once", async () => {
  const client = await joinAs(hub, "alice");
  const { id } = client.signedIn.user as { id: number };
  const email = "alice@shop.example";
  expect((await client.put(`/api/users/${id}`, { email, currentPassword: PASSWORD })).status).toBe(200);
  // Nothing listens at the port yet.
  expect((await hub.as().post("/api/auth/forgot", { email })).status).toBe(200);
  await until("a first attempt has failed", async () => hub.log.some((line) => line.includes("a mail was not sent")));

  const server = await startService({
    ...postfix({ certificate: authority.issue(), delivers: "shop.example" }),
    port: mailPort,
  });
  const inbox = join(server.folder, "mail/new");
  const read = () =>
    (existsSync(inbox) ? readdirSync(inbox) : []).map((name) => readFileSync(join(inbox, name), "utf8"));
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
  await until("the notice of the change has arrived", async () => read().length === 2);
}, 300_000);
