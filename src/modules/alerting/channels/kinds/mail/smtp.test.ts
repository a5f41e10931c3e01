import { expect, it, spyOn } from "bun:test";
import { Socket } from "node:net";
import { readConfig } from "../../../../../core/config";
import { createHeldClock, START } from "../../../../../testing/clock";
import { alertEvent } from "../../../../../testing/fixtures/alert-events";
import { closedPort } from "../../../../../testing/servers/raw";
import { serveSmtp } from "../../../../../testing/servers/smtp";
import { testOutbound } from "../../../../../testing/servers/target-of";
import { sendTo } from "../../send";
import { smtp } from "./smtp";

const MESSAGE = {
  title: "🔴 <b>shop</b>\r\nBcc: x@y.example",
  lines: ['Reason: "1" < 2 & 3', ".", "名称"],
  link: "https://watch.example/monitors/7",
};
const EVENT = alertEvent("down", { targetName: "shop" });

/** Sends a message by a mail server on this port. */
const send = (port: number, config: Record<string, string> = {}, privateTargets = "all", env = {}) => {
  const deps = {
    config: readConfig({ NODE_ENV: "test", PRIVATE_TARGETS: privateTargets, ...env }),
    outbound: testOutbound,
    clock: createHeldClock(),
  };
  const channel = {
    ...{ host: "127.0.0.1", port: String(port), security: "none" },
    ...{ from: "Wakeful <alerts@wakeful.example>", to: "bob@shop.example, ops@shop.example" },
    ...config,
  };
  const owner = { id: 1, role: "user" } as const;
  const attempt = { key: "wakeful-1-2-3", number: 1, since: START };
  return sendTo(
    deps,
    { type: "smtp", config: channel, owner },
    { ...MESSAGE, event: EVENT, language: "en-US" },
    attempt,
  );
};

it("the client greets a mail server with the host of PUBLIC_URL", async () => {
  const greetings: string[] = [];
  const { port } = await serveSmtp({
    answer: (line) => {
      if (line.startsWith("EHLO")) greetings.push(line);
      return undefined;
    },
  });
  await send(port, {}, "all", { PUBLIC_URL: "https://watch.example:8443/up" });
  expect(greetings).toEqual(["EHLO watch.example"]);
});

it("a mail has text and HTML, an id that stays the same, and the thread of its monitor", async () => {
  const { mails, port } = await serveSmtp();
  expect(await send(port)).toEqual({ sent: true, reply: "250 queued as 1" });
  expect(mails).toMatchObject([
    {
      from: "alerts@wakeful.example",
      to: ["bob@shop.example", "ops@shop.example"],
      headers: {
        from: "Wakeful <alerts@wakeful.example>",
        "message-id": "<wakeful-1-2-3@wakeful.example>",
        references: "<wakeful-watch.example-monitor-7-state@wakeful.example>",
        "auto-submitted": "auto-generated",
        "list-id": "Wakeful <wakeful.wakeful.example>",
      },
    },
  ]);
  const [mail] = mails;
  expect(Object.keys(mail?.headers ?? {})).not.toContain("bcc");
  expect(mail?.body).toContain("text/plain");
  expect(mail?.body).toContain("text/html");
  expect(mail?.body).not.toContain("<b>shop</b>");
});

it("a server that requires a login gets it, and a wrong password ends the delivery in the server's words", async () => {
  const { mails, port } = await serveSmtp({ login: { user: "alerts", password: "right password" } });
  expect(await send(port, { user: "alerts", password: "right password" })).toMatchObject({ sent: true });
  expect(await send(port, { user: "alerts", password: "wrong password" })).toEqual({
    sent: false,
    error: { code: "rejected", detail: { status: 535, reply: "5.7.8 authentication failed" } },
    refused: true,
  });
  expect(mails).toHaveLength(1);
});

it("a refusal for good ends the delivery, and one for now is retried", async () => {
  for (const [answer, refused] of [
    ["554 5.7.1 spam", true],
    ["451 4.7.1 greylisted", false],
    ["421 4.3.2 too many connections", false],
  ] as const) {
    const { port } = await serveSmtp({ answer: (command) => (command.startsWith("MAIL") ? answer : undefined) });
    const status = Number(answer.slice(0, 3));
    expect(await send(port)).toEqual({
      sent: false,
      error: { code: "rejected", detail: { status, reply: answer.slice(4) } },
      refused,
    });
  }
});

it("a recipient that is refused does not keep the mail from the others", async () => {
  const { mails, port } = await serveSmtp({
    answer: (command) => (command.startsWith("RCPT TO:<ops") ? "550 5.1.1 no such user" : undefined),
  });
  expect(await send(port)).toEqual({ sent: true, reply: "250 queued as 1 (refused: ops@shop.example)" });
  expect(mails.map(({ to }) => to)).toEqual([["bob@shop.example"]]);
});

it("encryption that the server does not offer is an error, and the password is not sent", async () => {
  const commands: string[] = [];
  const { port } = await serveSmtp({
    login: { user: "alerts", password: "secret password" },
    answer: (command) => {
      commands.push(command);
      return undefined;
    },
  });
  const answer = await send(port, { security: "starttls", user: "alerts", password: "secret password" });
  expect(answer).toMatchObject({ sent: false });
  expect(commands.some((command) => command.startsWith("AUTH"))).toBe(false);
});

it("a host where nothing listens is tried again, and a private address is refused where it is not allowed", async () => {
  const port = await closedPort();
  expect(await send(port)).toMatchObject({ sent: false, refused: false, error: { code: "no_answer" } });
  expect(await send(port, {}, "none")).toMatchObject({ sent: false, refused: true });
});

it("a server that stops after the text of a mail is given up, and the mail is sent again", async () => {
  const { timeout } = AbortSignal;
  const spy = spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) =>
    timeout.call(AbortSignal, milliseconds / 60),
  );
  try {
    const { port } = await serveSmtp({ answer: (command) => (command === "." ? null : undefined) });
    expect(await send(port)).toEqual({
      sent: false,
      error: { code: "timeout", detail: { seconds: 10 } },
      refused: false,
    });
  } finally {
    spy.mockRestore();
  }
});

it("a connection that is lost before the client uses it is tried again, and does not end the process", async () => {
  const connection = new Socket();
  const connect = async () => {
    queueMicrotask(() => connection.destroy(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })));
    return connection;
  };
  const exchange = () => Promise.reject(new Error("no request is made"));
  const message = { ...MESSAGE, text: "down", body: "down", event: EVENT, language: "en-US" as const };
  const attempt = { key: "wakeful-1-2-3", now: START, number: 1, age: 0, config: readConfig({ NODE_ENV: "test" }) };
  const config = { host: "mail.example", security: "none", from: "alerts@wakeful.example", to: "bob@shop.example" };
  expect(await smtp.send(config, message, attempt, { exchange, connect })).toEqual({
    sent: false,
    error: { code: "no_answer", detail: { cause: "read ECONNRESET" } },
    refused: false,
  });
});

it("a connection is closed after a mail and after a refusal", async () => {
  const { port, open } = await serveSmtp({ answer: (command) => (command === "." ? "554 no" : undefined) });
  await send(port);
  const [socket] = open;
  await new Promise<void>((resolve) => (socket?.closed ? resolve() : socket?.once("close", () => resolve())));
  expect(socket?.closed).toBe(true);
});
