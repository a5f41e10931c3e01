import { onTestFinished } from "bun:test";
import { createSocket } from "node:dgram";
import { createServer } from "node:net";

/** A name in a message, without compression. */
export const wireName = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split(".")
      .filter(Boolean)
      .flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]),
    Buffer.from([0]),
  ]);

const words = (...numbers: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt16BE(number, 2 * index);
  return bytes;
};

/** A record with its data in bytes. `owner` may be the bytes of a compressed name. */
export const wireRecord = (owner: string | Buffer, type: number, data: Buffer): Buffer =>
  Buffer.concat([typeof owner === "string" ? wireName(owner) : owner, words(type, 1, 0, 60, data.length), data]);

/** The name of the question, as an owner of records: it is at byte 12. */
export const QUESTION = Buffer.from([0xc0, 12]);

/** The question of a query, without what follows it. */
const questionOf = (query: Buffer): Buffer => {
  let end = 12;
  while (query[end]) end += (query[end] ?? 0) + 1;
  return query.subarray(12, end + 5);
};

type Reply = { code?: number; flags?: number; id?: number; answers?: Buffer[]; authorities?: Buffer[] };

/** The answer to a query. */
export const replyTo = (
  query: Buffer,
  { code = 0, flags = 0x8180, id, answers = [], authorities = [] }: Reply,
): Buffer =>
  Buffer.concat([
    words(id ?? query.readUInt16BE(0), flags | code, 1, answers.length, authorities.length, 0),
    questionOf(query),
    ...answers,
    ...authorities,
  ]);

export type Handler = (query: Buffer, over: "udp" | "tcp") => Buffer | Buffer[] | null;

/** A name server on loopback, by UDP and TCP. Answers with the handler's result until the test ends. */
export const serveNames = async (handle: Handler) => {
  const asked: string[] = [];
  const answersTo = (query: Buffer, over: "udp" | "tcp") => {
    asked.push(over);
    return [handle(query, over) ?? []].flat();
  };
  const stream = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => {
      for (const answer of answersTo(bytes.subarray(2), "tcp")) {
        socket.write(Buffer.concat([words(answer.length), answer]));
      }
    });
  });
  await new Promise<void>((resolve) => stream.listen(0, "127.0.0.1", resolve));
  const { port } = stream.address() as { port: number };
  const datagrams = createSocket("udp4");
  datagrams.on("message", (bytes, { address, port: from }) => {
    for (const answer of answersTo(bytes, "udp")) datagrams.send(answer, from, address);
  });
  await new Promise<void>((resolve) => datagrams.bind(port, "127.0.0.1", () => resolve()));
  onTestFinished(() => {
    stream.close();
    datagrams.close();
  });
  return { server: `127.0.0.1:${port}`, port, asked };
};
