import { describe, expect, it, onTestFinished } from "bun:test";
import { connect } from "node:net";
import { systemClock } from "../lib/time";
import { until } from "../testing/clock";
import { addMonitor } from "../testing/fixtures/monitors";
import { publish } from "../testing/fixtures/status-page";
import { startTestServer } from "../testing/servers/hub";

/** Sends bytes, then a valid request with `Connection: close`, and returns everything that was received. */
const exchangeAll = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = "";
    const last = "GET /robots.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes + last, "latin1"));
    socket.setTimeout(2000, () => socket.destroy());
    socket.on("data", (data) => {
      answer += data.toString("latin1");
      if (answer.includes("User-agent: *")) socket.destroy();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
  });

const SMUGGLED = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
const post = (headers: string, body: string) =>
  `POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
const chunked = `0\r\n\r\n${SMUGGLED}`;
const CHUNKED_SPELLINGS = [
  "chunked, identity",
  "identity, chunked",
  "xchunked",
  "chunked ",
  '"chunked"',
  "chunked;q=1",
];

const AMBIGUOUS: [string, string][] = [
  ["both lengths", post(`Content-Length: ${chunked.length}\r\nTransfer-Encoding: chunked`, chunked)],
  [
    "both lengths, the other way",
    post(`Transfer-Encoding: chunked\r\nContent-Length: 4`, `2b\r\n${SMUGGLED}\r\n0\r\n\r\n`),
  ],
  ["two lengths", post(`Content-Length: 0\r\nContent-Length: ${SMUGGLED.length}`, SMUGGLED)],
  ["two lengths in one", post(`Content-Length: 0, ${SMUGGLED.length}`, SMUGGLED)],
  ["a negative length", post("Content-Length: -1", SMUGGLED)],
  ["a signed length", post(`Content-Length: +${SMUGGLED.length}`, SMUGGLED)],
  ["a hexadecimal length", post("Content-Length: 0x2b", SMUGGLED)],
  ["a huge length", post("Content-Length: 99999999999999999999", SMUGGLED)],
  ["two encodings", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", chunked)],
  ["a blank before the colon", post("Transfer-Encoding : chunked", chunked)],
  ["a folded header", post("X-A: b\r\n Transfer-Encoding: chunked", chunked)],
  ["a bare line feed", `GET / HTTP/1.1\nHost: localhost\n\n${SMUGGLED}`],
  ["a chunk that lies", post("Transfer-Encoding: chunked", `zz\r\n${SMUGGLED}\r\n0\r\n\r\n`)],
  ["a chunk of negative size", post("Transfer-Encoding: chunked", `-1\r\n${SMUGGLED}\r\n0\r\n\r\n`)],
  ...CHUNKED_SPELLINGS.map((spelling): [string, string] => [
    `the encoding ${spelling}`,
    post(`Transfer-Encoding: ${spelling}\r\nContent-Length: ${chunked.length}`, chunked),
  ]),
];

describe("a request with an ambiguous end", () => {
  it.each(AMBIGUOUS)("carries no second request: %s", async (_name, bytes) => {
    const { port, call } = await startTestServer();
    const answer = await exchangeAll(port, bytes);
    expect(answer).not.toInclude('"status":"ok"');
    // The parser answers 505 to an unknown version of HTTP.
    expect(answer).not.toMatch(/HTTP\/1\.1 50[0-4]/);
    expect((await call("/health")).status).toBe(200);
  });
});

/** A connection that sends `start`: `write` sends more, `answer` is what was received so far. */
const open = (port: number, start: string) => {
  const received = { answer: "" };
  const socket = connect(port, "127.0.0.1", () => socket.write(start));
  socket.on("data", (data) => {
    received.answer += data.toString("latin1");
  });
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  return Object.assign(received, { write: (bytes: string) => socket.write(bytes) });
};

/** Sends a body with Python, which writes everything before it reads, as most clients do. Prints the status. */
const PYTHON = `
import sys, urllib.request, urllib.error
request = urllib.request.Request(sys.argv[1], b"x" * int(sys.argv[2]), {"Authorization": "x", "Content-Type": "application/json"})
try: print(urllib.request.urlopen(request).status)
except urllib.error.HTTPError as error: print(error.code)`;

describe("a request that is refused before its body is read", () => {
  const announced = (path: string, size: number) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: x\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`;
  const REFUSED: [path: string, size: number, status: number][] = [
    ["/api/auth/login", 8 * 2 ** 20, 413],
    ["/watch/api/auth/login", 8 * 2 ** 20, 413],
    ["/nothing", 8 * 2 ** 20, 404],
    ["/api/agents/report", 2 ** 20, 401],
  ];
  const start = async (sleep = systemClock.sleep) => {
    const server = await startTestServer({ BASE_PATH: "/watch" });
    Object.assign(server.deps.clock, { sleep });
    return server;
  };
  const sendHead = (port: number, size = 2 ** 20) => open(port, announced("/api/auth/login", size));

  const CHUNK = `200000\r\n${"x".repeat(2 ** 21)}\r\n`;
  it.each([
    ["announced", "x".repeat(2 ** 22), ""],
    ["in chunks", CHUNK, "0\r\n\r\n"],
  ])("is answered once the body has arrived: %s", async (_name, part, end) => {
    const { port, call } = await start();
    const head = announced("/api/auth/login", 2 * part.length);
    const client = open(port, (end ? head.replace(/Content-Length: \d+/, "Transfer-Encoding: chunked") : head) + part);
    for (let time = 0; time < 5; time++) expect((await call("/health")).status).toBe(200);
    expect(client.answer).toBe("");
    client.write(part + end);
    await until(() => client.answer.startsWith("HTTP/1.1 413"));
  });

  it.skipIf(!Bun.which("python3"))("is answered to a client that writes everything before it reads", async () => {
    const { port } = await start();
    for (const [path, size, status] of REFUSED) {
      const client = Bun.spawn(["python3", "-c", PYTHON, `http://127.0.0.1:${port}${path}`, String(size)]);
      expect([path, await new Response(client.stdout).text()]).toEqual([path, `${status}\n`]);
    }
  });

  it("is answered after five seconds when the client sends no body", async () => {
    const waited: number[] = [];
    const { port } = await start(async (milliseconds) => void waited.push(milliseconds));
    const client = sendHead(port);
    await until(() => client.answer.startsWith("HTTP/1.1 413"));
    expect(waited).toEqual([5000]);
  });

  it("is answered at once while 32 others wait for their bodies", async () => {
    const waiting: (() => void)[] = [];
    const { port } = await start(() => new Promise((wake) => waiting.push(wake)));
    const others = Array.from({ length: 32 }, () => sendHead(port));
    await until(() => waiting.length === 32);
    const refused = sendHead(port);
    await until(() => refused.answer.startsWith("HTTP/1.1 413"));
    expect(others.map(({ answer }) => answer)).toEqual(others.map(() => ""));
    for (const wake of waiting) wake();
    await until(() => others.every(({ answer }) => answer.startsWith("HTTP/1.1 413")));
    sendHead(port);
    await until(() => waiting.length === 33);
  });

  it("is answered at once when it announces more than 16 MiB", async () => {
    const { port } = await start(() => new Promise(() => {}));
    const client = sendHead(port, 17 * 2 ** 20);
    await until(() => client.answer.startsWith("HTTP/1.1 413"));
  });
});

it("the server keeps working after a request in another protocol or with 200 kB of headers", async () => {
  const { port, call } = await startTestServer();
  const requests = [
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "GET /api/auth/me HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAAA\r\n\r\n",
    "GET /api/auth/me HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
    `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"a".repeat(200_000)}\r\n\r\n`,
    `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "\0\0\0\0\r\n\r\n",
  ];
  for (const bytes of requests) {
    const answer = await exchangeAll(port, bytes);
    expect(answer).not.toMatch(/HTTP\/1\.1 (101|5\d\d)/);
  }
  expect((await call("/health")).status).toBe(200);
});

it("no path reads a file outside of the page or another user's data", async () => {
  const { port, call, people, as } = await startTestServer();
  const { alice, bob } = await people();
  const { body } = await as(alice).post("/api/monitors", {
    name: "canary-monitor",
    url: "https://canary.example/",
    method: "GET",
    interval: 60,
    timeout: 5,
    expectedStatus: 200,
    active: false,
  });
  const id = body.monitor.id;
  const authorization = `Bearer ${bob.token}`;
  const ids = [
    id,
    `${id}.0`,
    `0${id}`,
    `${id}e0`,
    `%3${id}`,
    `${id}%00`,
    `+${id}`,
    ` ${id}`,
    `${id};x`,
    `x/..%2f${id}`,
  ];
  for (const one of ids) {
    const { status, text } = await call(`/api/monitors/${one}`, { headers: { authorization } });
    expect([one, status === 404 || status === 422, text.includes("canary")]).toEqual([one, true, false]);
  }
  const paths = [
    ...["/..", "/%2e%2e", "/..%2f", "/%252e%252e", "/....//", "/..\\", "/..%5c", "/.%2e", "/%c0%ae%c0%ae"].flatMap(
      (up) => [
        `${up.repeat(6)}/etc/passwd`,
        `/downloads${up.repeat(6)}/etc/passwd`,
        `/badge${up}/package.json`,
        `/status${up.repeat(2)}/package.json`,
      ],
    ),
    "//api/auth/me",
    "/%61pi/auth/me",
    "/api;x/auth/me",
    "/api/auth/me%00",
    "/downloads/wakeful-linux-amd64;id",
    "/file:///etc/passwd",
  ];
  for (const path of paths) {
    const answer = await exchangeAll(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect([path, /root:x|"dependencies"|HTTP\/1\.1 5\d\d/.test(answer)]).toEqual([path, false]);
  }
});

it("methods without a route change nothing", async () => {
  const { port, call } = await startTestServer();
  for (const method of ["TRACE", "TRACK", "PROPFIND", "MKCOL", "PATCH", "OPTIONS", "DELETE", "FOO", "get"])
    for (const path of ["/", "/api/auth/login", "/api/users", "/status", "/badge/1.svg", "/health"]) {
      const answer = await exchangeAll(port, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nX-Echo: canary\r\n\r\n`);
      const [status = ""] = /\d{3}/.exec(answer.split("\r\n")[0] ?? "") ?? [];
      expect([method, path, status === "" || status.startsWith("4")]).toEqual([method, path, true]);
      expect(answer).not.toInclude("canary");
    }
  expect((await call("/health")).status).toBe(200);
});

it("shell code in the Host header does not get into the installer", async () => {
  const { port } = await startTestServer();
  for (const host of ["a;id", "a$(id)", "a`id`", 'a"b', "a b", "a|id", "a&&id", "a\\b", "$IFS", "-x", "a'b"]) {
    const answer = await exchangeAll(port, `GET /install.sh HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const [line] = /^server=.*$/m.exec(answer) ?? [];
    expect([host, line === undefined || /^server='https?:\/\/[\w.:[\]/-]+'$/.test(line.trim())]).toEqual([host, true]);
  }
});

it("markup in a status page's fields is escaped in everything that the server renders", async () => {
  const server = await startTestServer();
  const { bob } = await server.people();
  const payloads = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title><svg onload=alert(1)>",
    "</style><script>alert(1)</script>",
    "'-alert(1)-'",
    "{{constructor.constructor('alert(1)')()}}",
    "javascript:alert(1)",
    "]]><script>alert(1)</script>",
    "\u2028</script><script>alert(1)</script>",
  ];
  for (const payload of payloads) {
    const id = await addMonitor(server, bob, { url: "https://shop.example/", name: payload });
    await publish(server, bob, { title: payload, description: payload, customCss: payload, monitors: [id] });
    const page = await server.call("/status/bob");
    const style = await server.call("/api/status/style.css?page=bob");
    const badge = await server.call(`/badge/${id}.svg`);
    expect([payload, page.status, style.status, badge.status]).toEqual([payload, 200, 200, 200]);
    // Only the page's own elements and attributes: its settings and state are in script elements.
    expect(page.text.match(/<script[^>]*>/g)).toEqual([
      '<script type="application/json" id="settings">',
      '<script type="application/json" id="start">',
    ]);
    for (const text of [page.text, badge.text]) expect(text).not.toMatch(/<img|<svg onload|<script>alert|"\s*onerror/i);
    expect(style.text).not.toInclude("<");
    expect(badge.headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(style.headers.get("content-type")).toStartWith("text/css");
  }
});
