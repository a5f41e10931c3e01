/** Sends a DNS query to name servers and waits for the answer: by UDP, and by TCP when the answer is truncated. */
import { createSocket } from "node:dgram";
import { isIP } from "node:net";
import { systemClock } from "../../lib/time";
import { SECOND } from "../../shared/limits";
import { LocalFailure, localConditionOf } from "../local-failure";
import type { Caller, Outbound } from "../outbound";
import { type Answer, isAnswerTo, type Query, readAnswer, writeQuery } from "./message";

/** A name server at an address that the caller may reach. */
export type NameServer = { address: string; port: number };

/** The shared input of the queries to several name servers. */
type Context = { query: Query; outbound: Outbound; caller: Caller; signal: AbortSignal };

/** Milliseconds until a query by UDP is sent again, doubled each time, and until a second name server is asked, too. */
const RESEND = SECOND;
const NEXT_SERVER = 2 * SECOND;

const FORMAT_ERROR = 1;
const SERVER_FAILURE = 2;
const NOT_IMPLEMENTED = 4;
const REFUSED = 5;

/** The answer has the right id and question, but can't be read. */
export class InvalidAnswer extends Error {
  override name = "InvalidAnswer";
}

/** Settles with the work, or rejects with the signal's reason, and then runs `end`. */
const untilAborted = async <T>(signal: AbortSignal, work: Promise<T>, end: () => void): Promise<T> => {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
    end();
  }
};

const readValid = (bytes: Buffer): Answer => {
  const answer = readAnswer(bytes);
  if (!answer) throw new InvalidAnswer();
  return answer;
};

/** Asks by UDP until an answer arrives. Messages that answer another query are ignored. */
const askByUdp = ({ address, port }: NameServer, message: Buffer, { query, signal }: Context): Promise<Answer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const socket = createSocket(isIP(address) === 6 ? "udp6" : "udp4");
  const fail = (error: Error) => {
    const condition = localConditionOf(error, address);
    reject(condition ? new LocalFailure(condition) : error);
  };
  let open = true;
  const send = async () => {
    for (let wait = RESEND; open; wait *= 2) {
      socket.send(message, (error) => error && fail(error));
      await systemClock.sleep(wait);
    }
  };
  socket.on("error", fail);
  socket.on("message", (bytes) => isAnswerTo(bytes, query) && resolve(bytes));
  // Without a way to the address, the socket can't be connected, and Bun gives no code.
  const start = (error?: Error) =>
    error ? fail(Object.assign(error, { code: "ENETUNREACH" })) : void send().catch(fail);
  // Connected, so that the system accepts messages of this server only, and reports a closed port.
  socket.connect(port, address, start as () => void);
  return untilAborted(signal, promise.then(readValid), () => {
    open = false;
    socket.close();
  });
};

/** Asks by TCP, where each message has its length before it. */
const askByTcp = async (server: NameServer, message: Buffer, context: Context): Promise<Answer> => {
  const { query, outbound, caller, signal } = context;
  const socket = await outbound.connect({ hostname: server.address, port: server.port, caller, signal });
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let received = Buffer.alloc(0);
  socket.on("data", (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
    resolve(received.subarray(2, 2 + received.readUInt16BE(0)));
  });
  socket.on("error", reject);
  socket.on("close", () => reject(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  socket.write(Buffer.concat([length, message]));
  const read = (bytes: Buffer) => {
    if (!isAnswerTo(bytes, query)) throw new InvalidAnswer();
    return readValid(bytes);
  };
  return untilAborted(signal, promise.then(read), () => socket.destroy());
};

/** Asks one name server, again without EDNS if the server does not support it. */
const askServer = async (server: NameServer, context: Context): Promise<Answer> => {
  const ask = async (message: Buffer) => {
    const answer = await askByUdp(server, message, context);
    return answer.truncated ? askByTcp(server, message, context) : answer;
  };
  const answer = await ask(writeQuery(context.query, true));
  const isUnknown = answer.code === FORMAT_ERROR || answer.code === NOT_IMPLEMENTED;
  return isUnknown ? ask(writeQuery(context.query, false)) : answer;
};

const isUseful = ({ code }: Answer) => ![SERVER_FAILURE, NOT_IMPLEMENTED, REFUSED].includes(code);

/**
 * Asks name servers that know the same names: the next one when one fails, or has not answered for two seconds. Returns
 * the first answer that is no failure of the server, otherwise the last failure.
 * @throws {LocalFailure | InvalidAnswer}, a socket's error, or the signal's reason
 */
export const ask = async (servers: NameServer[], { signal, ...context }: Context): Promise<Answer> => {
  const done = new AbortController();
  const shared = { ...context, signal: AbortSignal.any([signal, done.signal]) };
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  let left = servers.length;
  let asked = 0;
  const askNext = async (): Promise<void> => {
    const server = servers[asked++];
    if (!server) return;
    let silent = true;
    void systemClock.sleep(NEXT_SERVER).then(() => {
      if (silent && !done.signal.aborted) void askNext();
    });
    try {
      const answer = await askServer(server, shared);
      if (isUseful(answer) || --left === 0) resolve(answer);
      else void askNext();
    } catch (error) {
      if (--left === 0 || signal.aborted) reject(error);
      else void askNext();
    } finally {
      silent = false;
    }
  };
  void askNext();
  try {
    return await promise;
  } finally {
    done.abort();
  }
};
