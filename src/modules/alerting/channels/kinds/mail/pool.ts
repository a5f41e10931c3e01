/** Many mails through one mail server: connections are kept between mails. */
import type { Socket } from "node:net";
import type { ChannelConfig } from "../../../../../shared/channel-fields";
import { SECOND } from "../../../../../shared/limits";
import { clientOptions } from "./smtp";

/** Connections at once, mails through each of them, and how long one is kept without a mail. */
const [CONNECTIONS, PER_CONNECTION, IDLE] = [4, 100, 5 * SECOND];
/** The time limit of one mail, including its wait for a connection (ms). */
const DEADLINE = 60 * SECOND;

export type PooledMail = {
  from: { name: string; address: string };
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  references?: string;
  headers: Record<string, string>;
};

/**
 * How a mail ended. `bounced`: its recipient was refused for good; `refused`: the mail itself was; `later`: it may be accepted
 * later; `unavailable`: the server takes no mails now.
 */
type MailOutcome = { state: "sent" | "bounced" | "refused" | "later" | "unavailable"; reply: string };

type Failure = { code?: string; command?: string; responseCode?: number; response?: string; message?: string };

const outcomeOf = ({ code = "", command, responseCode, response, message = "" }: Failure): MailOutcome => {
  const reply = (response ?? message).slice(0, 300);
  // The sender and the login belong to the hub: refusals of these say nothing about the recipient.
  const isAboutMail = (code === "EENVELOPE" && command !== "MAIL FROM") || code === "EMESSAGE";
  if (!isAboutMail || responseCode === 421) return { state: "unavailable", reply };
  if (responseCode !== undefined && responseCode < 500) return { state: "later", reply };
  return { state: code === "EENVELOPE" && command !== "DATA" ? "bounced" : "refused", reply };
};

type Options = {
  server: ChannelConfig;
  publicUrl: string;
  /** @throws where there is no connection */
  connect: (hostname: string, port: number) => Promise<Socket>;
};

/** Creates the connections to a mail server, which open when they are needed. */
export const createMailPool = async ({ server, publicUrl, connect }: Options) => {
  // Loaded when it is first needed: most installations send no mail themselves.
  const { createTransport } = await import("nodemailer");
  const options = clientOptions(server, publicUrl);
  const pool = createTransport({
    ...options,
    ...{ pool: true as const, maxConnections: CONNECTIONS, maxMessages: PER_CONNECTION, idleTimeout: IDLE },
    getSocket: (_: unknown, done: (error: Error | null, socket?: { connection: Socket }) => void) => {
      connect(options.host, options.port).then(
        (connection) => {
          // The client handles errors only from its first turn on.
          connection.on("error", () => {});
          done(null, { connection });
        },
        (error: Error) => done(error),
      );
    },
  });
  // Failures without a mail, such as of a connection that opens, also fail the mails that wait for it.
  pool.on("error", () => {});
  return {
    send: async (mail: PooledMail): Promise<MailOutcome> => {
      try {
        const { response } = await pool.sendMail({ ...mail, signal: AbortSignal.timeout(DEADLINE) });
        return { state: "sent", reply: response };
      } catch (error) {
        return outcomeOf(error as Failure);
      }
    },
    close: (): void => pool.close(),
  };
};

export type MailPool = Awaited<ReturnType<typeof createMailPool>>;
