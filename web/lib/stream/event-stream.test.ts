import { afterEach, expect, test } from "bun:test";
import { createEventParser, openEventStream, type StreamEvent } from "./event-stream";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

type Connection = { headers: Headers; send: (text: string) => void; close: () => void };

/** A server whose answers to each connection the test gives, and a reader of it. */
const setUp = (options: { silence?: number; status?: number } = {}) => {
  const connections: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];
  const server = Bun.serve({
    port: 0,
    // A slow test may leave a stream without data for longer than the default of 10 s.
    idleTimeout: 0,
    fetch: (request) => {
      const { headers } = request;
      if (options.status) {
        connections.push({ headers, send: () => {}, close: () => {} });
        return new Response("no", { status: options.status, headers: { "retry-after": "0" } });
      }
      const body = new ReadableStream({
        start: (controller) => {
          const connection = {
            headers,
            send: (text: string) => controller.enqueue(new TextEncoder().encode(text)),
            close: () => controller.close(),
          };
          connections.push(connection);
          waiting.shift()?.(connection);
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });
  const events: StreamEvent[] = [];
  const listeners = new Set<() => void>();
  const wake = () => {
    for (const listener of [...listeners]) listener();
  };
  let [lost, refused] = [0, 0];
  const failures: number[] = [];
  const stream = openEventStream({
    url: new URL(`http://127.0.0.1:${server.port}/api/live`),
    headers: { authorization: "Bearer token" },
    lastId: null,
    onEvents: (some) => {
      events.push(...some);
      wake();
    },
    onLost: () => {
      lost++;
      wake();
    },
    onRefused: () => {
      refused++;
      wake();
    },
    silence: options.silence ?? 60_000,
    pause: (failed) => {
      failures.push(failed);
      return 1;
    },
  });
  ends.push(() => {
    stream.stop();
    void server.stop(true);
  });
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!holds()) return;
        listeners.delete(check);
        resolve();
      };
      listeners.add(check);
      check();
    });
  const connected = () => new Promise<Connection>((resolve) => waiting.push(resolve));
  return { connections, connected, events, until, stream, failures, lost: () => lost, refused: () => refused };
};

const eventOf = (id: string, data: unknown) => `id: ${id}\nevent: monitor\ndata: ${JSON.stringify(data)}\n\n`;

test("the parser reads events from parts that end anywhere, and ignores comments", () => {
  const text = `: \n\n${eventOf("a-1", { id: 1 })}${eventOf("a-2", { name: "ü: x" })}`;
  for (let size = 1; size < text.length; size++) {
    const parse = createEventParser();
    const found: StreamEvent[] = [];
    for (let from = 0; from < text.length; from += size) found.push(...parse(text.slice(from, from + size)));
    expect(found).toEqual([
      { event: "monitor", id: "a-1", data: { id: 1 } },
      { event: "monitor", id: "a-2", data: { name: "ü: x" } },
    ]);
  }
});

test("the parser refuses an event without an end", () => {
  const parse = createEventParser();
  expect(() => {
    for (let part = 0; part < 3; part++) parse("x".repeat(500_000));
  }).toThrow("too long");
});

test("a stream sends the token, and continues after the last event when it was closed", async () => {
  const { connected, events, until, lost, failures } = setUp();
  const first = await connected();
  expect([first.headers.get("authorization"), first.headers.get("last-event-id")]).toEqual(["Bearer token", null]);
  first.send(eventOf("a-1", { id: 1 }));
  await until(() => events.length === 1);
  const next = connected();
  first.close();
  const second = await next;
  expect([second.headers.get("last-event-id"), lost(), failures]).toEqual(["a-1", 1, [0]]);
  second.send(eventOf("a-2", { id: 2 }));
  await until(() => events.length === 2);
});

test("a silent stream, as behind a proxy that holds events back, is lost and opened again", async () => {
  const { connections, until, lost } = setUp({ silence: 20 });
  await until(() => lost() >= 2 && connections.length >= 2);
});

test("a stream whose token is refused is not opened again", async () => {
  const { connections, until, refused, lost } = setUp({ status: 401 });
  await until(() => refused() === 1);
  expect([connections.length, lost()]).toEqual([1, 0]);
});

test("a stream that the server can't open now is tried again, after longer and longer pauses", async () => {
  const { connections, until, lost, failures } = setUp({ status: 503 });
  await until(() => lost() === 3);
  expect(failures.slice(0, 3)).toEqual([0, 1, 2]);
  expect(connections.length).toBeGreaterThanOrEqual(3);
});

test("an invalid event ends the connection, which is opened again", async () => {
  const { connected, events, until } = setUp();
  const first = await connected();
  const next = connected();
  first.send("data: {broken\n\n");
  (await next).send(eventOf("a-1", { id: 1 }));
  await until(() => events.length === 1);
});

test("a stream that is stopped takes no more events", async () => {
  const { connected, events, until, stream } = setUp();
  const connection = await connected();
  connection.send(eventOf("a-1", { id: 1 }));
  await until(() => events.length === 1);
  stream.stop();
  expect(stream.lastId()).toBe("a-1");
});
