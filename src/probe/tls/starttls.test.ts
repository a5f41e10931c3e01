import { describe, expect, it, onTestFinished } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { STARTTLS_PROTOCOLS, type StarttlsProtocol } from "../../shared/monitor";
import { makeCertificate } from "../../testing/servers/certificates";
import { failureOf } from "../outcome";
import { startTls } from "./starttls";
import { upgrade } from "./upgrade";

type Script = { greeting: string; answers: Record<string, string> };

const SSL_REQUEST = "\x00\x00\x00\x08\x04\xd2\x16\x2f";

/** A valid exchange before TLS in each protocol. */
const GOOD: Record<StarttlsProtocol, Script> = {
  smtp: {
    greeting: "220-mail.test\r\n220 ESMTP\r\n",
    answers: { EHLO: "250-mail.test\r\n250-SIZE\r\n250-STARTTLS\r\n250 8BITMIME\r\n", STARTTLS: "220 ready\r\n" },
  },
  imap: { greeting: "* OK ready\r\n", answers: { a1: "* CAPABILITY IMAP4rev1\r\na1 OK begin\r\n" } },
  pop3: { greeting: "+OK ready\r\n", answers: { STLS: "+OK begin\r\n" } },
  ftp: { greeting: "220 ready\r\n", answers: { AUTH: "234 begin\r\n" } },
  postgres: { greeting: "", answers: { [SSL_REQUEST]: "S" } },
};

const listen = async (behave: (socket: Socket) => void): Promise<number> => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    behave(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
};

/** Follows a script; after the last answer, `then` handles the rest of the connection. */
const serve = ({ greeting, answers }: Script, then: (socket: Socket, first: Buffer) => void = () => {}) =>
  listen((socket) => {
    socket.write(greeting);
    let left = Object.keys(answers).length;
    socket.on("data", function onData(chunk) {
      if (left === 0) {
        socket.off("data", onData);
        then(socket, Buffer.from(chunk));
        return;
      }
      const key = Object.keys(answers).find((start) => chunk.toString("latin1").startsWith(start));
      if (key) {
        left--;
        socket.write(answers[key] ?? "");
      } else socket.end("500 what?\r\n");
    });
  });

const connected = (port: number) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.once("connect", () => resolve(socket)).once("error", reject);
  });

/** The code of the error of beginning TLS with a scripted server. */
const errorOf = async (protocol: StarttlsProtocol, script: Script, milliseconds = 2000) => {
  const socket = await connected(await serve(script));
  const error = await startTls(socket, protocol, AbortSignal.timeout(milliseconds)).then(
    () => null,
    (reason) => failureOf(reason, { timeout: 2 }),
  );
  socket.destroy();
  return error;
};

describe("STARTTLS", () => {
  for (const protocol of STARTTLS_PROTOCOLS) {
    it(`is followed by a TLS connection over the same socket with ${protocol}`, async () => {
      const pair = makeCertificate({ name: "mail.test", days: 9 });
      const secured = createTlsServer(pair, (socket) => {
        socket.on("error", () => {});
      });
      await new Promise<void>((resolve) => secured.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void secured.close());
      const { port } = secured.address() as { port: number };
      const relayed = await serve(GOOD[protocol], (socket, first) => {
        const behind = connect({ host: "127.0.0.1", port }, () => behind.write(first));
        behind.on("error", () => {});
        socket.pipe(behind).pipe(socket);
      });
      const socket = await connected(relayed);
      const signal = AbortSignal.timeout(5000);
      await startTls(socket, protocol, signal);
      const secure = await upgrade(socket, { hostname: "mail.test", acceptSelfSigned: true, signal });
      expect(secure.getProtocol()).toStartWith("TLS");
      secure.destroy();
    });
  }

  it("is refused by a server that does not offer it", async () => {
    const { smtp, imap, pop3, ftp, postgres } = GOOD;
    const refused = { code: "tls_no_starttls", detail: null } as const;
    expect(await errorOf("smtp", { ...smtp, answers: { EHLO: "250-mail.test\r\n250 SIZE\r\n" } })).toEqual(refused);
    expect(await errorOf("smtp", { ...smtp, answers: { ...smtp.answers, STARTTLS: "454 no\r\n" } })).toEqual(refused);
    expect(await errorOf("imap", { ...imap, answers: { a1: "a1 BAD unknown\r\n" } })).toEqual(refused);
    expect(await errorOf("pop3", { ...pop3, answers: { STLS: "-ERR unknown\r\n" } })).toEqual(refused);
    expect(await errorOf("ftp", { ...ftp, answers: { AUTH: "530 no\r\n" } })).toEqual(refused);
    expect(await errorOf("postgres", { ...postgres, answers: { [SSL_REQUEST]: "N" } })).toEqual(refused);
  });

  it("fails with a server of another protocol", async () => {
    const other = { code: "protocol_mismatch", detail: { protocol: "SMTP" } } as const;
    expect(await errorOf("smtp", { greeting: "SSH-2.0-OpenSSH\n220 x\r\n", answers: {} })).toEqual(other);
    expect(await errorOf("smtp", { greeting: "* OK IMAP ready\r\n", answers: {} })).toEqual(other);
    const busy = { code: "protocol_error", detail: { protocol: "SMTP", code: "554" } } as const;
    expect(await errorOf("smtp", { greeting: "554 no mail here\r\n", answers: {} })).toEqual(busy);
    expect((await errorOf("imap", { greeting: "* BYE busy\r\n", answers: {} }))?.code).toBe("protocol_mismatch");
    expect(await errorOf("smtp", { greeting: "x".repeat(100_000), answers: {} })).toEqual(other);
  });

  it("fails when plain text follows the answer that begins TLS", async () => {
    const { smtp, postgres } = GOOD;
    const answers = { ...smtp.answers, STARTTLS: "220 ready\r\n250 injected\r\n" };
    expect((await errorOf("smtp", { ...smtp, answers }))?.code).toBe("protocol_mismatch");
    const injected = { ...postgres, answers: { [SSL_REQUEST]: "SZ" } };
    expect((await errorOf("postgres", injected))?.code).toBe("protocol_mismatch");
  });

  it("fails when the server is silent or closes the connection", async () => {
    expect((await errorOf("smtp", { greeting: "220-slow\r\n", answers: {} }, 50))?.code).toBe("timeout");
    const closing = await connected(await listen((socket) => socket.end("220-bye\r\n")));
    const error = await startTls(closing, "smtp", AbortSignal.timeout(2000)).catch((reason) => reason);
    expect(failureOf(error, { timeout: 2 }).code).toBe("reset");
  });
});
