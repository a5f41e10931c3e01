import { onTestFinished } from "bun:test";
import { createServer, type Socket } from "node:net";

/** A mail that the server accepted. */
type SmtpMail = { from: string; to: string[]; headers: Record<string, string>; body: string };

type Options = {
  /** The required login; if absent, login is not offered. */
  login?: { user: string; password: string };
  /** Its answer to a command in place of the usual one; null hangs from then on. */
  answer?: (command: string) => string | null | undefined;
};

const readMail = (text: string) => {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  const headers = lines.map((line) => [line.split(":")[0]?.toLowerCase() ?? "", line.slice(line.indexOf(":") + 2)]);
  return { headers: Object.fromEntries(headers) as Record<string, string>, body: rest.join("\r\n\r\n") };
};

/** Handles the commands of one connection. */
const createConversation = ({ login, answer }: Options, mails: SmtpMail[], write: (line: string) => void) => {
  const envelope = { from: "", to: [] as string[] };
  let authenticated = login === undefined;
  let data: string | null = null;
  let hanging = false;
  const addressIn = (command: string) => /<([^>]*)>/.exec(command)?.[1] ?? "";

  const usual = (command: string): string => {
    const verb = command.split(/[ :]/)[0]?.toUpperCase();
    if (verb === "EHLO") return login ? "250-fake.example\r\n250 AUTH PLAIN" : "250 fake.example";
    if (verb === "QUIT") return "221 bye";
    if (verb === "AUTH") {
      const token = Buffer.from(command.split(" ")[2] ?? "", "base64").toString();
      authenticated = token === `\0${login?.user}\0${login?.password}`;
      return authenticated ? "235 accepted" : "535 5.7.8 authentication failed";
    }
    if (!authenticated) return "530 5.7.0 authentication required";
    // One connection may carry several mails.
    if (verb === "MAIL") Object.assign(envelope, { from: addressIn(command), to: [] });
    if (verb === "RCPT") envelope.to.push(addressIn(command));
    if (verb !== "DATA") return "250 ok";
    data = "";
    return "354 go ahead";
  };

  const onLine = (line: string): void => {
    if (data !== null && line !== ".") {
      data += `${line.replace(/^\./, "")}\r\n`;
      return;
    }
    const given = answer?.(line);
    if (given === null) hanging = true;
    if (hanging) return;
    if (data !== null) {
      if (given === undefined) mails.push({ ...envelope, to: [...envelope.to], ...readMail(data) });
      data = null;
      write(given ?? "250 queued as 1");
      return;
    }
    write(given ?? usual(line));
  };
  return onLine;
};

/** A mail server on loopback without encryption that records what it accepts. It stops after the test. */
export const serveSmtp = async (options: Options = {}) => {
  const mails: SmtpMail[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    const onLine = createConversation(options, mails, (line) => void socket.write(`${line}\r\n`));
    let rest = "";
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString()).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine(line);
    });
    socket.write("220 fake.example ESMTP\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address = server.address();
  return { mails, open, port: typeof address === "object" && address ? address.port : 0 };
};
