import { describe, expect, it } from "bun:test";
import { connect } from "node:net";
import { version } from "../build-info";
import { startTestServer } from "../testing/servers/hub";

const LOGIN = "/api/auth/login";
const post = (body: BodyInit, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  body,
  headers: { "content-type": "application/json", ...headers },
});

/** The server's answer to arbitrary bytes. */
const exchange = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setTimeout(20_000, () => socket.destroy());
    socket.on("data", (data) => {
      answer += data;
      if (/\r\n\r\n/.test(answer)) socket.end();
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });

const MEBIBYTE = 1024 * 1024;
const textOf = (size: number) => JSON.stringify({ username: "x".repeat(size - 31), password: "y" });

/** Any Authorization header: a body may then have 1 MiB. */
const SIGNED = { authorization: "Bearer x" };

describe("a body that is too large", () => {
  it("is refused with 413 above 16 KiB on routes without a session, and on requests without one", async () => {
    const { call } = await startTestServer();
    const limit = 16 * 1024;
    for (const path of [LOGIN, "/api/auth/register", "/api/agents/register"]) {
      for (const headers of [{}, SIGNED]) {
        const { status, body } = await call(path, post(textOf(limit + 2), headers));
        expect([path, status, body.code, body.message]).toEqual([
          path,
          413,
          "too_large",
          "The body is larger than 16 KiB.",
        ]);
        expect((await call(path, post(textOf(limit), headers))).status).toBe(422);
      }
    }
    expect((await call("/api/import", post("x".repeat(limit + 1)))).status).toBe(413);
    expect((await call("/api/import", post("x".repeat(limit + 1), SIGNED))).status).not.toBe(413);
  });

  it("is refused with 413 as JSON, one byte or many above the limit", async () => {
    const { call } = await startTestServer();
    for (const size of [MEBIBYTE + 1, MEBIBYTE + 2, 4 * MEBIBYTE]) {
      const { status, body } = await call("/api/import", post("x".repeat(size), SIGNED));
      expect([size, status, body.success, body.code]).toEqual([size, 413, false, "too_large"]);
    }
  });

  it("is refused also without Content-Length", async () => {
    const { port } = await startTestServer();
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    const head = `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answer = await exchange(port, `${head}${chunk.repeat(20)}0\r\n\r\n`);
    expect(answer).toStartWith("HTTP/1.1 413");
    expect(answer).toInclude('"too_large"');
  });

  it("without Content-Length is read if it is small, and ignored after GET", async () => {
    const { port } = await startTestServer();
    const head = "HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    const chunks = '12\r\n{"username":"bob",\r\n11\r\n"password":"yes"}\r\n0\r\n\r\n';
    expect(await exchange(port, `POST ${LOGIN} ${head}${chunks}`)).toInclude('"invalid_credentials"');
    expect(await exchange(port, `GET /health ${head}${chunks}`)).toInclude('"status":"ok"');
  });
});

describe("a path under /api", () => {
  it("never answers the console's page", async () => {
    const { call } = await startTestServer();
    for (const path of ["/api", "/api/", "/api/nope", "/api/monitors/1/x/y", "/api/index.html", "/api//auth/me"]) {
      const { status, body, headers } = await call(path);
      expect([path, status, body.success, body.code]).toEqual([path, 404, false, "not_found"]);
      expect(headers.get("content-type")).toStartWith("application/json");
    }
  });

  it("answers with security headers and no-store", async () => {
    const { call } = await startTestServer();
    for (const path of ["/api/auth/me", "/api/nope", "/health"]) {
      const { headers } = await call(path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("x-frame-options")).toBe("DENY");
    }
    expect((await call("/badge/1.svg")).headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  });

  it("sends Cross-Origin-Opener-Policy over https only", async () => {
    const policyOf = async (env: Record<string, string>, headers: Record<string, string>) =>
      (await (await startTestServer(env)).call("/", { headers })).headers.get("cross-origin-opener-policy");
    expect(await policyOf({}, {})).toBeNull();
    expect(await policyOf({}, { "x-forwarded-proto": "https" })).toBe("same-origin");
    expect(await policyOf({ PUBLIC_URL: "https://127.0.0.1" }, {})).toBe("same-origin");
    expect(await policyOf({ PUBLIC_URL: "https://127.0.0.1" }, { "x-forwarded-proto": "http" })).toBeNull();
  });
});

describe("a client that looks for files", () => {
  it("gets 404 for a missing file instead of the console's page", async () => {
    const { call } = await startTestServer();
    for (const path of [
      "/.env",
      "/wakeful.db",
      "/.git/config",
      "/gone.js",
      "/%2eenv",
      "/a.b/c",
      "/index.php",
      "/.well-known/x",
    ]) {
      const { status, body, text } = await call(path);
      expect([path, status, body.code]).toEqual([path, 404, "not_found"]);
      expect(text).not.toInclude("<!doctype");
    }
  });

  it("is allowed only status pages by robots.txt", async () => {
    const { call } = await startTestServer({ BASE_PATH: "/watch/" });
    const { status, headers, text } = await call("/robots.txt");
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(text.split("\n").slice(0, 4)).toEqual([
      "User-agent: *",
      "Disallow: /",
      "Allow: /watch/status",
      "Allow: /watch/api/status/data",
    ]);
    expect(text).toEndWith("Disallow: /watch/status/config\n");
  });
});

it("the preview of a status page may be framed by the console, and no other page by any", async () => {
  const { call } = await startTestServer();
  const framing = async (path: string) => {
    const { status, headers } = await call(path);
    const policy = headers.get("content-security-policy") ?? "";
    return [status, headers.get("x-frame-options"), /frame-ancestors ([^;]*)/.exec(policy)?.[1]];
  };
  expect(await framing("/status/config/preview")).toEqual([200, "SAMEORIGIN", "'self'"]);
  for (const path of ["/status", "/status/config", "/"])
    expect([path, await framing(path)]).toEqual([path, [200, "DENY", "'none'"]]);
});

it("no response without a session contains the program's version", async () => {
  const server = await startTestServer();
  const { alice } = await server.people();
  for (const path of ["/", "/status", "/api/docs", "/health", "/api/openapi.json", "/robots.txt", "/api/nope"]) {
    const { text, headers } = await server.call(path);
    expect([path, `${text} ${JSON.stringify([...headers])}`.includes(`"${version}"`)]).toEqual([path, false]);
  }
  const { text } = await server.as(alice).get("/api/dashboard");
  expect(JSON.parse(text).version).toBe(version);
});

describe("any other path", () => {
  it("answers the console's page without a session", async () => {
    const { call } = await startTestServer();
    for (const path of ["/", "/monitors/7", "/monitors/7/", "/users/create", "/acknowledge/a-token", "/status"]) {
      const { status, text, headers } = await call(path);
      expect([status, headers.get("cache-control")]).toEqual([200, "no-cache"]);
      expect(text).toInclude("<!doctype html>");
      expect(headers.get("content-security-policy")).toInclude("default-src 'self'");
    }
    expect((await call("/", { method: "POST" })).status).toBe(404);
    expect((await call("/gone.js")).status).toBe(404);
  });

  it("answers a file of the page, cached for a year if its name has a hash", async () => {
    const { call } = await startTestServer();
    const script = await call("/main-0a1b2c3d.js");
    expect([script.text, script.headers.get("cache-control")]).toEqual([
      "console.log('page')",
      "public, max-age=31536000, immutable",
    ]);
    expect((await call("/theme.js")).headers.get("cache-control")).toBe("public, max-age=3600");
  });

  it("never answers a file outside of the page", async () => {
    const { port } = await startTestServer();
    for (const path of ["/../package.json", "/..%2f..%2fpackage.json", "//etc/passwd", "/%2e%2e/%2e%2e/etc/passwd"]) {
      const answer = await exchange(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).not.toMatch(/root:|"dependencies"/);
    }
  });

  it("escapes markup in a setting that the page contains", async () => {
    const { call } = await startTestServer({ LINK_BLOG: "https://example.com/</script><script>alert(1)</script>$&" });
    const { text } = await call("/");
    expect(text.match(/<\/script>/g)).toHaveLength(1);
    expect(text).toInclude("$&");
  });
});

describe("a hub with BASE_PATH", () => {
  it("answers whether or not the proxy removes the path", async () => {
    const { call } = await startTestServer({ BASE_PATH: "/wakeful" });
    for (const path of ["/health", "/wakeful/health"]) expect((await call(path)).status).toBe(200);
    for (const path of ["/api/nope", "/wakeful/api/nope"]) expect((await call(path)).body.code).toBe("not_found");
    for (const path of ["/", "/wakeful", "/wakeful/", "/wakeful/monitors/1"]) {
      expect((await call(path)).text).toInclude('<base href="/wakeful/">');
    }
    const { status, body } = await call(`/wakeful${LOGIN}?x=1`, post('{"username":"a","password":"b"}'));
    expect([status, body.code]).toEqual([401, "invalid_credentials"]);
  });

  it("authenticates requests below the path", async () => {
    const { call, people } = await startTestServer({ BASE_PATH: "/wakeful" });
    await people();
    const wrong = post('{"username":"bob","password":"wrong"}');
    for (let time = 0; time < 10; time++) expect((await call(LOGIN, wrong)).status).toBe(401);
    expect((await call(`/wakeful${LOGIN}`, wrong)).status).toBe(429);
  });
});

it("accepts a hostname as short as nas", async () => {
  const { port } = await startTestServer();
  for (const host of ["x", "pi", "nas", "nas:80", "console.example"]) {
    const answer = await exchange(port, `GET /health?x=1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect([host, answer.slice(0, 12)]).toEqual([host, "HTTP/1.1 200"]);
  }
});

describe("the Host header", () => {
  const ask = (port: number, request: string) => exchange(port, `${request}\r\nConnection: close\r\n\r\n`);

  it("is answered with 400 by the API and pages when it is missing, malformed or repeated", async () => {
    const { port } = await startTestServer();
    for (const path of ["/api/auth/registration", "/", "/status", "/health"]) {
      for (const request of [
        `GET ${path} HTTP/1.1\r\nHost: a'b`,
        `GET ${path} HTTP/1.0\r\nAccept: */*`,
        `GET ${path} HTTP/1.1\r\nHost: a.example\r\nHost: b.example`,
        `GET ${path} HTTP/1.1\r\nHost: 999.1.1.1`,
        `GET ${path} HTTP/1.1\r\nHost: user@a.example`,
        `GET ${path} HTTP/1.1\r\nHost: `,
        "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example",
      ]) {
        const answer = await ask(port, request);
        expect([request, answer.slice(0, 12)]).toEqual([request, "HTTP/1.1 400"]);
        expect(answer).toInclude('"bad_host"');
      }
    }
  });

  it("with PUBLIC_URL has to be its host, an IP address or localhost, or is answered with 421", async () => {
    const { port } = await startTestServer({ PUBLIC_URL: "https://watch.example.com/up" });
    const statusOf = async (path: string, host: string) =>
      (await ask(port, `GET ${path} HTTP/1.1\r\nHost: ${host}`)).slice(9, 12);
    for (const path of ["/api/auth/registration", "/", "/status", "/api/docs", "/install.sh", "/api/openapi.json"]) {
      for (const host of ["watch.example.com", "WATCH.example.com:8080", "127.0.0.1", "[::1]:8080", "localhost:8080"])
        expect([path, host, await statusOf(path, host)]).not.toEqual([path, host, "421"]);
      for (const host of ["rebind.example", "watch.example.com.evil.example", "nas", "localhost.evil.example"])
        expect([path, host, await statusOf(path, host)]).toEqual([path, host, "421"]);
    }
    // A container's health check and a scraper reach the hub by an internal name.
    expect(await statusOf("/health", "wakeful:8080")).toBe("200");
    expect(await statusOf("/metrics", "wakeful:8080")).toBe("401");
  });
});

it("answers a request that is not HTTP with an error, and keeps working", async () => {
  const { port, call } = await startTestServer();
  for (const text of ["nonsense\r\n\r\n", "GET  HTTP/9.9\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"]) {
    expect(await exchange(port, text)).not.toMatch(/^HTTP\/1\.1 (2|5)/);
  }
  expect((await call("/health")).status).toBe(200);
});

it("answers a path with malformed percent-encoding", async () => {
  const { port } = await startTestServer();
  for (const path of ["/%E0%A4%A", "/api/monitors/%E0%A4%A", "/%00", "/api/%ff"]) {
    const answer = await exchange(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect([path, answer.slice(0, 10)]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 [24]/)]);
  }
});

it("answers 500 without the cause and logs it when a page outside the API fails", async () => {
  const published = () => Promise.reject(new Error("the section has no data"));
  const { call, logged } = await startTestServer({}, { published });
  const { status, body, text } = await call("/status");
  expect([status, body.code]).toEqual([500, "internal"]);
  expect(text).not.toInclude("section");
  expect(logged.filter((line) => line.includes("request failed") && line.includes("section has no data"))).toHaveLength(
    1,
  );
});
